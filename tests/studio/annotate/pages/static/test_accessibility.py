"""The pages as axe-core sees them, and as a keyboard or a screen reader meets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from naturalness.studio.annotate.pages.desk import Desk
from naturalness.studio.annotate.project import PAIRS, POINTS, SLIDER, Answer, Scale
from tests.support.annotation_pages import NATURAL, MakeDesk, eventually
from tests.support.taught import learned

pytestmark = pytest.mark.slow
SCALES = {
    "natural": NATURAL,
    "points": Scale(POINTS, 1.0, 6.0),
    "slider": Scale(SLIDER, 0.0, 100.0),
    "pairs": Scale(PAIRS, -1.0, 1.0),
}


def rated_by_two(desk: Desk) -> None:
    """Two raters who differ here and there."""
    for number in range(16):
        rater = ("Ann", "Ben")[number % 2]
        question = desk.next(rater)
        assert question is not None
        value = desk.project.scale.low if number % 3 else desk.project.scale.high
        desk.answer(question.number, Answer(value, note="odd", cause="order"))


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("natural", 1280, "light"),
        ("natural", 390, "dark"),
        ("points", 390, "light"),
        ("slider", 1280, "dark"),
        ("pairs", 390, "dark"),
    ],
)
def test_axe_finds_nothing(
    make_desk: MakeDesk, run_desk: Callable[[Desk], str], browser: Any, axe: Any, name: str, width: int, scheme: str
) -> None:
    """No page breaks a rule of accessibility, in light or dark, on a screen or a phone."""
    turns = ("Is breakfast included?", "We came late, and nobody was there to let us in.\n" * 12)
    cells = {"cells": lambda i: {"turn": turns[i % 2]}, "context": ["turn"]}
    desk = make_desk(scale=SCALES[name], overlap=2, **cells)
    rated_by_two(desk)
    desk.teaching.taught = learned()
    address = run_desk(desk)
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address)

    def check(what: str) -> None:
        violations = axe.run(page).response["violations"]
        broken_rules = [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]
        assert broken_rules == [], what

    page.wait_for_url("**/rater")
    check("who rates")
    page.click("[data-name=Ann]")
    page.wait_for_selector(".word", state="attached")
    check("rate")
    if name != "pairs":
        page.keyboard.press("m")
        page.keyboard.press("Space")
        check("rate, with words marked")
    page.click("#keys-open")
    check("keys")
    for path in ("learned", "answers"):
        page.goto(f"{address.partition('?')[0]}{path}")
        page.wait_for_timeout(200)
        check(path)
        if path == "answers":
            page.click("#answers li button")
            check("an answer to change")
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
    context.close()


def test_what_changes_is_told(make_desk: MakeDesk, run_desk: Callable[[Desk], str], browser: Any) -> None:
    """The rating and the next sentence are read out, and the focus stays where it was."""
    page = browser.new_page()
    page.goto(run_desk(make_desk()))
    page.fill("#name", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_selector(".word")
    button = page.locator('[data-action="value:2"]')
    button.focus()
    page.keyboard.press("Enter")
    eventually(lambda: page.inner_text("#said").startswith("Natural."))
    assert page.inner_text("#sentence-1") in page.inner_text("#said")
    assert page.locator("#said").get_attribute("aria-live") == "polite"
    assert button.evaluate("element => element === document.activeElement")
    assert button.get_attribute("aria-keyshortcuts") == "3"
    page.close()

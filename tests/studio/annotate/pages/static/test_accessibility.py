"""Accessibility of the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from naturalness.studio.annotate.pages.desk import Desk
from naturalness.studio.annotate.project import Answer
from tests.support.annotation_pages import SCALES, MakeDesk, OpenRater, eventually
from tests.support.taught import learned

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("natural", 1280, "light"), ("natural", 390, "dark"), ("points", 390, "light"), ("slider", 1280, "dark")],
)
def test_pages_meet_the_rules_of_axe(
    make_desk: MakeDesk, run_desk: Callable[[Desk], str], browser: Any, axe: Any, name: str, width: int, scheme: str
) -> None:
    """axe-core finds no violation in light and dark mode, on a screen and a phone."""
    desk = make_desk(scale=SCALES[name], overlap=2)
    for number in range(16):
        question = desk.next(("Ann", "Ben")[number % 2])
        assert question is not None
        value = desk.project.scale.low if number % 3 else desk.project.scale.high
        desk.answer(question.number, Answer(value, note="odd", cause="order"))
    desk.learning.taught = learned()
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
    page.keyboard.press("m")
    page.keyboard.press("Space")
    check("rate, with words marked")
    page.goto(f"{address.partition('?')[0]}learned")
    page.wait_for_timeout(200)
    check("learned")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_changes_are_read_out(rate_here: OpenRater) -> None:
    """Screen readers announce the rating and the next sentence; the focus does not move."""
    page = rate_here().page
    button = page.locator('[data-action="value:2"]')
    button.focus()
    page.keyboard.press("Enter")
    eventually(lambda: page.inner_text("#said").startswith("Natural."))
    assert page.inner_text("#sentence") in page.inner_text("#said")
    assert page.locator("#said").get_attribute("aria-live") == "polite"
    assert button.evaluate("element => element === document.activeElement")
    assert button.get_attribute("aria-keyshortcuts") == "3"

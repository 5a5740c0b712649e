"""Sliders, points and pairs by keyboard in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from naturalness.studio.annotate.pages.desk import Desk
from naturalness.studio.annotate.project import PAIRS, POINTS, SLIDER, Scale
from tests.support.annotation_pages import MakeDesk, eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def open_page(
    make_desk: MakeDesk, run_desk: Callable[[Desk], str], browser: Any
) -> Callable[[Scale], tuple[Any, Desk]]:
    """The page on which a scale is rated, and what is behind it."""

    def open_it(scale: Scale) -> tuple[Any, Desk]:
        desk = make_desk(scale=scale)
        page = browser.new_page()
        page.goto(run_desk(desk))
        page.fill("#name", "Ann")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sentence-1 .word")
        return page, desk

    return open_it


def values(desk: Desk) -> list[float | None]:
    """What was answered."""
    return [rating.answer.value for rating in desk.project.ratings(skipped=True)]


def test_a_slider_has_no_value_at_first(open_page: Callable[..., Any]) -> None:
    """Nobody sends the middle without having chosen it; arrows and digits choose."""
    page, desk = open_page(Scale(SLIDER, 0.0, 100.0))
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert values(desk) == []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.inner_text("#slider-value") == "65"
    page.keyboard.press("Enter")
    eventually(lambda: values(desk) == [65.0])
    eventually(lambda: page.inner_text("#slider-value") == "–")
    page.focus("#slider")
    page.keyboard.press("2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    eventually(lambda: values(desk) == [65.0, 19.0])
    page.close()


def test_undo_on_a_slider_brings_the_value_back(open_page: Callable[..., Any]) -> None:
    """It can be sent as it was."""
    page, desk = open_page(Scale(SLIDER, 0.0, 100.0))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    eventually(lambda: values(desk) == [45.0])
    eventually(lambda: page.inner_text("#done").startswith("1 "))
    page.keyboard.press("u")
    eventually(lambda: page.inner_text("#slider-value") == "45")
    page.close()


@pytest.mark.parametrize(
    ("scale", "keys", "said"),
    [(Scale(POINTS, 1.0, 6.0), "164", [1.0, 6.0, 4.0]), (Scale(PAIRS, -1.0, 1.0), "132", [1.0, -1.0, 0.0])],
)
def test_keys_of_points_and_pairs(open_page: Callable[..., Any], scale: Scale, keys: str, said: list[float]) -> None:
    """A point has its own digit; of a pair 1 is the first, 3 the second."""
    page, desk = open_page(scale)
    for number, key in enumerate(keys):
        page.keyboard.press(key)
        done = f"{number + 1} "
        page.wait_for_function("told => document.getElementById('done').innerText.startsWith(told)", arg=done)
    assert values(desk) == said
    page.close()


def test_a_french_keyboard(open_page: Callable[..., Any]) -> None:
    """Its digits need Shift; the key in their place rates without."""
    page, desk = open_page(Scale(POINTS, 1.0, 6.0))
    page.evaluate(
        """() => document.dispatchEvent(new KeyboardEvent("keydown",
           { key: "&", code: "Digit1", bubbles: true, cancelable: true }))"""
    )
    eventually(lambda: values(desk) == [1.0])
    page.close()

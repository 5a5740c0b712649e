"""Undo in a browser."""

from __future__ import annotations

import pytest

from naturalness.studio.annotate.project import SLIDER, Scale
from tests.support.annotation_pages import OpenRater

pytestmark = pytest.mark.slow


def test_undo_restores_the_whole_answer(rate_here: OpenRater) -> None:
    """Undo restores value, note, cause and marks; unsent text survives a reload."""
    ann = rate_here()
    text = ann.text
    ann.page.keyboard.press("m")
    ann.page.keyboard.press("Space")
    ann.page.keyboard.press("Escape")
    marked = ann.page.inner_text("#marked")
    ann.page.keyboard.press("n")
    ann.page.keyboard.type("odd")
    ann.page.keyboard.press("Enter")
    ann.page.select_option("#cause", "order")
    ann.press("1")
    assert ann.page.inner_text("#marked").strip() == ""
    ann.press("u")
    assert (ann.text, ann.page.inner_text("#marked")) == (text, marked)
    assert ann.page.inner_text("#said").startswith("Taken back.")
    assert (ann.page.input_value("#note"), ann.page.input_value("#cause")) == ("odd", "order")
    assert "earlier" in str(ann.page.get_attribute('[data-action="value:0"]', "class"))
    assert ann.notice == ""
    ann.page.keyboard.press("n")
    ann.page.keyboard.type(", very")
    ann.page.reload()
    ann.wait_for_sentence()
    assert ann.page.input_value("#note") == "odd, very"
    ann.press("2")
    (rating,) = ann.desk.project.ratings()
    assert (rating.answer.value, rating.answer.note, rating.answer.cause) == (1.0, "odd, very", "order")
    assert rating.answer.marks


def test_undo_at_the_beginning_and_at_the_end(rate_here: OpenRater) -> None:
    """Undo is disabled before the first answer and works after the last one."""
    ann = rate_here(["One came home.", "Two went out.", "Three stayed."])
    ann.page.keyboard.press("u")
    assert ann.page.get_attribute('.actions [data-action="undo"]', "aria-disabled") == "true"
    for key in "123":
        ann.press(key)
    assert ann.page.locator(".over").is_visible()
    ann.press("u")
    assert ann.page.locator(".over").is_hidden()
    ann.press("1")
    ann.page.locator('.over [data-action="undo"]').click()
    ann.page.wait_for_selector(".asked", state="visible")
    assert ann.values == [0.0, 1.0]


def test_undo_restores_the_value_of_a_slider(rate_here: OpenRater) -> None:
    """After an undo, arrow keys start from the restored value."""
    ann = rate_here(scale=Scale(SLIDER, 0.0, 100.0))
    for key in ("ArrowRight", "ArrowRight"):
        ann.page.keyboard.press(key)
    ann.press("Enter")
    ann.press("u")
    ann.page.keyboard.press("ArrowLeft")
    ann.press("Enter")
    assert ann.values == [55.0]

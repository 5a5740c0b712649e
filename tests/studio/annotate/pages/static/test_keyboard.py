"""Keys, marks and notes on the rating page."""

from __future__ import annotations

import pytest

from naturalness.studio.annotate.pages.pages import keys_of
from naturalness.studio.annotate.project import LABELS, Scale
from tests.support.annotation_pages import SCALES, OpenRater, Rater, eventually

pytestmark = pytest.mark.slow
ALL_SCALES = {**SCALES, "labels": Scale(LABELS, 0.0, 3.0, ("bad", "poor", "fair", "good"))}


def rate_with(ann: Rater, action: str, key: str) -> None:
    """Rate, skip or undo; require that the answer is stored and another sentence is shown."""
    before, text = ann.values, ann.text
    if action == "send":
        ann.page.keyboard.press("ArrowRight")
    ann.press(key)
    if action == "undo":
        assert ann.values == before[:-1]
        assert ann.text != text
        return
    value = {"skip": None, "send": 55.0}.get(action, -9.0)
    value = float(action.partition(":")[2]) if value == -9.0 else value
    assert ann.values == [*before, value]
    assert ann.text != text


@pytest.mark.parametrize("name", ALL_SCALES)
def test_every_key_does_what_its_button_says(rate_here: OpenRater, name: str) -> None:
    """Each button shows its key, on every scale; digits move a slider."""
    ann = rate_here(scale=ALL_SCALES[name])
    for action, key in keys_of(ALL_SCALES[name]).items():
        if action.startswith("tenth:"):
            ann.page.keyboard.press(key)
            assert ann.page.inner_text("#slider-value") == f"{10 * int(key)}"
            continue
        assert ann.page.locator(f'[data-key="{action}"]').first.inner_text(), action
        if action in ("lower", "higher"):
            ann.page.keyboard.press(key)
            assert ann.page.inner_text("#slider-value") == {"lower": "45", "higher": "50"}[action]
        elif action in ("note", "cause"):
            ann.page.keyboard.press(key)
            ann.page.keyboard.type("1s3u")  # no key rates in a field
            ann.page.keyboard.press("Escape")
        elif action not in ("mark", "guide"):
            rate_with(ann, action, key)
    assert ann.notice == ""


def test_words_are_marked_by_keyboard_and_by_touch(rate_here: OpenRater) -> None:
    """Marked words are listed below the sentence, and stored with the cause."""
    ann = rate_here()
    words = ann.page.locator("#sentence .word")
    first, third = words.nth(0).inner_text(), words.nth(2).inner_text()
    for key in ("m", "Space", "ArrowRight", "ArrowRight", "Space"):
        ann.page.keyboard.press(key)
    assert ann.page.inner_text("#marked") == f"Sounds wrong: {first}, {third}"
    ann.page.keyboard.press("Space")
    ann.page.keyboard.press("Escape")
    words.nth(2).click()
    words.nth(3).click()
    ann.page.keyboard.press("c")
    ann.page.select_option("#cause", "order")
    ann.page.keyboard.press("Escape")
    text = ann.text
    ann.press("1")
    (rating,) = ann.desk.project.ratings()
    marked_words = [text[start:end] for start, end in rating.answer.marks]
    assert marked_words[0] == first
    assert marked_words[1].startswith(third) and len(marked_words) == 2
    assert rating.answer.cause == "order"


def test_modified_keys_rate_nothing(rate_here: OpenRater) -> None:
    """Keys with Ctrl, Alt or Meta are left to the browser; a key that is held down rates once."""
    ann = rate_here()
    text = ann.text
    for key in ("Control+1", "Alt+1", "Meta+1", "Control+s", "Shift+S"):
        ann.page.keyboard.press(key)
    ann.page.wait_for_timeout(300)
    assert (ann.text, ann.done) == (text, 0)
    for _ in range(8):
        ann.page.keyboard.down("1")
    ann.page.keyboard.up("1")
    ann.page.wait_for_timeout(500)
    assert ann.done == 1


def test_digits_need_no_shift_on_a_french_keyboard(rate_here: OpenRater) -> None:
    """A key in the row of digits rates even if it types another character."""
    ann = rate_here()
    ann.page.evaluate(
        """() => document.dispatchEvent(new KeyboardEvent("keydown",
           { key: "&", code: "Digit1", bubbles: true, cancelable: true }))"""
    )
    eventually(lambda: ann.values == [0.0])


def test_slider_has_no_value_until_it_is_moved(rate_here: OpenRater) -> None:
    """Enter sends nothing before a value is chosen; arrows and digits choose one."""
    ann = rate_here(scale=SCALES["slider"])
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_timeout(200)
    assert ann.values == []
    for _ in range(3):
        ann.page.keyboard.press("ArrowRight")
    assert ann.page.inner_text("#slider-value") == "65"
    ann.press("Enter")
    assert ann.page.inner_text("#slider-value") == "–"
    ann.page.focus("#slider")
    ann.page.keyboard.press("2")
    ann.page.keyboard.press("ArrowLeft")
    ann.press("Enter")
    assert ann.values == [65.0, 19.0]

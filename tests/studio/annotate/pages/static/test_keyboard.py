"""Keys, marks and notes on the page, and that nothing on it jumps."""

from __future__ import annotations

from typing import Any

import pytest

from naturalness.studio.annotate.pages.scales import usual_keys
from naturalness.studio.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Scale
from tests.support.annotation_pages import NATURAL, OpenRater, Rater, eventually

pytestmark = pytest.mark.slow
SCALES = {
    "natural": NATURAL,
    "labels": Scale(LABELS, 0.0, 3.0, ("bad", "poor", "fair", "good")),
    "points": Scale(POINTS, 1.0, 6.0),
    "slider": Scale(SLIDER, 0.0, 100.0),
    "pairs": Scale(PAIRS, -1.0, 1.0),
}


def rate_with(ann: Rater, action: str, key: str) -> None:
    """Values, skip and undo: what is stored, and that the page has gone on or back."""
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


def mark_with(ann: Rater, key: str) -> None:
    """A listbox of words, of which arrows and space choose, until Escape."""
    ann.page.keyboard.press(key)
    assert ann.page.get_attribute("#sentence-1", "role") == "listbox"
    for pressed in ("End", "Space", "Home", "Space", "ArrowRight", "Enter", "Enter", "Escape"):
        ann.page.keyboard.press(pressed)
    assert ann.page.get_attribute("#sentence-1", "role") is None
    words = ann.page.locator("#sentence-1 .word").all_inner_texts()
    assert ann.page.inner_text("#marked") == f"Sounds wrong: {words[0]}, {words[-1]}"


def write_with(ann: Rater, action: str, key: str) -> None:
    """A field has the focus, in which no key rates, until Escape."""
    before = ann.values
    ann.page.keyboard.press(key)
    assert ann.page.evaluate("document.activeElement.id") == action
    ann.page.keyboard.type("1s3u")
    ann.page.keyboard.press("Escape")
    assert ann.page.evaluate("document.activeElement.tagName") == "BODY"
    if action == "note":
        assert ann.page.input_value("#note") == "1s3u"
    assert ann.values == before


@pytest.mark.parametrize("name", SCALES)
def test_every_key_does_what_its_button_says(rate_here: OpenRater, name: str) -> None:
    """Each key of each scale as it is at first; the button beside it shows it."""
    ann = rate_here(scale=SCALES[name])
    for action, key in usual_keys(SCALES[name]).items():
        assert ann.page.locator(f'[data-key="{action}"]').first.inner_text(), action
        if action in ("lower", "higher"):
            ann.page.keyboard.press(key)
            assert ann.page.inner_text("#slider-value") == {"lower": "45", "higher": "50"}[action]
        elif action == "mark":
            mark_with(ann, key)
        elif action in ("note", "cause"):
            write_with(ann, action, key)
        elif action == "guide":
            ann.page.keyboard.press(key)  # the first answer has folded them
            assert ann.page.locator("#guide").get_attribute("open") is not None
            ann.page.keyboard.press(key)
            assert ann.page.locator("#guide").get_attribute("open") is None
        elif action == "keys":
            ann.page.keyboard.press(key)
            assert ann.page.locator("#keys").is_visible()
            ann.page.keyboard.press("Escape")
            assert ann.page.locator("#keys").is_hidden()
        else:
            rate_with(ann, action, key)
    assert ann.notice == ""


def test_marks_by_keyboard_and_by_touch(rate_here: OpenRater) -> None:
    """Words are marked by arrows and space or by a tap, told in words, and kept with the cause."""
    ann = rate_here()
    words = ann.page.locator("#sentence-1 .word")
    first, third = words.nth(0).inner_text(), words.nth(2).inner_text()
    ann.page.keyboard.press("m")
    ann.page.keyboard.press("Space")
    for _ in range(2):
        ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Space")
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


@pytest.mark.parametrize("key", ["Control+1", "Alt+1", "Meta+1", "Control+s", "Shift+S"])
def test_keys_with_others_held_rate_nothing(rate_here: OpenRater, key: str) -> None:
    """They are for the browser and for screen readers."""
    ann = rate_here()
    text = ann.text
    ann.page.keyboard.press(key)
    ann.page.wait_for_timeout(300)
    assert (ann.text, ann.done) == (text, 0)


def test_a_key_held_down_rates_once(rate_here: OpenRater) -> None:
    """A keyboard repeats a key that is held."""
    ann = rate_here()
    for _ in range(8):
        ann.page.keyboard.down("1")
    ann.page.keyboard.up("1")
    ann.page.wait_for_timeout(500)
    assert ann.done == 1


def test_keys_can_be_changed(rate_here: OpenRater) -> None:
    """The new key works at once and after a reload; one that was in use is exchanged."""
    ann = rate_here()
    ann.page.keyboard.press("?")
    ann.page.click('[data-change="value:0"]')
    ann.page.keyboard.press("s")
    eventually(lambda: "instead" in ann.page.inner_text("#keys [role=status]"))
    ann.page.keyboard.press("Escape")
    assert ann.page.inner_text('[data-action="value:0"] kbd') == "S"
    ann.page.reload()
    ann.wait_for_sentence()
    assert ann.page.inner_text('[data-action="skip"] kbd') == "1"
    ann.press("s")
    ann.press("1")
    ratings = ann.desk.project.ratings(skipped=True)
    assert [one.answer.value for one in ratings] == [0.0, None]


def test_all_keys_as_at_first(rate_here: OpenRater) -> None:
    """Keys that were changed go back to what they were, and each rater has keys of their own."""
    ann = rate_here()

    def change(action: str, key: str) -> None:
        ann.page.keyboard.press("?")
        ann.page.click(f'[data-change="{action}"]')
        ann.page.keyboard.press(key)
        eventually(lambda: "now" in ann.page.inner_text("#keys [role=status]"))
        ann.page.keyboard.press("Escape")

    change("value:2", "j")
    change("undo", "z")
    ann.press("j")
    ann.press("z")
    assert ann.values == []
    ben = rate_here(beside=ann, name="Ben")
    ben.press("3")
    assert ben.values == [2.0]
    ann.page.click("#keys-open")
    ann.page.click("[data-usual]")
    eventually(lambda: "reset" in ann.page.inner_text("#keys [role=status]"))
    ann.page.click("text=Done")
    ann.page.keyboard.press("j")
    ann.press("3")
    ann.press("u")
    ann.press("1")
    assert ann.values == [0.0]


def test_notes_are_kept_when_the_page_is_loaded_again(rate_here: OpenRater) -> None:
    """What was written and not sent comes back."""
    ann = rate_here()
    ann.page.keyboard.press("n")
    ann.page.keyboard.type("half a thought")
    ann.page.reload()
    ann.wait_for_sentence()
    assert ann.page.input_value("#note") == "half a thought"


def rect(page: Any, selector: str) -> dict[str, float]:
    """Where something stands on the page."""
    box: dict[str, float] = page.locator(selector).bounding_box()
    return box


def test_nothing_jumps_from_sentence_to_sentence(rate_here: OpenRater) -> None:
    """Buttons stand where they stood, however long a sentence is; also on a phone."""
    ann = rate_here([f"{'Once more we went home. ' * (1 + n % 7)}Number {n}." for n in range(30)])
    for width in (1280, 390):
        ann.page.set_viewport_size({"width": width, "height": 800})
        ann.press("1")
        before = rect(ann.page, '[data-action="value:0"]')
        for _ in range(6):
            ann.press("1")
            assert rect(ann.page, '[data-action="value:0"]') == before
        assert ann.page.evaluate("document.documentElement.scrollWidth") == width

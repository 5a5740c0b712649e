"""The visible part of the page, and keys while the sentence is outside it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.annotation_pages import SCALES, OpenRater, Rater, eventually

pytestmark = pytest.mark.slow
SIZES = {"window": (1100, 800), "laptop": (1366, 768), "phone": (390, 800), "zoomed": (683, 384)}
TEXTS = [
    f"The soup that we had ordered for table {n} came late, was cold, and nobody did know who should bring us the bill."
    for n in range(30)
]
TOUCH: dict[str, Any] = {"is_mobile": True, "has_touch": True}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, **TOUCH}


def cut_off(rater: Rater) -> list[str]:
    """Return the sentences and buttons that are partly outside the screen."""
    found: list[str] = rater.page.evaluate(
        """() => [...document.querySelectorAll(".sentence, .values button, .values + .ends")].filter((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top < -1 || bottom > innerHeight + 1;
        }).map((element) => element.textContent)"""
    )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCALES)
def test_sentence_and_buttons_are_visible_at_once(rate_here: OpenRater, name: str, size: str) -> None:
    """Sentence and buttons fit on all screens, even with the instructions expanded."""
    width, height = SIZES[size]
    view = {"viewport": {"width": width, "height": height}, **(TOUCH if size == "phone" else {})}
    ann = rate_here(TEXTS, SCALES[name], view=view)
    assert ann.is_open("#guide")
    assert cut_off(ann) == []
    if name == "slider":
        ann.page.keyboard.press("ArrowRight")
    ann.press({"slider": "Enter"}.get(name, "1"))
    assert len(ann.values) == 1
    assert not ann.is_open("#guide")
    assert cut_off(ann) == []
    assert ann.page.evaluate("document.documentElement.scrollWidth") == width
    if size == "laptop":
        ann.page.keyboard.press("g")  # only the first answer collapses them
        if name == "slider":
            ann.page.keyboard.press("ArrowRight")
        ann.press({"slider": "Enter"}.get(name, "2"))
        assert ann.is_open("#guide")


def test_keys_do_not_rate_a_sentence_out_of_view(rate_here: OpenRater) -> None:
    """The first key press scrolls the sentence into view and says so; the next one rates."""
    ann = rate_here(TEXTS, view={"viewport": {"width": 390, "height": 500}})
    page = ann.page
    for key in ("1", "s", "m"):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.keyboard.press(key)
        eventually(lambda: "not in view" in page.inner_text("#said"))
        assert cut_off(ann) == []
        assert ann.values == [] and page.get_attribute("#sentence", "role") is None
    page.evaluate("scrollTo(0, 0)")
    ann.press("1")
    assert ann.values == [0.0]


def test_touch_screen_shows_no_keys(rate_here: OpenRater) -> None:
    """Buttons show their keys on other screens only."""
    ann = rate_here(TEXTS, view=PHONE)
    assert ann.page.locator("kbd:visible, #note-how:visible").count() == 0
    ann.page.tap('.actions [data-action="guide"]')
    assert ann.page.evaluate("document.getElementById('guide').getBoundingClientRect().top < innerHeight")
    ben = rate_here(TEXTS, name="Ben", beside=ann)
    assert ben.page.locator("kbd:visible").count() > 5
    assert ben.page.locator('.actions [data-action="guide"]').is_hidden()

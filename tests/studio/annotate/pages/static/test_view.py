"""What is on the screen at once, and what keys do while the sentence is not."""

from __future__ import annotations

from typing import Any

import pytest

from naturalness.studio.annotate.project import PAIRS, POINTS, SLIDER, Scale
from tests.support.annotation_pages import NATURAL, OpenRater, Rater, eventually

pytestmark = pytest.mark.slow
SCALES = {
    "natural": NATURAL,
    "points": Scale(POINTS, 1.0, 6.0),
    "slider": Scale(SLIDER, 0.0, 100.0),
    "pairs": Scale(PAIRS, -1.0, 1.0),
}
SIZES = {"window": (1100, 800), "laptop": (1366, 768), "phone": (390, 800), "zoomed": (683, 384)}
TEXTS = [
    f"The soup that we had ordered for table {n} came late, was cold, and nobody did know who should bring us the bill."
    for n in range(30)
]
PHONE: dict[str, Any] = {"is_mobile": True, "has_touch": True}


def cut_off(rater: Rater) -> list[str]:
    """Sentences and buttons of which a part is not on the screen."""
    found: list[str] = rater.page.evaluate(
        """() => [...document.querySelectorAll(".sentence, .values button, .values + .ends")].filter((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top < -1 || bottom > innerHeight + 1;
        }).map((element) => element.textContent)"""
    )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCALES)
def test_the_sentence_and_its_buttons_are_in_view_at_once(rate_here: OpenRater, name: str, size: str) -> None:
    """On a window, a laptop, a phone, and at twice the size; with the instructions open, and after the first answer."""
    width, height = SIZES[size]
    view = {"viewport": {"width": width, "height": height}, **(PHONE if size == "phone" else {})}
    ann = rate_here(TEXTS, SCALES[name], view=view)
    guide = ann.page.locator("#guide")
    assert guide.get_attribute("open") is not None
    assert cut_off(ann) == []
    if name == "slider":
        ann.page.keyboard.press("ArrowRight")
    ann.press({"slider": "Enter"}.get(name, "1"))
    assert len(ann.values) == 1
    assert guide.get_attribute("open") is None
    assert cut_off(ann) == []
    assert ann.page.evaluate("document.documentElement.scrollWidth") == width


def test_instructions_that_are_opened_again_stay_open(rate_here: OpenRater) -> None:
    """Only the first answer folds them, and not those that the rater has unfolded."""
    ann = rate_here(TEXTS)
    guide = ann.page.locator("#guide")
    ann.press("1")
    assert guide.get_attribute("open") is None
    ann.page.keyboard.press("g")
    ann.press("2")
    assert guide.get_attribute("open") is not None
    assert cut_off(ann) == []


def test_keys_rate_no_sentence_that_is_out_of_view(rate_here: OpenRater) -> None:
    """The first brings it back, which is said; the next one rates. Other keys work as ever."""
    ann = rate_here(TEXTS, view={"viewport": {"width": 390, "height": 500}})
    page = ann.page
    for key in ("1", "s", "m"):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.keyboard.press(key)
        eventually(lambda: "not in view" in page.inner_text("#said"))
        assert cut_off(ann) == []
        assert ann.values == [] and page.get_attribute("#sentence-1", "role") is None
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    ann.press("1")
    assert ann.values == [0.0]


def test_keys_change_no_answer_that_is_out_of_view(rate_here: OpenRater) -> None:
    """Nor on the page of answers."""
    ann = rate_here(TEXTS, view={"viewport": {"width": 390, "height": 400}})
    ann.press("1")
    page = ann.page
    page.goto(f"{ann.server.base}/answers")
    page.click("#answers li button")
    assert cut_off(ann) == []
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.keyboard.press("3")
    eventually(lambda: "not in view" in page.inner_text("#said"))
    assert ann.values == [0.0]
    page.keyboard.press("3")
    eventually(lambda: ann.values == [2.0])


def test_a_long_sentence_is_in_view_where_its_box_is(rate_here: OpenRater) -> None:
    """It scrolls in a box of its own, and keys rate it."""
    ann = rate_here([" ".join([text] * 20) for text in TEXTS])
    ann.press("1")
    assert ann.values == [0.0]


def test_a_touch_screen_shows_no_keys(rate_here: OpenRater) -> None:
    """Where nothing hovers there is no keyboard; where there is one, each button says its key."""
    ann = rate_here(TEXTS, view={"viewport": {"width": 390, "height": 800}, **PHONE})
    assert ann.page.locator("kbd:visible, #keys-open:visible, #note-how:visible").count() == 0
    ann.page.tap('.actions [data-action="guide"]')
    assert ann.page.evaluate("document.getElementById('guide').getBoundingClientRect().top < innerHeight")
    ben = rate_here(TEXTS, name="Ben", beside=ann)
    assert ben.page.locator("kbd:visible").count() > 5
    assert ben.page.locator('.actions [data-action="guide"]').is_hidden()


def test_after_a_tap_no_button_looks_chosen(rate_here: OpenRater) -> None:
    """The finger's place hovers on until the next tap; with a mouse, the button under it is shaded."""
    ann = rate_here(TEXTS, view={"viewport": {"width": 390, "height": 800}, **PHONE})
    ann.page.tap(".values button >> nth=2")
    eventually(lambda: ann.values == [2.0])
    shades = "[...document.querySelectorAll('.values button')].map((one) => getComputedStyle(one).backgroundColor)"
    eventually(lambda: len(set(ann.page.evaluate(shades))) == 1)
    ben = rate_here(TEXTS, name="Ben", beside=ann)
    ben.page.hover(".values button >> nth=2")
    eventually(lambda: len(set(ben.page.evaluate(shades))) == 2)


def test_nothing_touches_the_field_for_the_name(rate_here: OpenRater) -> None:
    """Neither its label, nor the button beside it, nor the question below."""
    page = rate_here(TEXTS).page
    page.goto(f"{page.url}rater")
    gaps = page.evaluate(
        """() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          const heading = [...document.querySelectorAll("main > h2")].at(-1).getBoundingClientRect();
          return [box("#name").top - box("label").bottom, heading.top - box("#name").bottom];
        }"""
    )
    assert min(gaps) >= 4

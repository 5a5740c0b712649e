"""Undo in a browser: the sentence is back at once, and the next key applies to it."""

from __future__ import annotations

import pytest

from naturalness.studio.annotate.project import POINTS, SLIDER, Scale
from tests.support.annotation_pages import NATURAL, OpenRater, eventually

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("scale", "key", "other", "values"),
    [(NATURAL, "1", "s", [0.0, None]), (Scale(POINTS, 1.0, 6.0), "2", "5", [2.0, 5.0])],
)
def test_undo_is_followed_by_another_rating(
    rate_here: OpenRater, scale: Scale, key: str, other: str, values: list[float | None]
) -> None:
    """The rating replaces the undone one, whether or not the reply to the undo arrived before the key."""
    ann = rate_here(scale=scale)
    texts = []
    for _ in range(3):
        texts.append(ann.text)
        ann.press(key)
    last, after = texts[-1], ann.text
    for slow in (False, True):
        ann.page.evaluate(SLOWLY if slow else "window.gate = null")
        ann.page.keyboard.press("u")
        ann.page.keyboard.press(other)
        ann.page.evaluate("window.gate?.()")
        ann.wait_until_free()
        assert (ann.text, ann.values) == (after, [values[0], values[0], values[1]])
        ann.press("u")
        assert ann.text == last
        ann.press(key)
        assert (ann.text, ann.values) == (after, [values[0]] * 3)


SLOWLY = """() => {
  const fetch = window.fetch;
  const open = new Promise((go) => { window.gate = go; });
  window.fetch = async (...all) => {
    window.fetch = fetch;
    await open;
    return fetch(...all);
  };
}"""
"""Script that delays the next request until `gate` is called."""


def test_two_undos_are_followed_by_a_rating(rate_here: OpenRater) -> None:
    """The second undo goes one answer further back, and the rating applies to that sentence."""
    ann = rate_here()
    for key in "123":
        ann.press(key)
    for key in "uu3":
        ann.page.keyboard.press(key)
    ann.wait_until_free()
    assert ann.values == [0.0, 2.0]
    ann.press("1")
    assert ann.values == [0.0, 2.0, 0.0]


def test_undo_while_the_rating_is_sent(rate_here: OpenRater) -> None:
    """The rater need not wait; but a sentence cannot be rated before it is shown."""
    ann = rate_here()
    text = ann.text
    for keys, values in (("1u", []), ("13", [0.0])):
        ann.page.evaluate(SLOWLY)
        for key in keys:
            ann.page.keyboard.press(key)
        ann.page.evaluate("window.gate()")
        ann.wait_until_free()
        assert (ann.values, ann.text == text) == (values, not values)


def test_undo_restores_the_whole_answer(rate_here: OpenRater) -> None:
    """Value, note, cause and marks; unsent text survives a reload."""
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
    """Before the first answer, there is nothing to undo; after the last one, it can be undone."""
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
    """It moves from there, even if keys are pressed before the reply."""
    ann = rate_here(scale=Scale(SLIDER, 0.0, 100.0))
    for key in ("ArrowRight", "ArrowRight"):
        ann.page.keyboard.press(key)
    ann.press("Enter")
    ann.page.evaluate(SLOWLY)
    for key in ("u", "ArrowLeft", "Enter"):
        ann.page.keyboard.press(key)
    ann.page.evaluate("window.gate()")
    ann.wait_until_free()
    assert ann.values == [55.0]


def test_undo_in_another_window(rate_here: OpenRater) -> None:
    """A window that lags behind shows the current question, and undoes nothing twice."""
    ann = rate_here()
    two = rate_here(beside=ann)
    first = ann.text
    ann.press("1")
    second = ann.text
    eventually(lambda: two.text == second)
    ann.press("2")
    ann.press("u")
    assert ann.text == second
    eventually(lambda: two.text == second)
    two.press("u")
    assert two.text == first
    assert ann.values == []
    ann.page.keyboard.press("u")
    ann.page.wait_for_timeout(300)
    eventually(lambda: ann.text == first)
    ann.press("3")
    assert ann.values == [2.0]

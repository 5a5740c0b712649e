"""Scales and keys as people see them."""

from __future__ import annotations

from typing import Any

import pytest

from naturalness.studio.annotate.pages.scales import bound_keys, checked_keys, key_actions, said, steps_of, usual_keys
from naturalness.studio.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Scale
from tests.support.annotation_pages import NATURAL

SIX = Scale(POINTS, 1.0, 6.0)
SLIDE = Scale(SLIDER, 0.0, 100.0)
TWO = Scale(PAIRS, -1.0, 1.0)
MANY = Scale(POINTS, 0.0, 12.0)


@pytest.mark.parametrize(
    ("scale", "value", "words"),
    [
        (NATURAL, 0.0, "unnatural"),
        (NATURAL, 2.0, "natural"),
        (SIX, 4.0, "4 of 6"),
        (SLIDE, 62.0, "62 of 100"),
        (TWO, 1.0, "the first sounds better"),
        (TWO, -1.0, "the second sounds better"),
        (TWO, 0.0, "both sound the same"),
        (NATURAL, None, "skipped"),
    ],
)
def test_values_in_words(scale: Scale, value: float | None, words: str) -> None:
    """As the page says them."""
    assert said(scale, value) == words


def test_steps_have_their_ends_told() -> None:
    """A screen reader hears what a number means; the first of a pair stands on the left."""
    assert [step.title for step in steps_of(SIX).steps] == list("123456")
    assert steps_of(SIX, ("least natural", "most natural")).steps[0].spoken == "1, least natural"
    assert steps_of(SIX).steps[5].spoken == "6, best"
    assert [step.value for step in steps_of(TWO).steps] == [1.0, 0.0, -1.0]
    assert steps_of(SLIDE).steps == ()


@pytest.mark.parametrize("scale", [NATURAL, SIX, SLIDE, TWO, MANY])
def test_usual_keys_are_valid(scale: Scale) -> None:
    """Each action has a title, and no key stands twice."""
    keys = usual_keys(scale)
    assert checked_keys(scale, keys) == keys
    assert list(key_actions(scale)) == list(keys)


def test_points_have_their_own_digit() -> None:
    """4 is rated by 4; the tenth point by 0, and more than ten have no key."""
    assert usual_keys(SIX)["value:4"] == "4"
    assert [usual_keys(MANY)[f"value:{n}"] for n in (0, 9, 10, 12)] == ["0", "9", "", ""]
    assert usual_keys(NATURAL)["value:0"] == "1"
    assert "mark" not in usual_keys(TWO)
    ten = Scale(LABELS, 0.0, 9.0, tuple("abcdefghij"))
    assert usual_keys(ten)["value:9"] == "0"


@pytest.mark.parametrize(
    "change", [{"skip": "u"}, {"skip": "Tab"}, {"skip": "Escape"}, {"skip": 5}, {"skip": "x" * 17}, {"other": "x"}]
)
def test_keys_that_cannot_be(change: dict[str, Any]) -> None:
    """Twice the same, those that browsers need, no keys at all; kept ones give way to the usual."""
    wrong = {**usual_keys(NATURAL), **change}
    with pytest.raises(ValueError):
        checked_keys(NATURAL, wrong)
    assert bound_keys(NATURAL, wrong) == usual_keys(NATURAL)


def test_keys_chosen_before_there_was_an_action() -> None:
    """The new action has its default key, unless that is another's by now; all others stay as chosen."""
    before = {**usual_keys(NATURAL), "skip": "j"}
    assert bound_keys(NATURAL, before, context=True) == {**before, "context": "x"}
    taken = {**usual_keys(NATURAL), "skip": "x"}
    assert bound_keys(NATURAL, taken, context=True) == {**taken, "context": ""}
    assert "context" not in bound_keys(NATURAL, {**taken, "context": "j"})


@pytest.mark.parametrize("keys", [None, [], "skip", {}])
def test_what_is_no_table_of_keys(keys: Any) -> None:
    """It is refused."""
    with pytest.raises(ValueError):
        checked_keys(NATURAL, keys)

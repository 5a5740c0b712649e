"""Scales and keys as people see them."""

from __future__ import annotations

from typing import Any

import pytest

from naturalness.studio.annotate.pages.scales import bound_keys, checked_keys, said, steps_of, usual_keys
from naturalness.studio.annotate.project import LABELS, POINTS, Scale
from tests.support.annotation_pages import NATURAL, SCALES

SIX, SLIDE, TWO = SCALES["points"], SCALES["slider"], SCALES["pairs"]
MANY = Scale(POINTS, 0.0, 12.0)


@pytest.mark.parametrize(
    ("scale", "value", "words"),
    [
        (NATURAL, 0.0, "unnatural"),
        (SIX, 4.0, "4 of 6"),
        (SLIDE, 62.0, "62 of 100"),
        (TWO, 1.0, "the first sounds better"),
        (TWO, -1.0, "the second sounds better"),
        (TWO, 0.0, "both sound the same"),
        (NATURAL, None, "skipped"),
    ],
)
def test_values_in_words(scale: Scale, value: float | None, words: str) -> None:
    """A value is shown in the words of its scale."""
    assert said(scale, value) == words


def test_screen_readers_hear_the_ends_of_a_scale() -> None:
    """The ends are named by the guidelines; the first text of a pair has the first button."""
    assert [step.title for step in steps_of(SIX)] == list("123456")
    assert steps_of(SIX, ("least natural", "most natural"))[0].spoken == "1, least natural"
    assert steps_of(SIX)[5].spoken == "6, best"
    assert [step.value for step in steps_of(TWO)] == [1.0, 0.0, -1.0]
    assert steps_of(SLIDE) == ()


@pytest.mark.parametrize("scale", [*SCALES.values(), MANY])
def test_default_keys_are_valid(scale: Scale) -> None:
    """No key stands for two actions."""
    assert checked_keys(scale, usual_keys(scale)) == usual_keys(scale)


def test_each_point_has_its_own_digit() -> None:
    """The tenth point has 0, and further ones have no key."""
    assert usual_keys(SIX)["value:4"] == "4"
    assert [usual_keys(MANY)[f"value:{n}"] for n in (0, 9, 10, 12)] == ["0", "9", "", ""]
    assert usual_keys(NATURAL)["value:0"] == "1"
    assert "mark" not in usual_keys(TWO)
    assert usual_keys(Scale(LABELS, 0.0, 9.0, tuple("abcdefghij")))["value:9"] == "0"


@pytest.mark.parametrize(
    "change", [{"skip": "u"}, {"skip": "Tab"}, {"skip": 5}, {"skip": "x" * 17}, {"other": "x"}, None]
)
def test_invalid_keys_are_refused(change: dict[str, Any] | None) -> None:
    """Stored keys that are invalid are replaced by the default ones."""
    wrong: Any = None if change is None else {**usual_keys(NATURAL), **change}
    with pytest.raises(ValueError):
        checked_keys(NATURAL, wrong)
    if change:
        assert bound_keys(NATURAL, {**usual_keys(NATURAL), **change}) == usual_keys(NATURAL)


def test_new_action_gets_its_default_key() -> None:
    """If the rater uses that key for another action, the new action has none."""
    before = {**usual_keys(NATURAL), "skip": "j"}
    assert bound_keys(NATURAL, before, context=True) == {**before, "context": "x"}
    taken = {**usual_keys(NATURAL), "skip": "x"}
    assert bound_keys(NATURAL, taken, context=True) == {**taken, "context": ""}
    assert "context" not in bound_keys(NATURAL, {**taken, "context": "j"})

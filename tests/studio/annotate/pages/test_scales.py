"""Buttons, names of values, and keys of each scale."""

from __future__ import annotations

import pytest

from naturalness.studio.annotate.pages.scales import keys_of, said, steps_of
from naturalness.studio.annotate.project import LABELS, POINTS, Scale
from tests.support.annotation_pages import NATURAL, SCALES

SIX, SLIDE = SCALES["points"], SCALES["slider"]
MANY = Scale(POINTS, 0.0, 12.0)


@pytest.mark.parametrize(
    ("scale", "value", "words"),
    [(NATURAL, 0.0, "unnatural"), (SIX, 4.0, "4 of 6"), (SLIDE, 62.0, "62 of 100"), (NATURAL, None, "skipped")],
)
def test_values_in_words(scale: Scale, value: float | None, words: str) -> None:
    """A value is shown in the words of its scale."""
    assert said(scale, value) == words


def test_screen_readers_hear_the_ends_of_a_scale() -> None:
    """The first and the last button are read out with the ends named in the guidelines."""
    assert [step.title for step in steps_of(SIX)] == list("123456")
    assert steps_of(SIX, ("least natural", "most natural"))[0].spoken == "1, least natural"
    assert steps_of(SIX)[5].spoken == "6, best"
    assert steps_of(SLIDE) == ()


@pytest.mark.parametrize("scale", [*SCALES.values(), MANY])
def test_each_key_has_one_action(scale: Scale) -> None:
    """The tenth value has the key 0, and further values have no key."""
    keys = keys_of(scale)
    assert len(set(keys.values())) == len(keys)
    assert keys_of(SIX)["value:4"] == "4" and keys_of(NATURAL)["value:0"] == "1"
    assert [keys_of(MANY).get(f"value:{n}") for n in (0, 9, 10, 12)] == ["0", "9", None, None]
    assert keys_of(Scale(LABELS, 0.0, 9.0, tuple("abcdefghij")))["value:9"] == "0"

"""The group `voice`: values by hand, and short texts."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.features import EVERY
from naturalness.models.voice import voice
from naturalness.text.parsing import tokenise

TEXT = (
    "The plan needs patience, skill, and luck. It’s not a race, it’s a walk — and a long one. We walk. "
    "The bridge stands as a link."
)
BY_HAND = {
    "not_just": 0.0,
    "not_x_it_is_y": 100 / 26,
    "three": 100 / 26,
    "serves_as": 100 / 26,
    "dashes": 100 / 26,
    "evenness": float(np.std([10, 14, 3, 7]) / 8.5),
}
"""26 words; the sentences have 10, 14, 3 and 7 tokens."""


def test_values_by_hand() -> None:
    """Constructions and evenness are those worked out by hand, and score and sums those of the voice table."""
    group = EVERY["voice"]
    values = dict(zip((each.name for each in group.features), group.extract(list(tokenise([TEXT])))[0], strict=True))
    assert {name: values[name] for name in BY_HAND} == pytest.approx(BY_HAND)
    sums = voice().sums(TEXT)
    assert values["words"] == pytest.approx(sums.values["words"])
    assert values["phrases"] == pytest.approx(sums.values["phrases"])
    assert values["score"] == pytest.approx(voice().score(TEXT))


def test_short_texts_are_undefined() -> None:
    """Texts of fewer than ten words are undefined, and so is the evenness of fewer than three sentences."""
    rows = EVERY["voice"].extract(
        list(tokenise(["", "Too short to say.", "These are ten plain words, written down in one line."]))
    )
    assert np.isnan(rows[:2]).all()
    assert np.isnan(rows[2, -1])
    assert not np.isnan(rows[2, :-1]).any()

"""The directions of a detector's vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import EVERY, impression
from naturalness.features.base import OPAQUE
from naturalness.models.detector import DIRECTIONS, NOTHING, POOLINGS, Detected, Detector, Part, open_network
from naturalness.text.parsing import parse
from tests.support.tiny_detector import WIDTH, write_tiny

STATES = np.arange(2 * WIDTH, dtype=np.float32).reshape(2, WIDTH)


def chosen(docs: Sequence[Doc], judge: Detector) -> list[Detected]:
    """Chosen vectors for every text with words."""
    said = Detected((Part(0, 1, 3.0),), (0,), np.zeros((1, 2)), STATES)
    return [said if doc.text else NOTHING for doc in docs]


def test_values_are_those_worked_out_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of what is beyond the mean; nothing is made up for a text without words."""
    judge = Detector("tiny", open_network(write_tiny(tmp_path)))
    monkeypatch.setattr(impression, "detect", chosen)
    monkeypatch.setattr(impression, "detector", lambda name: judge)
    table = EVERY["impression"].extract(parse(["One.", ""]))
    assert judge.network.directions is not None
    assert table.shape == (2, len(POOLINGS) * DIRECTIONS)
    for pooling, states in enumerate(STATES):
        mean, first, *_ = judge.network.directions[pooling].astype(float)
        along = sum((states[i] - mean[i]) * first[i] for i in range(WIDTH))
        assert table[0, pooling * DIRECTIONS] == pytest.approx(along)
    assert np.isnan(table[1]).all()


def test_no_direction_claims_to_mean_anything() -> None:
    """Explanations never name one."""
    assert {feature.direction for feature in EVERY["impression"].features} == {OPAQUE}


def test_sentences_weigh_by_their_words_or_each_the_same() -> None:
    """The vector of two texts in one is between theirs: in the mean over words, and in that of the largest."""
    short, long, both = EVERY["impression_fast"].extract(
        parse(["Go on.", "The old men sat by the door.", "Go on. The old men sat by the door."])
    )
    mean, largest = slice(DIRECTIONS), slice(DIRECTIONS, None)
    assert both[mean] == pytest.approx(((3 * short + 8 * long) / 11)[mean], abs=1e-3)
    assert both[largest] == pytest.approx(((short + long) / 2)[largest], abs=1e-3)

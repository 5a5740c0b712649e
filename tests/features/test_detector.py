"""The detectors' groups damage, impression and rating, with values calculated by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import EVERY
from naturalness.features import detector as module
from naturalness.features.base import OPAQUE
from naturalness.models.detector import (
    DIRECTIONS,
    KINDS,
    NOTHING,
    POOLINGS,
    RATED_PIECES,
    Detected,
    Detector,
    Part,
    detector,
    open_network,
    rate,
    readings_of,
)
from naturalness.text.parsing import parse, tokenise
from tests.support.tiny_detector import WIDTH, write_tiny

# Two sentences of a word each: one sound by 0.75 and else an article, the other out of order by
# 0.8 and else sound.
PROBABILITIES = np.zeros((2, len(KINDS)))
PROBABILITIES[0, [0, KINDS.index("article")]] = 0.75, 0.25
PROBABILITIES[1, [0, KINDS.index("order")]] = 0.2, 0.8
SOUND, ODDS = math.log(0.75) + math.log(0.2), math.log(1 / 3) + math.log(4)
VALUES = {
    "damage": {
        "soundness": 1,
        "least_soundness": -1,
        "sound_sum": SOUND,
        "sound_mean": SOUND / 2,
        "odds_sum": ODDS,
        "odds_mean": ODDS / 2,
        "odds_most": math.log(4),
        "expected": 1.05,
        "doubtful_share": 0.5,
        **{f"{kind}_share": 0.0 for kind in KINDS[1:]},
        "article_share": 0.125,
        "order_share": 0.4,
    }
}
"""Read by tests/features/test_values.py, which checks that every feature has a value calculated by hand."""


def chosen(docs: Sequence[Doc], judge: Detector) -> list[Detected]:
    """Return the chosen probabilities for every text with words."""
    with np.errstate(divide="ignore"):
        logs = np.log(PROBABILITIES)
    said = Detected((Part(0, 1, 3.0), Part(1, 2, -1.0)), (0, 1), logs, np.zeros((2, 3), np.float32))
    return [said if doc.text else NOTHING for doc in docs]


@pytest.mark.parametrize("name", ["damage", "damage_fast"])
def test_damage_by_hand(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are those worked out by hand; a text without words is undefined."""
    monkeypatch.setattr(module, "detect", chosen)
    group = EVERY[name]
    table = group.extract(parse(["One. Two.", ""]))
    names = [feature.name for feature in group.features]
    assert dict(zip(names, table[0], strict=True)) == pytest.approx(VALUES["damage"])
    assert np.isnan(table[1]).all()


@pytest.mark.parametrize("name", ["damage", "damage_fast"])
def test_damage_is_detected(name: str) -> None:
    """Both shipped detectors rank the original higher and name the damaged word."""
    good, bad = EVERY[name].extract(
        parse(["She puts the letter on the table.", "She put letter the on the the table."])
    )
    column = {feature.name: i for i, feature in enumerate(EVERY[name].features)}
    assert good[column["soundness"]] > bad[column["soundness"]]
    assert good[column["doubtful_share"]] == 0 < bad[column["doubtful_share"]]
    assert bad[column["repeated_share"]] > good[column["repeated_share"]]


STATES = np.arange(2 * WIDTH, dtype=np.float32).reshape(2, WIDTH)


def test_directions_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are products of deviations from the mean; a text without words is undefined."""
    judge = Detector("tiny", open_network(write_tiny(tmp_path)))
    read = Detected((Part(0, 1, 3.0),), (0,), np.zeros((1, 2)), STATES)
    monkeypatch.setattr(module, "detect", lambda docs, judge: [read if doc.text else NOTHING for doc in docs])
    monkeypatch.setattr(module, "detector", lambda name: judge)
    table = EVERY["impression"].extract(parse(["One.", ""]))
    assert judge.network.directions is not None
    assert table.shape == (2, len(POOLINGS) * DIRECTIONS)
    for pooling, states in enumerate(STATES):
        mean, first, *_ = judge.network.directions[pooling].astype(float)
        along = sum((states[i] - mean[i]) * first[i] for i in range(WIDTH))
        assert table[0, pooling * DIRECTIONS] == pytest.approx(along)
    assert np.isnan(table[1]).all()


def test_directions_have_no_meaning() -> None:
    """A direction's value has no meaning that explanations could name."""
    assert {feature.direction for feature in EVERY["impression"].features} == {OPAQUE}


SENTENCE = "The old men sat by the door and talked about the sea until it was dark."
GROUPS = ("rating", "rating_fast")


def test_a_long_text_is_rated_in_parts() -> None:
    """The rating of a long text is the mean over its parts, weighted by words."""
    text = " ".join([SENTENCE] * 20)
    (doc,) = tokenise([text])
    rating = rate([doc])[0]
    parts = readings_of(doc, detector())
    assert len(parts) == 2  # several of the one, which repeats, and the rest
    assert all(sum(map(len, words)) <= RATED_PIECES - 2 for words in parts)
    assert min(part.rating for part in parts.values()) <= rating <= max(part.rating for part in parts.values())

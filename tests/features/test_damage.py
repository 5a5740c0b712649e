"""The group of the detector: what it makes of chosen probabilities, worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import EVERY, damage
from naturalness.models.detector import KINDS, NOTHING, Detected, Detector, Part
from naturalness.text.parsing import parse

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


VALUES["damage_fast"] = VALUES["damage_large"] = VALUES["damage"]
"""For tests/features/test_values.py, which asks whether every feature has a value somewhere."""


def chosen(docs: Sequence[Doc], judge: Detector) -> list[Detected]:
    """The chosen probabilities for every text with words."""
    with np.errstate(divide="ignore"):
        logs = np.log(PROBABILITIES)
    said = Detected((Part(0, 1, 3.0), Part(1, 2, -1.0)), (0, 1), logs, np.zeros((2, 3), np.float32))
    return [said if doc.text else NOTHING for doc in docs]


@pytest.mark.parametrize("name", ["damage", "damage_fast"])
def test_values_are_those_worked_out_by_hand(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is made up for a text without words."""
    monkeypatch.setattr(damage, "detect", chosen)
    group = EVERY[name]
    table = group.extract(parse(["One. Two.", ""]))
    names = [feature.name for feature in group.features]
    assert dict(zip(names, table[0], strict=True)) == pytest.approx(VALUES[name])
    assert np.isnan(table[1]).all()


@pytest.mark.parametrize("name", ["damage", "damage_fast"])
def test_a_damaged_sentence_is_told_from_its_original(name: str) -> None:
    """By both shipped detectors, which name the word."""
    good, bad = EVERY[name].extract(
        parse(["She puts the letter on the table.", "She put letter the on the the table."])
    )
    column = {feature.name: i for i, feature in enumerate(EVERY[name].features)}
    assert good[column["soundness"]] > bad[column["soundness"]]
    assert good[column["doubtful_share"]] == 0 < bad[column["doubtful_share"]]
    assert bad[column["repeated_share"]] > good[column["repeated_share"]]


def test_what_is_no_sentence_is_not_read() -> None:
    """With the reason."""
    docs = parse(["so it goes " * 400, "It rained.", ""])
    group = EVERY["damage"]
    assert np.isnan(group.extract(docs)).all(axis=1).tolist() == [True, False, True]
    assert group.gaps(docs) == ["a sentence of more than 1024 word pieces", "", ""]  # type: ignore[attr-defined]

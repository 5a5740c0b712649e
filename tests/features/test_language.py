"""The language models' groups on chosen probabilities, with values calculated by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import GROUPS
from naturalness.features.language import LikelihoodFeatures, TagFeatures
from naturalness.models.language.base import LanguageModel, TokenScores
from tests.support.documents import DOCUMENTS, Build

LN10 = math.log(10.0)


@dataclass(frozen=True)
class Chosen:
    """A model that returns the same scores, powers of ten, for every Doc; the last unit is the sentence end."""

    powers: Sequence[int]
    unigrams: Sequence[int]
    name: str = "chosen"
    signature: str = "chosen"
    order: int = 6

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the chosen scores for every Doc."""
        n = len(self.powers)
        scores = TokenScores(
            units=[*"abc"[: n - 1], "</s>"],
            tokens=np.array([*range(n - 1), -1]),
            logprobs=np.array(self.powers) * LN10,
            unigrams=np.array(self.unigrams) * LN10,
            lengths=np.array([1, 2, 3, 6][:n]),
            unknown=np.array([False, True, False, False][:n]),
        )
        return [scores for _ in docs]


LIKELY = Chosen([-1, -3, -1, -1], [-2, -2, -1, -2])
TAGS = {
    2: Chosen([-2, -1, -1, -1], [-2, -2, -1, -2]),
    3: Chosen([-1, -1, -1, -1], [-2, -2, -1, -2]),
    5: Chosen([-1, -2, 0, 0], [-2, -2, -1, -2]),
}

# Powers of ten -1 -3 -1 -1 sum to -6, their unigrams to -7; four units, the end among them. Gains
# over the unigrams without the end: 1, -1, 0. Mean power -1.5: variance (3 * 0.25 + 2.25) / 4.
LIKELIHOOD = {
    "score": -6,
    "perplexity": 10**1.5,
    "nce": -1.5 * LN10,
    "slor": 0.25 * LN10,
    "lowest": -3 * LN10,
    "lowest_three": -5 / 3 * LN10,
    "lowest_gain": -LN10,
    "lowest_three_gain": 0,
    "variance": 0.75 * LN10**2,
    "end": -LN10,
    "unknown_share": 1 / 3,
    "hits_1": 0.25,
    "hits_2": 0.25,
    "hits_3": 0.25,
    "hits_4": 0,
    "hits_5": 0.25,
}
VALUES = {
    "word_lm": LIKELIHOOD,
    "piece_lm": LIKELIHOOD,
    "tag_lm": {
        "score_1": -7,
        "score_2": -5,
        "score_3": -4,
        "score_5": -3,
        "nce_1": -7 / 4 * LN10,
        "nce_2": -5 / 4 * LN10,
        "nce_3": -LN10,
        "nce_5": -3 / 4 * LN10,
        "slor_2": 0.5 * LN10,
        "slor_3": 0.75 * LN10,
        "slor_5": LN10,
        "lowest_three": -LN10,
    },
}


def tag_model(order: int) -> LanguageModel:
    """Return the chosen model of an order."""
    return TAGS[order]


@pytest.mark.parametrize("group", VALUES)
def test_values_by_hand(group: str, build: Build) -> None:
    """Each feature has the value in the table."""
    feature_group = (
        TagFeatures(group, tag_model, ())
        if group == "tag_lm"
        else LikelihoodFeatures(group, "word", lambda: LIKELY, ())
    )
    row = feature_group.extract([build(DOCUMENTS["dog"])])[0]
    values = dict(zip([f.name for f in GROUPS[group].features], row, strict=True))
    assert values == pytest.approx(VALUES[group])

"""The group of the neural language model on chosen probabilities, with values calculated by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import GROUPS, neural
from naturalness.models.language.base import TokenScores
from naturalness.models.language.neural.model import Foretold
from naturalness.text.parsing import parse

EMPTY = TokenScores([], *(np.empty(0),) * 5)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Chosen:
    """A model with three words and an end for every text with words."""

    def foretell(self, docs: Sequence[Doc]) -> list[Foretold]:
        """Return surprisals 1, 5, 2, 4; the network adds 0, 1, 0, 0, and n-grams add 2, 0, 1, 1."""
        mixed = np.array([-1.0, -5.0, -2.0, -4.0])
        scores = TokenScores(
            ["a", "b", "c", "</s>"],
            np.array([0, 1, 2, -1]),
            mixed,
            np.full(4, -4.0),
            np.ones(4, np.int64),
            np.zeros(4, np.bool_),
        )
        counted = scores._replace(logprobs=mixed - np.array([2.0, 0.0, 1.0, 1.0]))
        alone = mixed - np.array([0.0, 1.0, 0.0, 0.0])
        said = Foretold(scores, counted, alone, np.array([1.0, 2.0, 3.0, 4.0]))
        nothing = Foretold(EMPTY, EMPTY, np.empty(0), np.empty(0))
        return [said if doc.text else nothing for doc in docs]


CHANCES = -np.log1p(np.exp([-3.0, 1.0, -2.0, 0.0]))
"""ln(p / (p + u)) = -ln(1 + u / p), with ln u = -4 everywhere."""
VALUES = {
    "neural_lm": {
        "belonging": CHANCES.mean(),
        "belonging_total": CHANCES.sum(),
        "total": 12,
        "mean": 3,
        "slor": 1,
        "most": 5,
        "most_three": 8 / 3,
        "most_place": 1 / 3,
        "variance": 2.5,
        "end": 4,
        "entropy": 2.5,
        "excess": (13 - 10) / 4,
        "over_counting": 3 / 4,
        "least_over_counting": -1,
    }
}
"""Read by tests/features/test_values.py, which checks that every feature has a value calculated by hand."""


def test_values_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are those calculated by hand; a text without words is undefined."""
    monkeypatch.setattr(neural.shipped, "neural", Chosen)
    group = GROUPS["neural_lm"]
    table = group.extract(parse(["One two three", ""]))
    names = [feature.name for feature in group.features]
    assert dict(zip(names, table[0], strict=True)) == pytest.approx(VALUES["neural_lm"])
    assert np.isnan(table[1]).all()

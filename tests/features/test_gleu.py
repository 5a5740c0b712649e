"""The GLEU group: normalised parts and the distance from a given hyperplane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.features import GROUPS
from naturalness.features import gleu as group_of_gleu
from naturalness.metrics import gleu
from naturalness.metrics.gleu import FittedGleu, Hyperplane
from naturalness.text.parsing import parse

PARTS = ("fragments", "parse", "structure")
CHOSEN = FittedGleu(
    0.5, -20.0, {}, {"three": Hyperplane(PARTS, (0.5, 0.5, 0.0), (0.25, 0.25, 0.5), (-2.0, 1.0, 2.0), 1.5)}
)
# Measured 0.25, -5, 0.25: normalised 0.5, 0.75, 0.25; standard 0, 1, 0.5; 1.5 + 1 + 1 over 3.
VALUES = {"gleu": {"fragments": 0.5, "parse": 0.75, "structure": 0.25, "score": 3.5 / 3}}
"""Read by tests/features/test_values.py, which checks that every feature has a value calculated by hand."""


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return the same parts for every text, and a plane with small numbers."""
    monkeypatch.setattr(group_of_gleu, "fitted", lambda: CHOSEN)
    rows = np.array([[0.25, -5.0, 0.25]])
    monkeypatch.setattr(gleu, "measure_parts", lambda docs, names, parts: np.repeat(rows, len(docs), axis=0))


@pytest.mark.usefixtures("chosen")
def test_values_by_hand() -> None:
    """Parts and score are those worked out by hand."""
    group = GROUPS["gleu"]
    names = [feature.name for feature in group.features]
    table = group.extract(parse(["One.", "Two."]))
    assert table.shape == (2, 4)
    assert dict(zip(names, table[1], strict=True)) == pytest.approx(VALUES["gleu"])


def test_a_text_that_cannot_be_parsed_has_a_gap() -> None:
    """A text that cannot be parsed has NaN, with the reason that constituency gives."""
    group = GROUPS["gleu"]
    docs = parse(["word " * 300, "A dog barked."])
    table = group.extract(docs)
    assert math.isnan(table[0, -1]) and not np.isnan(table[1]).any()
    long, short = group.gaps(docs)  # type: ignore[attr-defined]
    assert "tokens" in long and short == ""

"""The group of GRUEN's sub-scores, on chosen parts and on texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import APART, gruen
from naturalness.metrics import METRICS
from naturalness.metrics.gruen.parts import NOTHING, GruenParts
from naturalness.text.parsing import parse

GROUP = APART["gruen"]
NAMES = [feature.name for feature in GROUP.features]
TEXT = "She saw the the gate. It was open."


def test_values_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """For sentences of .7 and .3, half the minimum plus half the mean is .4; the score is .4 - .2 - .1 - .05."""

    def chosen(docs: Sequence[Doc], judges: object) -> list[GruenParts]:
        some = GruenParts((0.6, 0.4), (0.8, 0.2), repeated=2, unrelated=1, disorder=0.5)
        return [some if doc.text else NOTHING for doc in docs]

    monkeypatch.setattr(gruen, "gruen_parts", chosen)
    table = GROUP.extract(parse([TEXT, ""]))
    assert dict(zip(NAMES, table[0], strict=True)) == pytest.approx(
        {
            "score": 0.05,
            "likelihood": 0.5,
            "least_likelihood": 0.4,
            "acceptability": 0.5,
            "least_acceptability": 0.2,
            "repeated": 2,
            "unrelated": 1,
            "disorder": 0.5,
        }
    )
    assert np.isnan(table[1]).all()


def test_the_score_is_that_of_the_metric() -> None:
    """The score equals the metric's, and a single sentence has no disorder."""
    docs = parse(["The gate was open.", TEXT])
    table = GROUP.extract(docs)
    assert [math.isnan(row[NAMES.index("disorder")]) for row in table] == [True, False]
    assert np.isnan(table).sum() == 1
    np.testing.assert_array_equal(table[:, 0], METRICS["gruen-fast"].score(docs))

"""Metrics based on transport between clouds of vectors."""

from __future__ import annotations

import math

import pytest

from naturalness.text.parsing import parse
from naturalness_replication.metrics import METRICS


@pytest.mark.parametrize("name", ["wmd", "smd", "s+wmd", "vecsim"])
def test_texts_are_ranked_by_content(name: str) -> None:
    """An identical text scores 1, a paraphrase scores higher than an unrelated text, and the best reference counts."""
    texts = [
        "The doctor cured the sick child.",
        "A physician healed the ill girl.",
        "Midfielders rarely score from corner kicks.",
        "...",
    ]
    references = [[texts[0]]] * 4
    same, like, unlike, none = METRICS[name].score(parse(texts), references)
    assert same == pytest.approx(1, abs=1e-6)
    assert 1 > like > unlike
    assert math.isnan(none)
    (best,) = METRICS[name].score(parse(texts[:1]), [[texts[2], texts[0]]])
    assert best == pytest.approx(1, abs=1e-6)
    (wordless,) = METRICS[name].score(parse(texts[:1]), [["?!"]])
    assert math.isnan(wordless)

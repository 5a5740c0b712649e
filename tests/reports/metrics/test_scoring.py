"""GRUEN with constants fitted to ratings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.errors import TrainingError
from naturalness.metrics.gruen import GruenMetric
from naturalness.metrics.gruen.parts import NOTHING, Constants, Parts
from naturalness.reports.metrics.compare import compare
from naturalness.reports.metrics.result import Settings
from naturalness.reports.metrics.scoring import score_tuned, scores_by_constants
from tests.support.fake_metrics import GOOD, rated

DOCS, RATINGS, _ = rated()


@dataclass(frozen=True)
class Known(GruenMetric):
    """Parts by the number of a text: acceptability tells nothing, likelihood the rating."""

    name: str = "gruen-fast"

    @property
    def signature(self) -> str:
        return "gruen-fast|known|v:0"

    def parts(self, docs: list[Doc]) -> list[Parts]:  # type: ignore[override]
        """Likelihood rises with the ratings, acceptability falls, violations are noise."""
        of = {id(doc): rating for doc, rating in zip(DOCS, RATINGS, strict=True)}
        offsets = {rating: i / 100 for i, rating in enumerate(sorted(set(RATINGS)))}
        parts = []
        for i, doc in enumerate(docs):
            good = offsets[of[id(doc)]]
            parts.append(Parts((0.2 + good,), (0.9 - good,), i % 3, i % 2, math.nan))
        return [*parts[:-1], NOTHING]


def test_the_best_constants_are_found() -> None:
    """Nothing of acceptability, nothing off for violations; one sentence leaves the rest alone."""
    tuned_metric = score_tuned(Known(), DOCS, np.array(RATINGS), np.arange(len(DOCS)), 0)
    assert tuned_metric.name == "gruen-fast-tuned" and tuned_metric.learned
    assert "acceptability 0, least 0.5, violation 0, nat 0.1" in tuned_metric.note
    assert "10 folds" in tuned_metric.note and math.isnan(tuned_metric.scores[-1])
    assert np.isfinite(tuned_metric.scores[:-1]).all()


def test_every_choice_by_hand() -> None:
    """Half and half: (.6 + .2) / 2 less .05 for each of three violations, .2 for a nat."""
    parts = [Parts((0.6,), (0.2,), 2, 1, 0.5), Parts((0.9,), (0.9,), 0, 0, math.nan)]
    table = scores_by_constants(parts, "gruen")
    assert table[Constants(0.5, 0.5, 0.05, 0.2)] == pytest.approx([0.4 - 0.15 - 0.1, 0.9])
    only_focus = scores_by_constants(parts, "gruen-gu")
    assert only_focus[Constants(0.5, 0.5, 0.05, 0.1)] == pytest.approx([0.4 - 0.05, 0.9])


def test_few_sources_teach_nothing() -> None:
    """And the note says so."""
    tuned_metric = score_tuned(Known(), DOCS, np.array(RATINGS), np.zeros(len(DOCS), int), 0)
    assert np.isnan(tuned_metric.scores).all() and "too few" in tuned_metric.note


def test_compare_judges_it_beside_the_plain_one() -> None:
    """Only where GRUEN is among the metrics."""
    how = Settings(resamples=100, tune=True)
    result = compare(DOCS, RATINGS, [Known(), GOOD], settings=how)
    assert [entry.name for entry in result.metrics] == ["gruen-fast", "good", "gruen-fast-tuned"]
    plain, tuned = (result.row(name).figures.spearman.value for name in ("gruen-fast", "gruen-fast-tuned"))
    assert tuned > plain + 0.2
    with pytest.raises(TrainingError, match="--tune fits GRUEN: name one of gruen-g"):
        compare(DOCS, RATINGS, [GOOD], settings=how)

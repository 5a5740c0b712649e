"""The model of prose: voice and a regression within sources, weighted equally."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.files.resources import load_manifest
from naturalness.judging.model import PROSE_MODEL, SHIPPED, model_folder
from naturalness.models.learners.differences import pair_accuracy
from naturalness.pipelines.card import short
from naturalness.pipelines.evaluation import pairs_within_sources
from naturalness.pipelines.learning import Rated
from naturalness.statistics.logistic import sigmoid
from training.prose.learning import calibrated, figures, out_of_fold


@pytest.fixture(scope="module")
def data() -> Rated:
    """Return sixty drafts and edits, of which voice and one direction identify the better one."""
    rng = np.random.default_rng(0)
    n = 120
    better, source = np.tile([1.0, -1.0], n // 2), np.arange(n) // 2
    words = better + rng.normal(size=n)
    columns = ("voice__score", "voice__words", "impression__a", "impression__b")
    table = np.column_stack([sigmoid(2 * words - 1), words, better + rng.normal(size=n), rng.normal(size=n)])
    return Rated(
        texts=tuple(f"version {i} " + "word " * (i % 5) for i in range(n)),
        table=table,
        columns=columns,
        labels=(better > 0).astype(np.int64),
        ratings=5 + better + np.repeat(rng.normal(size=n // 2), 2),
        groups=source,
        classes=("unnatural", "natural"),
        scale=(1.0, 10.0),
        rates=True,
        versions=True,
    )


def test_the_card_is_current() -> None:
    """The shipped card has the figures of the manifest."""
    asset = load_manifest()[SHIPPED[PROSE_MODEL]]
    card = (model_folder(PROSE_MODEL) / "card.md").read_text("utf-8")
    assert asset.size < 100_000
    assert all(short(value) in card for value in asset.figures.values())


def test_scores_of_drafts_and_edits(data: Rated) -> None:
    """A middling paragraph scores .5, and most better versions score higher, also out of fold."""
    compiled, pairs = calibrated(data), pairs_within_sources(data)["within_sources"]
    odds = compiled.decide(data.table)[:, 0]
    assert abs(float(odds.mean())) < 0.1
    assert compiled.calibration.slope[0] > 0
    assert compiled.kinds() == ["linear"]
    measured = figures(data, out_of_fold(data))
    assert measured["all versions"] == measured["draft and edit"] > 0.8
    assert pair_accuracy(odds, pairs) >= measured["all versions"]

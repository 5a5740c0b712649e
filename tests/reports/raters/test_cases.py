"""Labels that are contradicted with confidence are suspects, the likeliest slips first."""

from __future__ import annotations

import math

import numpy as np

from naturalness.reports.raters.cases import find_suspects
from tests.support.rater_reports import judged


def test_turned_labels_are_found() -> None:
    """Of 30 labels that were turned round among 600, those beyond the mean of the other label,
    which is about half of them, and no others."""
    rng = np.random.default_rng(1)
    truth = (rng.random(600) < 0.5).astype(int)
    scores = np.clip(0.5 + 0.3 * (truth - 0.5) * 2 + 0.12 * rng.normal(size=600), 0, 1)
    turned = rng.choice(600, 30, replace=False)
    labels = truth.copy()
    labels[turned] = 1 - labels[turned]
    suspects = find_suspects(judged(scores.tolist(), labels.tolist()))
    assert 12 <= len(suspects.rows) <= 20
    assert len(set(suspects.rows.tolist()) - set(turned.tolist())) <= 1


def test_a_strict_model_raises_no_suspicion() -> None:
    """All scores are low; what counts is what is usual for texts of a label."""
    scores = [0.30, 0.32, 0.34, 0.10, 0.12, 0.14]
    assert len(find_suspects(judged(scores, [1, 1, 1, 0, 0, 0])).rows) == 0


def test_ratings_far_from_the_score_come_first() -> None:
    """Just below the bound of the labels is no slip; at the other end of the scale may be one."""
    scores = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 0.95, 0.94]
    labels = [0, 0, 0, 1, 1, 1, 0, 0]
    ratings = [1.1, 1.2, 1.3, 4.1, 4.2, 4.3, 2.9, 1.0]
    assert find_suspects(judged(scores, labels, ratings=ratings)).rows.tolist() == [7, 6]


def test_one_label_alone() -> None:
    """There is nothing to hold it against."""
    suspects = find_suspects(judged([0.1, 0.9], [1, 1]))
    assert len(suspects.rows) == 0
    assert math.isnan(suspects.natural_from)

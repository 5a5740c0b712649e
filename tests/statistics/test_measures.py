"""Figures by hand, and compared with scikit-learn and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.statistics.measures import (
    THRESHOLDS,
    choose_threshold,
    effective_number,
    figures,
    independent,
    label_figures,
    mean_order,
    roc_auc,
    share_ends,
    wilson,
)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=30))
def test_labels_agree_with_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    """Weighted F1, accuracy, precision and recall equal scikit-learn's."""
    from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

    truth, predicted = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    measures = label_figures(truth, predicted, ["a", "b", "c"])
    weighted = f1_score(truth, predicted, average="weighted", zero_division=0.0)
    assert measures["weighted_f1"] == pytest.approx(weighted)
    assert measures["accuracy"] == pytest.approx(accuracy_score(truth, predicted))
    theirs = precision_recall_fscore_support(truth, predicted, labels=[0, 1, 2], zero_division=np.nan)
    for name, values in zip(("precision", "recall"), theirs, strict=False):
        assert [measures[f"{name} {label}"] for label in "abc"] == pytest.approx(values.tolist(), nan_ok=True)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_auc_agrees_with_scikit_learn(pairs: list[tuple[int, bool]]) -> None:
    """ROC AUC with ties equals scikit-learn's, and is undefined if a class is missing."""
    from sklearn.metrics import roc_auc_score

    scores = np.array([score for score, _ in pairs], dtype=np.float64)
    positive = np.array([p for _, p in pairs])
    if positive.all() or not positive.any():
        assert math.isnan(roc_auc(scores, positive))
    else:
        assert roc_auc(scores, positive) == pytest.approx(roc_auc_score(positive, scores))


def test_incomplete_rows() -> None:
    """Rows without a label count in correlations, and rows without a rating in figures of labels."""
    nan = float("nan")
    measures = figures(
        np.array([0.1, 0.9, 0.5, 0.7]),
        np.array([0, 1, 0, 1]),
        np.array([0, 1, -1, 0]),
        np.array([1.0, 5.0, 3.0, nan]),
        ["bad", "good"],
        np.array([5.0, 6.0, 5.0, 9.0]),
    )
    assert measures["accuracy"] == pytest.approx(2 / 3)
    assert measures["roc_auc"] == 1.0
    assert measures["spearman"] == 1.0
    assert measures["pearson"] == pytest.approx(1.0)


@pytest.mark.parametrize("metric", THRESHOLDS)
@given(pairs=st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=2, max_size=25))
def test_no_threshold_is_better(metric: str, pairs: list[tuple[int, bool]]) -> None:
    """No threshold on a fine grid beats the chosen one."""
    scores = np.array([score / 10 for score, _ in pairs])
    natural = np.array([n for _, n in pairs])

    def value(threshold: float) -> float:
        predicted = scores >= threshold
        counts = [
            np.array([float(x.sum())])
            for x in (predicted & natural, predicted & ~natural, ~predicted & natural, ~predicted & ~natural)
        ]
        return float(THRESHOLDS[metric](*counts)[0])

    best = choose_threshold(scores, natural, metric)
    assert 0.0 <= best <= 1.0
    assert value(best) >= max(value(t) for t in np.linspace(0, 1, 41)) - 1e-9


def test_means_and_thresholds_by_hand() -> None:
    """Chance is 0 for both parts of the mean; of two best thresholds, .2 and 1, the one nearer .5 is chosen."""
    assert mean_order(0.75, 0.75, rates=False) == mean_order(0.5, 0.75, rates=True) == 0.5
    scores, natural = np.array([0.1, 0.3, 0.5]), np.array([False, True, False])
    assert choose_threshold(scores, natural, "accuracy") == pytest.approx(0.2)


def test_intervals_of_shares_by_hand() -> None:
    """Wilson intervals of 8, 0 and 10 of 10 have the hand-worked ends."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    beyond = 1.96**2 / (10 + 1.96**2)
    assert wilson(0, 10) == pytest.approx((0, beyond))
    assert wilson(10, 10) == pytest.approx((1 - beyond, 1))


@pytest.mark.parametrize(
    ("values", "groups", "expected"),
    [
        ([1, 1, 0, 0], [0, 0, 1, 1], 2),  # two pairs of the same
        ([1, 1, 0, 0], [0, 1, 2, 3], 4),
        ([1, 0, 1, 0], [0, 0, 1, 1], 4),  # no more than there are
        ([1, 1, 1, 1], [0, 0, 1, 2], 3),
    ],
)
def test_effective_sample_size(values: list[float], groups: list[int], expected: float) -> None:
    """Equal values of a group count as one value."""
    shares = np.array(values, dtype=np.float64)
    mean = shares.mean()
    assert effective_number(shares - mean, np.array(groups), mean * (1 - mean)) == pytest.approx(expected)


def test_pairs_that_share_a_text() -> None:
    """Pairs of a text are no more independent than those of a group; pairs of the same two texts count as one."""
    values = np.array([1.0, 1, 0, 0])
    star = np.array([[0, 1], [0, 2], [3, 4], [3, 5]])
    assert effective_number(values - 0.5, star, 0.25) == pytest.approx(2)
    assert effective_number(values - 0.5, np.arange(8).reshape(4, 2), 0.25) == pytest.approx(4)
    same = np.array([[0, 1], [1, 0], [3, 4], [4, 3]])
    assert effective_number(values - 0.5, same, 0.25) == pytest.approx(2)
    assert (independent(star), independent(same), independent(np.array([2, 2, 5]))) == (2, 2, 2)


def test_few_sources_have_no_interval_of_a_share() -> None:
    """One source of many values says little; few values, each of a source of its own, have Wilson's interval."""
    values = np.array([1.0] * 80 + [0.0] * 20)
    assert np.isnan(share_ends(values, np.zeros(100, dtype=np.int64))).all()
    assert np.isnan(share_ends(values, np.arange(100) % 9)).all()
    assert share_ends(values[:3], np.arange(3)) == pytest.approx(wilson(3, 3))
    assert np.isnan(share_ends(values[:0], np.arange(0))).all()


def test_the_interval_of_a_share_covers_it() -> None:
    """With twelve sources of equal values, the intervals of 400 samples cover the true share in nine of ten cases."""
    rng = np.random.default_rng(0)
    groups, covered = np.repeat(np.arange(12), 10), 0
    for _ in range(400):
        low, high = share_ends((rng.random(12) < 0.5).astype(np.float64)[groups], groups)
        covered += low <= 0.5 <= high
    assert covered > 360

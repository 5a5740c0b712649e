"""Learning from pairs and from versions of a source."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.differences import (
    MOST_VERSIONS,
    calibrate_pairs,
    centred,
    have_versions,
    pair_accuracy,
    pairs_of_sources,
    within,
    won,
)
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.fitting import Settings, fit_table

LINEAR = [name for name, learner in LEARNERS.items() if learner.linear]
PAIRS = np.array([[0, 1], [2, 3], [4, 0]])


def test_pairs_of_some_rows() -> None:
    """Pairs with both texts among the rows remain, as positions in the rows."""
    inside, whole = within(PAIRS, np.array([3, 2, 0]), 5)
    assert inside is not None
    assert inside.tolist() == [[1, 0]]
    assert whole.tolist() == [False, True, False]
    assert within(None, np.array([0]), 5)[0] is None


def test_outcomes_count_ties_half() -> None:
    """Ties count half; a pair without a score is NaN."""
    scores = np.array([2.0, 1.0, 5.0, 5.0, np.nan])
    np.testing.assert_array_equal(won(scores, PAIRS), [1.0, 0.5, np.nan])
    assert pair_accuracy(scores, PAIRS) == 0.75
    assert np.isnan(pair_accuracy(scores, PAIRS[2:]))


def test_versions_of_a_source_are_compared() -> None:
    """Different texts of one source with different ratings form pairs, unless the source has too many texts."""
    groups, ratings = np.array([0, 0, 0, 1, 1, 2, 2, 3]), np.array([1.0, 3, 3, 5, np.nan, 1, 2, 4])
    pairs = pairs_of_sources(groups, ratings, list("abcdeffg"))
    assert pairs.tolist() == [[1, 0], [2, 0]]
    assert not have_versions(pairs, 8) and have_versions(pairs, 6)
    many = np.arange(MOST_VERSIONS + 1)
    assert len(pairs_of_sources(many * 0, many.astype(np.float64), many.tolist())) == 0


def test_values_are_centred_in_their_group() -> None:
    """Centring subtracts the weighted mean of each group."""
    values = np.array([[1.0, 2.0], [3.0, 2.0], [7.0, 7.0]])
    middle = centred(values, np.array([1.0, 3.0, 1.0]), np.array([4, 4, 9]))
    assert middle.tolist() == [[-1.5, 0.0], [0.5, 0.0], [0.0, 0.0]]
    assert centred(values[:, 0], np.ones(3), np.array([0, 0, 1])).tolist() == [-1.0, 1.0, 0.0]


def problem(n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Return a table whose first column decides the preferred text of each pair, and the pairs."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(2 * n, 3))
    strength = 2 * table[:, 0]
    first = np.arange(0, 2 * n, 2)
    better = rng.random(n) < 1 / (1 + np.exp(strength[first + 1] - strength[first]))
    pairs = np.column_stack([np.where(better, first, first + 1), np.where(better, first + 1, first)])
    return table, pairs


@pytest.mark.parametrize("learner", LINEAR)
def test_linear_learners_learn_from_pairs(learner: str) -> None:
    """The model is one linear unit, calibrated to the probability of being preferred to an average text."""
    table, pairs = problem()
    fitted = fit_table(
        table,
        np.arange(len(table), dtype=np.float64),
        n_classes=0,
        names=(),
        groups=np.arange(len(table)) // 2,
        weight=np.ones(len(table)),
        settings=Settings(learner=learner),
        pairs=pairs,
    )
    assert fitted.compiled.kinds() == ["linear"]
    assert fitted.choice.score > 0.75
    odds = fitted.compiled.decide(table)[:, 0]
    assert pair_accuracy(odds, pairs) > 0.75
    assert abs(float(odds.mean())) < 1e-9


def test_reversed_rankings() -> None:
    """Decisions that order the pairs backwards get a slope of 0."""
    decisions = np.array([[0.0], [1.0], [0.0], [1.0]])
    calibration = calibrate_pairs(decisions, np.array([[0, 1], [2, 3]]), [np.arange(4)], decisions)
    assert calibration.slope.tolist() == [0.0]
    assert calibration.offset.tolist() == [0.0]

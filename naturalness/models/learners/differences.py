"""Pairs of texts of which one was preferred, for linear learners of two classes.

What such a learner gets is the difference of two prepared rows, the preferred one less the other,
as the one class, and the same turned round as the other: so an intercept tells nothing, and weights
under which the preferred text has the higher sum (Bradley & Terry 1952, with columns for
strengths). The weights score single texts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.calibration import Calibration, fit_sigmoid


def within(pairs: IntArray | None, rows: IntArray, n_rows: int) -> tuple[IntArray | None, BoolArray]:
    """Return the pairs of which both are among ``rows``, by their numbers there, and which these are."""
    if pairs is None:
        return None, np.zeros(0, dtype=np.bool_)
    position = np.full(n_rows, -1, dtype=np.int64)
    position[rows] = np.arange(len(rows))
    moved = position[pairs]
    complete = np.asarray((moved >= 0).all(axis=1), dtype=np.bool_)
    return moved[complete], complete


def differences(rows: FloatArray, pairs: IntArray) -> tuple[FloatArray, IntArray]:
    """Return rows to learn from, each pair both ways, and their classes, 1 and 0."""
    apart = rows[pairs[:, 0]] - rows[pairs[:, 1]]
    return np.vstack([apart, -apart]), np.repeat(np.array([1, 0], dtype=np.int64), len(pairs))


def won(scores: FloatArray, pairs: IntArray) -> FloatArray:
    """Return for each pair 1 where the preferred text has the higher score, 0 where the other has, 1/2
    where they have the same; NaN where one has none.
    """
    apart = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    out: FloatArray = np.where(np.isnan(apart), np.nan, (np.sign(apart) + 1) / 2)
    return out


def pair_accuracy(scores: FloatArray, pairs: IntArray) -> float:
    """Return the share of pairs that scores order rightly, 0..1; ties count half. NaN where there is none."""
    outcomes = won(scores, pairs)
    known = outcomes[~np.isnan(outcomes)]
    return float(known.mean()) if len(known) else float("nan")


def pair_criterion(pairs: IntArray, n_rows: int) -> Callable[[FloatArray, FloatArray], float]:
    """Return what parameters are chosen by: the accuracy on pairs whose texts are both in a fold.

    The target of a text is its number.
    """

    def measure(target: FloatArray, decisions: FloatArray) -> float:
        inside, _ = within(pairs, target.astype(np.int64), n_rows)
        assert inside is not None
        return pair_accuracy(decisions[:, 0], inside)

    return measure


def calibrate_pairs(decisions: FloatArray, pairs: IntArray, folds: list[IntArray], final: FloatArray) -> Calibration:
    """Return the map of a unit's numbers to the log-odds that a text is preferred to a middling one.

    The slope is that under which the differences of out-of-fold ``decisions`` (n, 1) tell how
    likely each text of a pair is preferred; only pairs inside a fold have the same judge. Middling
    is the mean of what the fitted unit says of the texts, ``final`` (n, 1).
    """
    inside = [within(pairs, test, len(decisions))[0] for test in folds]
    apart = np.concatenate(
        [
            (values := decisions[test, 0])[fold_pairs[:, 0]] - values[fold_pairs[:, 1]]
            for test, fold_pairs in zip(folds, inside, strict=True)
            if fold_pairs is not None
        ]
    )
    margins = np.concatenate([apart, -apart])
    positive = np.repeat(np.array([1.0, 0.0]), len(apart))
    slope = fit_sigmoid(margins, positive, np.ones(len(margins)))[0] if len(apart) else 0.0
    return Calibration(np.array([slope]), np.array([-slope * float(final.mean())]))

"""Pairs of texts of which one was preferred, for linear learners of two classes.

The learner's rows are differences of two prepared rows: preferred minus other as one class, and other minus preferred
as the other class. The intercept is therefore uninformative, and the weights are those under which the preferred text
has the higher score (Bradley & Terry 1952, with columns for strengths). The same weights score single texts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.calibration import Calibration, fit_sigmoid


def within(pairs: IntArray | None, rows: IntArray, n_rows: int) -> tuple[IntArray | None, BoolArray]:
    """Return the pairs with both texts among ``rows``, as positions in ``rows``, and a mask of these pairs."""
    if pairs is None:
        return None, np.zeros(0, dtype=np.bool_)
    position = np.full(n_rows, -1, dtype=np.int64)
    position[rows] = np.arange(len(rows))
    moved = position[pairs]
    complete = np.asarray((moved >= 0).all(axis=1), dtype=np.bool_)
    return moved[complete], complete


def differences(rows: FloatArray, pairs: IntArray) -> tuple[FloatArray, IntArray]:
    """Return training rows, each pair in both directions, and their classes, 1 and 0."""
    apart = rows[pairs[:, 0]] - rows[pairs[:, 1]]
    return np.vstack([apart, -apart]), np.repeat(np.array([1, 0], dtype=np.int64), len(pairs))


def won(scores: FloatArray, pairs: IntArray) -> FloatArray:
    """Return 1 for each pair whose preferred text has the higher score, 0 if the other has, 1/2 for equal scores; NaN
    if a text has no score."""
    apart = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    out: FloatArray = np.where(np.isnan(apart), np.nan, (np.sign(apart) + 1) / 2)
    return out


def pair_accuracy(scores: FloatArray, pairs: IntArray) -> float:
    """Return the share of pairs that scores order correctly, 0..1; ties count half. NaN without pairs."""
    outcomes = won(scores, pairs)
    known = outcomes[~np.isnan(outcomes)]
    return float(known.mean()) if len(known) else float("nan")


def pair_criterion(pairs: IntArray, n_rows: int) -> Callable[[FloatArray, FloatArray], float]:
    """Return the criterion for choosing parameters: the accuracy on pairs whose texts are both in the fold.

    The target of a text is its row number.
    """

    def measure(target: FloatArray, decisions: FloatArray) -> float:
        inside, _ = within(pairs, target.astype(np.int64), n_rows)
        assert inside is not None
        return pair_accuracy(decisions[:, 0], inside)

    return measure


def calibrate_pairs(decisions: FloatArray, pairs: IntArray, folds: list[IntArray], final: FloatArray) -> Calibration:
    """Return the map from a unit's outputs to the log-odds that a text is preferred to an average one.

    The slope is fitted so that differences of out-of-fold ``decisions`` (n, 1) predict which text of a pair is
    preferred; only pairs within one fold are used, since their decisions come from the same model. The average is the
    mean of the fitted unit's outputs for the texts, ``final`` (n, 1).
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

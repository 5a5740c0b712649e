"""Measures of how well scores agree with labels and ratings.

Undefined figures, such as a correlation of constant values or an AUC with a single class, are NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import UnknownName
from naturalness.statistics.bootstrap import MIN_SOURCES
from naturalness.statistics.correlation import partial_spearman, pearson, ranks, spearman

Z_95 = 1.96
"""The half-width of a 95 % interval, in standard errors."""


def known_mean(values: FloatArray) -> float:
    """Return the mean of all values that are not NaN; NaN if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def known_deviation(values: FloatArray) -> float:
    """Return the sample standard deviation (n - 1) of all values that are not NaN; NaN for fewer than two."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else math.nan


def roc_auc(scores: FloatArray, positive: BoolArray) -> float:
    """Return the share of positive-negative pairs that are ordered correctly, 0..1; a tie counts as half."""
    n, m = int(positive.sum()), int((~positive).sum())
    if not n or not m:
        return math.nan
    return float((ranks(scores)[positive].sum() - n * (n + 1) / 2) / (n * m))


def mean_order(overall: float, within: float, *, rates: bool) -> float:
    """Return how well scores order all texts and those of a source, -1..1: the mean of both, where 0 is chance.

    ``overall`` is a rank correlation or, unless ``rates``, a ROC AUC; ``within`` is a share of pairs.
    """
    return ((overall if rates else 2 * overall - 1) + 2 * within - 1) / 2


def label_figures(truth: IntArray, predicted: IntArray, classes: Sequence[str]) -> dict[str, float]:
    """Return accuracy, weighted F1, and the precision and recall of each class, 0..1.

    If a class was never predicted, its precision is undefined (NaN) and its F1 counts as 0.
    """
    figures = {"accuracy": float((truth == predicted).mean()) if len(truth) else math.nan}
    weighted = 0.0
    for number, name in enumerate(classes):
        right = float(((truth == number) & (predicted == number)).sum())
        of, named = float((truth == number).sum()), float((predicted == number).sum())
        figures[f"precision {name}"] = right / named if named else math.nan
        figures[f"recall {name}"] = right / of if of else math.nan
        weighted += of * (2 * right / (of + named) if of + named else 0.0)
    figures["weighted_f1"] = weighted / len(truth) if len(truth) else math.nan
    return figures


def figures(
    naturalness: FloatArray,
    predicted: IntArray,
    truth: IntArray,
    rating: FloatArray,
    classes: Sequence[str],
    length: FloatArray,
) -> dict[str, float]:
    """Return all figures for a test set. ``truth`` is -1 if a text has no label; ``rating`` is NaN if it has no rating.

    `roc_auc` compares the best class with all others. `spearman` and `pearson` correlate the score with the rating,
    and `spearman_labels` correlates the predicted label with the rating. `spearman_given_length` is the partial
    correlation between score and rating given the number of words.
    """
    known = truth >= 0
    out = label_figures(truth[known], predicted[known], classes)
    out["roc_auc"] = roc_auc(naturalness[known], truth[known] == len(classes) - 1)
    rated = ~np.isnan(rating)
    out["spearman"] = spearman(naturalness[rated], rating[rated])
    out["spearman_given_length"] = partial_spearman(naturalness[rated], rating[rated], length[rated])
    out["pearson"] = pearson(naturalness[rated], rating[rated])
    out["spearman_labels"] = spearman(predicted[rated].astype(np.float64), rating[rated])
    return out


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of the share ``hits / n``, 0..1; Wilson (1927)."""
    share, z = hits / n, Z_95**2 / n
    middle = (share + z / 2) / (1 + z)
    spread = math.sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def independent(groups: IntArray) -> int:
    """Return how many values share no group if each that shares one with an earlier value is left out; ``groups`` is as
    for `effective_number`.
    """
    taken: set[int] = set()
    count = 0
    for ends in np.atleast_2d(groups.T).T.tolist():
        if taken.isdisjoint(ends):
            taken.update(ends)
            count += 1
    return count


def effective_number(deviations: FloatArray, groups: IntArray, variance: float) -> float:
    """Return the effective number of values, given their deviations from their mean and their variance; it is smaller
    than their number if those of a group are alike.

    ``groups`` has the index of each value's group, (n,), or of the groups of both texts of each pair, (n, 2). The
    effective number is computed from the products of deviations that share a group; Korn & Graubard (1998), for pairs
    Fafchamps & Gubert (2007).
    """
    if not variance:
        return float(independent(groups))
    members = np.unique(groups, return_inverse=True)[1].reshape(len(deviations), -1)
    apart = members[:, 0] != members[:, -1]
    sums = np.bincount(np.r_[members[:, 0], members[apart, -1]], weights=np.r_[deviations, deviations[apart]])
    products = float((sums**2).sum())
    if apart.any():  # values that share both groups were counted twice
        both = np.unique(np.sort(members[apart], axis=1), axis=0, return_inverse=True)[1].ravel()
        products -= float((np.bincount(both, weights=deviations[apart]) ** 2).sum())
    return len(deviations) / max(1.0, products / (len(deviations) * variance))


def share_ends(values: FloatArray, groups: IntArray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values in 0..1, for their effective number; ``groups`` is as for
    `effective_number`.

    The ends are NaN if there are no values, or if fewer than `MIN_SOURCES` of them are independent, but not all.
    """
    if independent(groups) < min(MIN_SOURCES, max(len(values), 1)):
        return math.nan, math.nan
    mean = float(values.mean())
    n = effective_number(values - mean, groups, mean * (1 - mean))
    return wilson(mean * n, n)


Counts = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""The numbers of true positives, false positives, false negatives and true negatives at each threshold."""


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _f1(tp: FloatArray, fp: FloatArray, fn: FloatArray) -> FloatArray:
    return _ratio(2 * tp, 2 * tp + fp + fn)


THRESHOLDS: Mapping[str, Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]] = {
    "weighted_f1": lambda tp, fp, fn, tn: (tp + fn) * _f1(tp, fp, fn) + (tn + fp) * _f1(tn, fn, fp),
    "macro_f1": lambda tp, fp, fn, tn: _f1(tp, fp, fn) + _f1(tn, fn, fp),
    "f1": lambda tp, fp, fn, tn: _f1(tp, fp, fn),
    "accuracy": lambda tp, fp, fn, tn: tp + tn,
    "balanced_accuracy": lambda tp, fp, fn, tn: _ratio(tp, tp + fn) + _ratio(tn, tn + fp),
}
"""Functions that compute a metric (or a multiple of it) from the `Counts` at each threshold; higher is better."""


def choose_threshold(naturalness: FloatArray, natural: BoolArray, metric: str) -> float:
    """Return the threshold in 0..1 that maximises a metric; a text is natural if its score reaches the threshold.

    The candidates are 0, 1 and the midpoints between neighbouring scores; ties are broken in favour of the one closest
    to .5.
    """
    if metric not in THRESHOLDS:
        raise UnknownName("metric for the threshold", metric, THRESHOLDS)
    if not len(naturalness):
        return 0.5
    order = np.argsort(naturalness, kind="stable")
    scores, positive = naturalness[order], natural[order].astype(np.float64)
    cuts = np.flatnonzero(np.diff(scores) > 0) + 1
    thresholds = np.concatenate([[0.0], (scores[cuts - 1] + scores[cuts]) / 2, [1.0]])
    below = np.concatenate([[0], cuts, [len(scores)]])
    total = positive.sum()
    fn = np.concatenate([[0.0], np.cumsum(positive)])[below]
    tn = below - fn
    values = THRESHOLDS[metric](total - fn, len(scores) - total - tn, fn, tn)
    if scores[-1] >= 1.0:
        values[-1] = -np.inf  # no threshold in 0..1 lies above a score of 1
    best = np.flatnonzero(values >= values.max() - 1e-12)
    return float(thresholds[best[np.argmin(np.abs(thresholds[best] - 0.5))]])


N_PARTS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityPart:
    """The mean prediction, and the share of natural texts, among texts with similar scores."""

    texts: int
    predicted: float
    """The mean predicted naturalness, 0..1."""
    natural: float
    """The share of texts that people call natural, 0..1."""


def reliability_parts(naturalness: FloatArray, natural: BoolArray) -> list[ReliabilityPart]:
    """Return about ten groups of similar size, from the lowest scores to the highest; equal scores share a group."""
    if not len(naturalness):
        return []
    edges = np.unique(np.quantile(naturalness, np.arange(1, N_PARTS) / N_PARTS))
    part_of = np.searchsorted(edges, naturalness, side="left")
    return [
        ReliabilityPart(int(rows.sum()), float(naturalness[rows].mean()), float(natural[rows].mean()))
        for rows in (part_of == part for part in np.unique(part_of))
    ]

"""How well scores agree with people: figures for labels and for graded ratings.

Undefined is NaN: a correlation where nothing varies, an AUC where one class is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import UnknownName

CERTAIN = 1.96
"""Standard errors to either side of a share that an interval of 95 % takes."""


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Linear correlation, -1..1; NaN where one of the two does not vary."""
    if len(x) < 2:
        return math.nan
    if _constant(x) or _constant(y):
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))


def _constant(values: FloatArray) -> bool:
    """Whether what varies is no more than rounding leaves."""
    return float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max())


def ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1, the mean rank for equal values."""
    from scipy.stats import rankdata

    out: FloatArray = rankdata(values).astype(np.float64)
    return out


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Rank correlation, -1..1; Spearman (1904)."""
    return pearson(ranks(x), ranks(y))


def partial_spearman(x: FloatArray, y: FloatArray, given: FloatArray) -> float:
    """Rank correlation of two given a third, -1..1: what is left when, say, length is known."""
    if np.isnan(given).any():
        return math.nan
    xy, xz, yz = spearman(x, y), spearman(x, given), spearman(y, given)
    rest = (1 - xz**2) * (1 - yz**2)
    return (xy - xz * yz) / math.sqrt(rest) if rest > 1e-9 else math.nan


def roc_auc(scores: FloatArray, positive: BoolArray) -> float:
    """Share of pairs, one positive and one not, that are ordered rightly (ties half), 0..1."""
    n, m = int(positive.sum()), int((~positive).sum())
    if not n or not m:
        return math.nan
    return float((ranks(scores)[positive].sum() - n * (n + 1) / 2) / (n * m))


def label_figures(truth: IntArray, told: IntArray, classes: Sequence[str]) -> dict[str, float]:
    """Accuracy, weighted F1, and precision and recall of each class, 0..1.

    A class that was never told has an undefined precision; its F1 counts as 0, as is usual.
    """
    figures = {"accuracy": float((truth == told).mean()) if len(truth) else math.nan}
    weighted = 0.0
    for number, name in enumerate(classes):
        right = float(((truth == number) & (told == number)).sum())
        of, said = float((truth == number).sum()), float((told == number).sum())
        figures[f"precision {name}"] = right / said if said else math.nan
        figures[f"recall {name}"] = right / of if of else math.nan
        weighted += of * (2 * right / (of + said) if of + said else 0.0)
    figures["weighted_f1"] = weighted / len(truth) if len(truth) else math.nan
    return figures


def figures(
    naturalness: FloatArray,
    told: IntArray,
    truth: IntArray,
    rating: FloatArray,
    classes: Sequence[str],
    length: FloatArray,
) -> dict[str, float]:
    """All figures of a test part. ``truth`` is -1 where a row has no label, NaN for no rating.

    `roc_auc` is for the best class against the others; `spearman` and `pearson` are those of the
    score with the graded rating, `spearman_labels` of the told labels with it, and
    `spearman_given_length` what is left of the first when the number of words is known.
    """
    known = truth >= 0
    out = label_figures(truth[known], told[known], classes)
    out["roc_auc"] = roc_auc(naturalness[known], truth[known] == len(classes) - 1)
    rated = ~np.isnan(rating)
    out["spearman"] = spearman(naturalness[rated], rating[rated])
    out["spearman_given_length"] = partial_spearman(naturalness[rated], rating[rated], length[rated])
    out["pearson"] = pearson(naturalness[rated], rating[rated])
    out["spearman_labels"] = spearman(told[rated].astype(np.float64), rating[rated])
    return out


def wilson(hits: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share, 0..1; Wilson (1927)."""
    share, z = hits / n, CERTAIN**2 / n
    middle = (share + z / 2) / (1 + z)
    spread = math.sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def effective(values: FloatArray, groups: IntArray) -> float:
    """As how many independent values these are, 0..1: fewer where those of one group are alike.

    By the variance over groups; Korn & Graubard (1998).
    """
    n, mean = len(values), float(values.mean())
    plain = mean * (1 - mean) / n
    if not plain:
        return float(len(np.unique(groups)))
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=values - mean)
    clustered = float((sums**2).sum()) / n**2
    return n / max(1.0, clustered / plain)


Counts = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""True positives, false positives, false negatives, true negatives at each threshold."""


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    out: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return out


def _f1(tp: FloatArray, fp: FloatArray, fn: FloatArray) -> FloatArray:
    return _ratio(2 * tp, 2 * tp + fp + fn)


THRESHOLDS: Mapping[str, Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]] = {
    "weighted_f1": lambda tp, fp, fn, tn: (tp + fn) * _f1(tp, fp, fn) + (tn + fp) * _f1(tn, fn, fp),
    "macro_f1": lambda tp, fp, fn, tn: _f1(tp, fp, fn) + _f1(tn, fn, fp),
    "f1": lambda tp, fp, fn, tn: _f1(tp, fp, fn),
    "accuracy": lambda tp, fp, fn, tn: tp + tn,
    "balanced_accuracy": lambda tp, fp, fn, tn: _ratio(tp, tp + fn) + _ratio(tn, tn + fp),
}
"""What a threshold can be chosen for; higher is better."""


def choose_threshold(naturalness: FloatArray, natural: BoolArray, metric: str) -> float:
    """The threshold in 0..1 at which a metric is best: from it on, a text is natural.

    Thresholds half-way between neighbouring scores are tried; of equals the one nearest to .5.
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

"""Agreement between raters, and the highest correlation with ratings that a metric can reach.

An item is a list of individual ratings; items may differ in their number of ratings, and a missing rating is NaN. If
raters are named, pairs of raters are compared; otherwise the ratings of each item are compared in pairs, in both
orders. Undefined values are NaN.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import pearson
from naturalness.statistics.measures import known_mean

Items = Sequence[Sequence[float]]
Raters = Sequence[Sequence[Hashable]]
MIN_SHARED_ITEMS = 10
"""The minimum number of items that two raters must both have rated to be compared."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures of agreement between raters; at full agreement, all figures except counts are 1."""

    items: int
    """The number of items with two or more ratings, from which all figures are computed."""
    ratings: float
    """The mean number of ratings per item."""
    alpha_nominal: float
    alpha_ordinal: float
    alpha_interval: float
    fleiss: float
    kappa: float
    """Quadratic-weighted kappa, averaged over pairs of raters."""
    against_others_pearson: float
    reliability: float
    """The expected correlation between the mean ratings and the mean ratings of as many other raters."""
    ceiling: float
    """The expected Pearson correlation between a perfect metric and the mean ratings."""


def agree(items: Items, raters: Raters | None = None) -> Agreement:
    """Return all agreement figures for items; ``raters`` gives the rater of each rating, if raters are known."""
    names = [list(r) for r in raters] if raters is not None else None
    known, known_raters = _known(items, names)
    _, reliability, ceiling = reliabilities(known)
    return Agreement(
        items=len(known),
        ratings=sum(map(len, known)) / len(known) if known else math.nan,
        alpha_nominal=krippendorff(known, "nominal"),
        alpha_ordinal=krippendorff(known, "ordinal"),
        alpha_interval=krippendorff(known, "interval"),
        fleiss=fleiss(known),
        kappa=known_mean(np.array([quadratic_kappa(x, y) for x, y in rater_pairs(known, known_raters)])),
        against_others_pearson=pearson(*against_others(known)),
        reliability=reliability,
        ceiling=ceiling,
    )


def _known(items: Items, raters: list[list[Hashable]] | None) -> tuple[Items, Raters]:
    """Return the known ratings, and their raters, of the items with at least two known ratings.

    An unknown rater is an empty string.
    """
    ratings: list[list[float]] = []
    known_raters: list[list[Hashable]] = []
    for number, item in enumerate(items):
        names = raters[number] if raters is not None else [""] * len(item)
        if len(names) != len(item):
            raise ValueError(f"item {number} has {len(item)} ratings of {len(names)} raters")
        pairs = [(v, w) for v, w in zip(item, names, strict=True) if not math.isnan(v)]
        if len(pairs) > 1:
            ratings.append([v for v, _ in pairs])
            known_raters.append([w for _, w in pairs])
    return ratings, known_raters


def krippendorff(items: Items, level: str) -> float:
    """Return Krippendorff's alpha, which is at most 1, and 0 for chance agreement.

    ``level`` is "nominal", "ordinal" or "interval". Alpha is 1 - observed disagreement / expected disagreement; Hayes &
    Krippendorff (2007). Items that have a single rating are ignored. Return NaN if all ratings are equal.
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise ValueError(f"level {level!r}; expected 'nominal', 'ordinal' or 'interval'")
    items = [item for item in ([v for v in item if v == v] for item in items) if len(item) > 1]
    totals = Counter(v for item in items for v in item)
    if len(totals) < 2:
        return math.nan
    if level == "ordinal":
        # The ordinal distance between two values is the square of the number of ratings between them, where ratings
        # equal to either value count half. It equals the interval distance between mid-ranks.
        values = sorted(totals)
        many = np.array([totals[v] for v in values], dtype=np.float64)
        midranks = dict(zip(values, (np.cumsum(many) - many / 2).tolist(), strict=True))
        items = [[midranks[v] for v in item] for item in items]
    everything = [v for item in items for v in item]
    apart = _differing_pairs if level == "nominal" else _squared_distances
    observed = math.fsum(apart(item) / (len(item) - 1) for item in items)
    return 1 - observed * (len(everything) - 1) / apart(everything)


def _differing_pairs(values: Sequence[float]) -> float:
    """Return the number of ordered pairs of different values."""
    return float(len(values) ** 2 - sum(many**2 for many in Counter(values).values()))


def _squared_distances(values: Sequence[float]) -> float:
    """Return the sum of squared differences over all ordered pairs of values."""
    mean = math.fsum(values) / len(values)
    return 2 * len(values) * math.fsum((v - mean) ** 2 for v in values)


def fleiss(items: Items) -> float:
    """Return Fleiss' kappa (1971), which is at most 1, and 0 for chance agreement.

    Items may differ in their number of ratings: observed agreement is computed within each item, and chance agreement
    from all ratings.
    """
    items = [item for item in items if len(item) > 1]
    if not items:
        return math.nan
    apart = [_differing_pairs(item) / (len(item) * (len(item) - 1)) for item in items]
    everything = [v for item in items for v in item]
    by_chance = _differing_pairs(everything) / len(everything) ** 2
    return 1 - math.fsum(apart) / len(items) / by_chance if by_chance else math.nan


def quadratic_kappa(x: FloatArray, y: FloatArray) -> float:
    """Return Cohen's kappa with quadratic weights, -1..1; Cohen (1968).

    Kappa is 1 - (mean squared difference) / (its expected value if the two ratings were independent).
    """
    expected = float(np.var(x) + np.var(y) + (x.mean() - y.mean()) ** 2) if len(x) else 0.0
    return 1 - float(np.mean((x - y) ** 2)) / expected if expected > 0 else math.nan


Pairs = list[tuple[FloatArray, FloatArray]]


def rater_pairs(items: Items, raters: Raters) -> Pairs:
    """Return pairs of rating arrays to compare.

    Two named raters are compared if they have rated at least `MIN_SHARED_ITEMS` items in common. If no two raters have,
    or if raters are unknown, the pairs of ratings within items are pooled into a single pair of arrays.
    """
    if all(name not in ("", None) for names in raters for name in names):
        shared: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for item, names in zip(items, raters, strict=True):
            named_ratings = sorted((str(name), v) for name, v in zip(names, item, strict=True))
            for (a, x), (b, y) in combinations(named_ratings, 2):
                if a != b:
                    shared.setdefault((a, b), []).append((x, y))
        shared_ratings = [np.array(v) for v in shared.values() if len(v) >= MIN_SHARED_ITEMS]
        if shared_ratings:
            return [(pair[:, 0], pair[:, 1]) for pair in shared_ratings]
    both = [pair for item in items for pair in combinations(item, 2)]
    if not both:
        return []
    x, y = np.array(both).T
    return [(np.concatenate([x, y]), np.concatenate([y, x]))]


def against_others(items: Items) -> tuple[FloatArray, FloatArray]:
    """Return all individual ratings and, for each, the mean of the other ratings of the same item."""
    singles = [v for item in items for v in item]
    others = [(sum(item) - v) / (len(item) - 1) for item in items for v in item]
    return np.array(singles), np.array(others)


def reliabilities(items: Items) -> tuple[float, float, float]:
    """Return ICC(1), the reliability of the mean, and the ceiling, which is the square root of that reliability.

    ICC(1) is computed by analysis of variance with unequal group sizes (Shrout & Fleiss 1979). The mean of k ratings
    has the reliability k ICC / (1 + (k - 1) ICC) (Spearman 1910, Brown 1910); k is the harmonic mean of the
    numbers of ratings. A perfect metric would give the mean of infinitely many raters; the correlation of this mean
    with the mean of k raters is the square root of the reliability. The ceiling is 0 if ratings vary at least as much
    within items as between items.
    """
    if len(items) < 2:
        return math.nan, math.nan, math.nan
    sizes = np.array([len(item) for item in items], dtype=np.float64)
    means = np.array([np.mean(item) for item in items])
    total = float(sizes.sum())
    inside = float(sum(((np.asarray(item) - np.mean(item)) ** 2).sum() for item in items))
    grand = float(sizes @ means) / total
    between = float(sizes @ (means - grand) ** 2) / (len(items) - 1)
    within = inside / (total - len(items))
    typical = (total - float(sizes @ sizes) / total) / (len(items) - 1)
    variance = between + (typical - 1) * within
    if variance <= 0:
        return math.nan, math.nan, math.nan
    icc = (between - within) / variance
    k = len(items) / float((1 / sizes).sum())
    reliability = max(0.0, k * icc / (1 + (k - 1) * icc)) if icc > 0 else 0.0
    return icc, reliability, math.sqrt(reliability)

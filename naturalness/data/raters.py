"""Ratings put on one scale per rater, because people use the same scale differently."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from naturalness.errors import UnknownName

NAN = float("nan")
MIN_RATINGS = 3
"""Ratings a rater needs: any two that differ become the two ends of a scale, by little or much."""
Judgement = tuple[Hashable, float]
"""A rater and a rating."""


@dataclass(frozen=True, slots=True)
class ScaledRatings:
    """Ratings in the order of their judgements, and how many raters there is little to say of."""

    ratings: list[float]
    """NaN where a rating cannot be scaled."""
    raters: int
    too_few: int
    """Raters with fewer than `MIN_RATINGS` ratings; theirs are NaN."""
    constant: int
    """Raters with enough ratings that are all the same."""

    def describe(self) -> str:
        """One line for a reader; empty where every rater could be scaled."""
        parts = []
        if self.too_few:
            parts.append(f"{self.too_few} with fewer than {MIN_RATINGS} ratings, which are not used")
        if self.constant:
            parts.append(f"{self.constant} who never vary")
        return f"raters: {self.raters}, of whom {', '.join(parts)}" if parts else ""


def unscaled(ratings: Sequence[float]) -> list[float]:
    """Return ratings as they are."""
    return list(ratings)


def z_scores(ratings: Sequence[float]) -> list[float]:
    """Mean 0 and (population) deviation 1 for each rater; unbounded, higher is better.

    A rater who never varies gives 0: no rating differs from the rater's mean, by whatever it would
    be divided.
    """
    # By comparison, since the deviation of equal decimals may come out as a rounding error.
    if min(ratings) == max(ratings):
        return [0.0] * len(ratings)
    # Exact sums: the result does not depend on the order of rows. Dividing by the largest first
    # keeps squares of absurd magnitude estimates finite.
    largest = max(abs(rating) for rating in ratings)
    small = [rating / largest for rating in ratings]
    mean = math.fsum(small) / len(small)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in small) / len(small))
    # Ratings that differ in their last digits only may vanish in the mean.
    return [(r - mean) / deviation for r in small] if deviation else [0.0] * len(small)


def unit_interval(ratings: Sequence[float]) -> list[float]:
    """From the rater's lowest rating, 0, to the highest, 1; higher is better.

    Mutton, Dras, Wan & Dale (2007, ACL) put magnitude estimates on this scale before averaging. A
    rater who never varies gives NaN: 0 / 0 has no place between a lowest and a highest rating.
    """
    low, high = min(ratings), max(ratings)
    if low == high:
        return [NAN] * len(ratings)
    # Halves, because the distance of two huge ratings of opposite sign would be infinite.
    width = high / 2 - low / 2
    return [(r / 2 - low / 2) / width if width else NAN for r in ratings]


def mid_ranks(ratings: Sequence[float]) -> list[float]:
    """(mid-rank - 1/2) / n among the rater's own n ratings, in (0, 1); higher is better.

    For magnitude estimates, where a single 111111 would squeeze all other ratings together. Equal
    ratings share the mean of their ranks, so a rater who never varies gives 1/2.
    """
    ordered, n = sorted(ratings), len(ratings)
    return [(bisect_left(ordered, r) + bisect_right(ordered, r)) / (2 * n) for r in ratings]


SCALINGS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {
    "none": unscaled,
    "z": z_scores,
    "unit": unit_interval,
    "rank": mid_ranks,
}
"""What to do with the ratings of one rater. Each keeps the rater's order."""


def scale_raters(judgements: Sequence[Judgement], method: str) -> ScaledRatings:
    """Scale each rater's ratings using that rater's statistics, by a method of `SCALINGS`.

    A rating of NaN is no rating and stays NaN. A rater with fewer than `MIN_RATINGS` ratings has no
    scale: dropped as NaN and counted, since one hasty rater should not cost the whole table; the
    method ``none`` needs no scale and drops nobody.
    """
    try:
        scaling = SCALINGS[method]
    except KeyError:
        raise UnknownName("scaling of raters", method, SCALINGS) from None
    by_rater: dict[Hashable, list[int]] = {}
    for index, (rater, rating) in enumerate(judgements):
        indices = by_rater.setdefault(rater, [])
        if not math.isnan(rating):
            indices.append(index)
    scaled = [NAN] * len(judgements)
    too_few = constant = 0
    for indices in by_rater.values():
        ratings = [judgements[index][1] for index in indices]
        if method != "none":
            if len(ratings) < MIN_RATINGS:
                too_few += 1
                continue
            constant += min(ratings) == max(ratings)
        for index, value in zip(indices, scaling(ratings), strict=True):
            scaled[index] = value
    return ScaledRatings(scaled, len(by_rater), too_few, constant)

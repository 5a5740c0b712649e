"""Scale the ratings of each rater, because people use the same scale differently."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

NAN = float("nan")
MIN_RATINGS = 3
"""The smallest number of ratings by a rater that are scaled; two different ratings would always become the extremes."""
Judgement = tuple[Hashable, float]
"""A rater and a rating."""


@dataclass(frozen=True, slots=True)
class ScaledRatings:
    """Scaled ratings in the order of the judgements, and counts of raters."""

    ratings: list[float]
    """The scaled ratings; NaN for a rating that cannot be scaled."""
    raters: int
    too_few: int
    """The number of raters with fewer than `MIN_RATINGS` ratings, whose ratings become NaN."""
    constant: int
    """The number of raters with enough ratings, all of which are equal."""

    def describe(self) -> str:
        """Return a note on raters who could not be scaled; empty if there are none."""
        parts = []
        if self.too_few:
            parts.append(f"{self.too_few} with fewer than {MIN_RATINGS} ratings, which are not used")
        if self.constant:
            parts.append(f"{self.constant} who never vary")
        return f"raters: {self.raters}, of whom {', '.join(parts)}" if parts else ""


def z_scores(ratings: Sequence[float]) -> list[float]:
    """Return ratings standardised to mean 0 and (population) standard deviation 1; higher is better.

    Constant ratings become 0.
    """
    # Compared directly, because rounding may give equal decimals a deviation above 0.
    if min(ratings) == max(ratings):
        return [0.0] * len(ratings)
    # Exact sums make the result independent of the order of rows. Dividing by the largest rating keeps the
    # squares of huge magnitude estimates finite.
    largest = max(abs(rating) for rating in ratings)
    small = [rating / largest for rating in ratings]
    mean = math.fsum(small) / len(small)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in small) / len(small))
    # The deviation may be 0 if ratings differ in their last digits only.
    return [(r - mean) / deviation for r in small] if deviation else [0.0] * len(small)


def unit_interval(ratings: Sequence[float]) -> list[float]:
    """Return ratings scaled to 0..1 by the lowest and highest rating; higher is better.

    Mutton, Dras, Wan & Dale (2007, ACL) scale magnitude estimates like this before averaging. Constant ratings become
    NaN (0 / 0).
    """
    low, high = min(ratings), max(ratings)
    if low == high:
        return [NAN] * len(ratings)
    return [(r - low) / (high - low) for r in ratings]


def mid_ranks(ratings: Sequence[float]) -> list[float]:
    """Return (mid-rank - 1/2) / n for each of n ratings, in (0, 1); higher is better.

    This suits magnitude estimates, where another scaling would squeeze all ratings together because of a single
    111111. Equal ratings share their mean rank, so constant ratings become 1/2.
    """
    ordered, n = sorted(ratings), len(ratings)
    return [(bisect_left(ordered, r) + bisect_right(ordered, r)) / (2 * n) for r in ratings]


SCALINGS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {
    "z": z_scores,
    "unit": unit_interval,
    "rank": mid_ranks,
}
"""Methods that scale one rater's ratings, by name; each keeps the order of the ratings."""


def scale_raters(judgements: Sequence[Judgement], method: str) -> ScaledRatings:
    """Scale each rater's ratings using that rater's statistics, by a method of `SCALINGS`.

    Ratings of raters with fewer than `MIN_RATINGS` become NaN, and these raters are counted; an error would make the
    whole table unusable because of one rater.
    """
    by_rater: dict[Hashable, list[int]] = {}
    for index, (rater, _) in enumerate(judgements):
        by_rater.setdefault(rater, []).append(index)
    scaled = [NAN] * len(judgements)
    too_few = constant = 0
    for indices in by_rater.values():
        ratings = [judgements[index][1] for index in indices]
        if len(ratings) < MIN_RATINGS:
            too_few += 1
            continue
        constant += min(ratings) == max(ratings)
        for index, value in zip(indices, SCALINGS[method](ratings), strict=True):
            scaled[index] = value
    return ScaledRatings(scaled, len(by_rater), too_few, constant)

"""Scale the ratings of each rater, because people use the same scale differently."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

NAN = float("nan")
MIN_RATINGS = 3
"""The minimum number of ratings that a rater needs for scaling; two ratings would always become the two extremes."""
RaterRating = tuple[Hashable, float]
"""A rater and a rating."""


class ScaledRatings(NamedTuple):
    """Scaled ratings in the order of the judgements, and the number of raters that could not be scaled."""

    ratings: list[float]
    """The scaled ratings; NaN for a rating that cannot be scaled."""
    raters: int
    too_few: int
    """The number of raters with fewer than `MIN_RATINGS` ratings, whose ratings become NaN."""
    constant: int
    """The number of raters with enough ratings, all of which are equal."""

    def describe(self) -> str:
        """Return a note on raters who could not be scaled; an empty string if there are none."""
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
    # Compare values directly, because rounding may give equal decimals a deviation above 0.
    if min(ratings) == max(ratings):
        return [0.0] * len(ratings)
    # Exact sums make the result independent of the order of rows. Ratings are divided by the largest one so
    # that the squares of huge magnitude estimates stay finite.
    largest = max(abs(rating) for rating in ratings)
    small = [rating / largest for rating in ratings]
    mean = math.fsum(small) / len(small)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in small) / len(small))
    # The deviation may be 0 if ratings differ only in their last digits.
    return [(r - mean) / deviation for r in small] if deviation else [0.0] * len(small)


def unit_interval(ratings: Sequence[float]) -> list[float]:
    """Return ratings scaled so that the lowest becomes 0 and the highest 1; higher is better.

    Mutton, Dras, Wan & Dale (2007, ACL) scale magnitude estimates in this way before they average them. Constant
    ratings become NaN (0 / 0).
    """
    low, high = min(ratings), max(ratings)
    if low == high:
        return [NAN] * len(ratings)
    return [(r - low) / (high - low) for r in ratings]


def mid_ranks(ratings: Sequence[float]) -> list[float]:
    """Return (mid-rank - 1/2) / n for each of n ratings, in (0, 1); higher is better.

    This suits magnitude estimates: a single estimate of 111111 would make the other methods squeeze all other ratings
    together. Equal ratings share their mean rank, so constant ratings become 1/2.
    """
    ordered, n = sorted(ratings), len(ratings)
    return [(bisect_left(ordered, r) + bisect_right(ordered, r)) / (2 * n) for r in ratings]


SCALINGS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {
    "z": z_scores,
    "unit": unit_interval,
    "rank": mid_ranks,
}
"""Functions that scale the ratings of one rater, keyed by name; a higher rating never gets a lower value."""


def scale_raters(judgements: Sequence[RaterRating], method: str) -> ScaledRatings:
    """Scale each rater's ratings using that rater's statistics, by a method of `SCALINGS`.

    Ratings become NaN if their rater has given fewer than `MIN_RATINGS`. Such raters are counted; no error is raised,
    because a single rater would then make the whole table unusable.
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

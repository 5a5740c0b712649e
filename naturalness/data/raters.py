"""Scale the ratings of each rater, because people use the same scale differently."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence

NAN = float("nan")
MIN_RATINGS = 3
"""The minimum number of ratings that a rater needs for scaling; two ratings would always become the two extremes."""
RaterRating = tuple[Hashable, float]
"""A rater and a rating."""


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


SCALINGS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {"z": z_scores, "unit": unit_interval}
"""Functions that scale the ratings of one rater, keyed by name; a higher rating never gets a lower value."""


def scale_raters(judgements: Sequence[RaterRating], method: str) -> tuple[list[float], str]:
    """Scale each rater's ratings using that rater's statistics, by a method of `SCALINGS`.

    Return the scaled ratings in the order of the judgements, and a note on raters who could not be scaled, which is
    empty if there are none. Ratings become NaN if their rater has given fewer than `MIN_RATINGS`. No error is raised,
    because a single rater would then make the whole table unusable.
    """
    by_rater: dict[Hashable, list[int]] = {}
    for index, (rater, _) in enumerate(judgements):
        by_rater.setdefault(rater, []).append(index)
    scaled = [NAN] * len(judgements)
    few = 0
    for indices in by_rater.values():
        if len(indices) < MIN_RATINGS:
            few += 1
            continue
        values = SCALINGS[method]([judgements[index][1] for index in indices])
        for index, value in zip(indices, values, strict=True):
            scaled[index] = value
    note = f"raters: {len(by_rater)}, of whom {few} with fewer than {MIN_RATINGS} ratings, which are not used"
    return scaled, note if few else ""

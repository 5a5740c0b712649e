"""Opinions by item and rater, and agreement among raters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from naturalness.statistics.agreement import krippendorff
from naturalness.statistics.bootstrap import draw_rows, percentile_ends
from naturalness.studio.annotate.project.questions import Item, item, oriented
from naturalness.studio.annotate.project.records import SLIDER, Rating, Scale


class Opinion(NamedTuple):
    """A rater's first rating of an item, and later ratings from repeated questions."""

    rating: Rating
    later: tuple[Rating, ...] = ()

    @property
    def value(self) -> float:
        """Rating on the scale; for pairs, 1 if the text with the lower number is better, -1 if the other one is."""
        return _value(self.rating)

    @property
    def later_values(self) -> tuple[float, ...]:
        """Later ratings, in the same form as `value`."""
        return tuple(_value(rating) for rating in self.later)


def _value(rating: Rating) -> float:
    if rating.answer.value is None:
        raise ValueError("a skipped question has no value")
    return oriented(rating.question.texts, rating.answer.value)


def opinions(ratings: Sequence[Rating]) -> dict[Item, dict[str, Opinion]]:
    """Return the opinions keyed by item, then by rater, in the order of asking; skipped questions are left out.

    Only a rater's first rating counts: ratings of repeated questions measure the rater's consistency, and two ratings
    by one person would look like agreement between two.
    """
    by_item: dict[Item, dict[str, Opinion]] = {}
    for rating in sorted(ratings, key=lambda rating: rating.question.number):
        if rating.answer.value is None:
            continue
        by_rater = by_item.setdefault(item(rating.question.texts), {})
        first = by_rater.get(rating.question.rater)
        if first is None:
            by_rater[rating.question.rater] = Opinion(rating)
        else:
            by_rater[rating.question.rater] = Opinion(first.rating, (*first.later, rating))
    return by_item


MIN_ITEMS = 20
"""Minimum number of shared items for an alpha with an interval; pages show no alpha for fewer."""
RESAMPLES = 200
"""Number of bootstrap resamples of the items, enough for two decimals of the interval's ends."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Agreement of two raters."""

    first: str
    second: str
    items: int
    """Number of texts (or pairs of texts) that both have rated."""
    alpha: float
    """Krippendorff's alpha, up to 1; 0 is chance. NaN if all ratings are equal or no item is shared."""
    same: float
    """Share of the items with the same rating, 0..1."""
    interval: tuple[float, float]
    """95 % interval of alpha; NaN for fewer than `MIN_ITEMS` items."""


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement among all raters of a project."""

    items: int
    """Number of items rated by at least two raters."""
    alpha: float
    """Krippendorff's alpha of all raters; NaN if undefined."""
    interval: tuple[float, float]
    """95 % interval of alpha; NaN for fewer than `MIN_ITEMS` items."""
    pairs: tuple[PairAgreement, ...]
    """Agreement of each pair of raters with shared items; pairs with the most shared items come first."""


def agree(by_item: Mapping[Item, Mapping[str, Opinion]], scale: Scale) -> RaterAgreement:
    """Return all measures of agreement; labels, points and pairs count as ordinal, a slider as interval."""
    level = "interval" if scale.kind == SLIDER else "ordinal"
    several = [[o.value for o in by_rater.values()] for by_rater in by_item.values() if len(by_rater) > 1]
    raters = sorted({rater for by_rater in by_item.values() for rater in by_rater})
    pairs = []
    for a, b in combinations(raters, 2):
        both = [(s[a].value, s[b].value) for s in by_item.values() if a in s and b in s]
        if both:
            pairs.append(_pair(a, b, both, level))
    return RaterAgreement(
        items=len(several),
        alpha=krippendorff(several, level),
        interval=_interval(several, level),
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.items)),
    )


def _pair(first: str, second: str, both: Sequence[tuple[float, float]], level: str) -> PairAgreement:
    same = sum(x == y for x, y in both) / len(both)
    return PairAgreement(first, second, len(both), krippendorff(both, level), same, _interval(both, level))


def _interval(items: Sequence[Sequence[float]], level: str) -> tuple[float, float]:
    """Return the 95 % percentile interval of alpha over resamples of the items."""
    if len(items) < MIN_ITEMS:
        return math.nan, math.nan
    drawn = draw_rows(np.arange(len(items)), RESAMPLES, seed=0)
    return percentile_ends([krippendorff([items[row] for row in rows], level) for rows in drawn])

"""Opinions by item and rater, and agreement of raters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from naturalness.statistics.agreement import krippendorff
from naturalness.studio.annotate.project.questions import Item, item, oriented
from naturalness.studio.annotate.project.records import SLIDER, Rating, Scale


@dataclass(frozen=True, slots=True)
class Opinion:
    """A rater's rating, and the later ones of repeated questions."""

    rating: Rating
    later: tuple[Rating, ...] = ()

    @property
    def value(self) -> float:
        """On the scale; of pairs 1 where the text of the lower number is better."""
        return _value(self.rating)

    @property
    def later_values(self) -> tuple[float, ...]:
        """The same of the later ratings."""
        return tuple(_value(rating) for rating in self.later)


def _value(rating: Rating) -> float:
    if rating.answer.value is None:
        raise ValueError("a skipped question has no value")
    return oriented(rating.question.texts, rating.answer.value)


def opinions(ratings: Sequence[Rating]) -> dict[Item, dict[str, Opinion]]:
    """Return the opinions by item, then by rater, in the order of asking, without skipped questions.

    The rating that was asked for first counts: that of a repeated question measures the rater, and two ratings of one
    person would look like the agreement of two.
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


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Agreement of two raters; of one rater with herself or himself where ``first`` is ``second``."""

    first: str
    second: str
    items: int
    """Texts (or pairs of texts) that both have rated."""
    alpha: float
    """Krippendorff's, up to 1; 0 is chance. NaN where nothing differs, or nothing is shared."""
    same: float
    """Share of the items with the same rating, 0..1; NaN without items."""


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement of all raters of a project."""

    level: str
    """What alpha counts as a small difference: ordinal, or interval for a slider."""
    items: int
    """Rated by two raters or more."""
    alpha: float
    """Of all raters at once; NaN where it is undefined."""
    pairs: tuple[PairAgreement, ...]
    """Of raters who share items, those who share most first."""
    themselves: tuple[PairAgreement, ...]
    """Of each rater who was asked something again: the first rating and the next."""


def agree(by_item: Mapping[Item, Mapping[str, Opinion]], scale: Scale) -> RaterAgreement:
    """Return all figures of agreement; labels, points and pairs count as ordered, a slider as evenly spaced."""
    level = "interval" if scale.kind == SLIDER else "ordinal"
    several = [[o.value for o in by_rater.values()] for by_rater in by_item.values() if len(by_rater) > 1]
    raters = sorted({rater for by_rater in by_item.values() for rater in by_rater})
    pairs = []
    for a, b in combinations(raters, 2):
        both = [(s[a].value, s[b].value) for s in by_item.values() if a in s and b in s]
        if both:
            pairs.append(_pair(a, b, both, level))
    themselves = []
    for rater in raters:
        opinions_of_rater = [by_rater[rater] for by_rater in by_item.values() if rater in by_rater]
        twice = [(o.value, o.later_values[0]) for o in opinions_of_rater if o.later]
        if twice:
            themselves.append(_pair(rater, rater, twice, level))
    return RaterAgreement(
        level=level,
        items=len(several),
        alpha=krippendorff(several, level),
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.items)),
        themselves=tuple(themselves),
    )


def _pair(first: str, second: str, both: Sequence[tuple[float, float]], level: str) -> PairAgreement:
    same = sum(x == y for x, y in both) / len(both) if both else math.nan
    return PairAgreement(first, second, len(both), krippendorff(both, level), same)

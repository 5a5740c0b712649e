"""What each rater says of each item: one opinion per rater, however often they were asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.annotate.project.records import Rating
from naturalness.annotate.project.standing import Item, item


@dataclass(frozen=True, slots=True)
class Opinion:
    """The rating of a rater, and those given when asked again."""

    rating: Rating
    later: tuple[Rating, ...] = ()

    @property
    def value(self) -> float:
        """On the scale; of pairs 1 where the text of the lower number is better."""
        return oriented(self.rating)

    @property
    def later_values(self) -> tuple[float, ...]:
        """The same of the later ratings."""
        return tuple(oriented(rating) for rating in self.later)


def oriented(rating: Rating) -> float:
    """A value as if the text of the lower number had stood first."""
    value, texts = rating.answer.value, rating.question.texts
    if value is None:
        raise ValueError("a skipped question has no value")
    return value if texts == item(texts) else 0.0 - value


def opinions(ratings: Sequence[Rating]) -> dict[Item, dict[str, Opinion]]:
    """By item, then by rater, in the order in which they were asked; no skipped ones.

    The rating that was asked for first counts: that of a repeated question measures the rater, and
    two ratings of one person would look like the agreement of two.
    """
    found: dict[Item, dict[str, Opinion]] = {}
    for rating in sorted(ratings, key=lambda one: one.question.number):
        if rating.answer.value is None:
            continue
        said = found.setdefault(item(rating.question.texts), {})
        first = said.get(rating.question.rater)
        if first is None:
            said[rating.question.rater] = Opinion(rating)
        else:
            said[rating.question.rater] = Opinion(first.rating, (*first.later, rating))
    return found

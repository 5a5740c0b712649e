"""From ratings to labels: thresholds on the mean or on the share of votes, and floors under them.

The rules that papers state are in `RULES`; any other is a `LabelRule` with one's own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from naturalness.errors import NaturalnessError, TableError, UnknownName

NATURAL, NOT_SURE, UNNATURAL = "natural", "not sure", "unnatural"
Middle = Literal["leave out", "not sure"]
MIDDLES: tuple[Middle, ...] = ("leave out", "not sure")
SAME = 1e-9
"""Measures as close as this are equal: a mean of decimals may miss its bound by a rounding error.
Far below any real difference, for a rating or a share of votes."""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """When ratings make a text natural; ratings are higher for better texts.

    The measure is the mean of the single ratings of an aspect, or, with ``votes_from``, the share
    of positive votes among them, 0..1.
    """

    natural_from: float
    """The measure from here on: natural."""
    unnatural_below: float | None = None
    """The measure below this: unnatural. None: the same as ``natural_from``."""
    strict: bool = False
    """The bounds themselves belong to the middle: "more than 70 %", "less than 30 %"."""
    votes_from: float | None = None
    """A single rating from here on is a positive vote."""
    floor: float | None = None
    """A single rating below it makes the text unnatural."""
    middle: Middle = "leave out"
    """What a text between the bounds is."""
    source: str = ""
    """The paper."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def needs_single_ratings(self) -> bool:
        """Whether a mean alone does not tell the label."""
        return self.floor is not None or self.votes_from is not None

    @property
    def classes(self) -> list[str]:
        """The labels that can occur, worst to best."""
        three = self.middle == NOT_SURE
        return [UNNATURAL, NOT_SURE, NATURAL] if three else [UNNATURAL, NATURAL]

    @property
    def lower(self) -> float:
        """The bound below which a text is unnatural."""
        return self.natural_from if self.unnatural_below is None else self.unnatural_below

    def measure(self, single: Sequence[float], mean: float = math.nan) -> float:
        """What the bounds are compared with; NaN where nothing is known.

        Mean of the single ratings, or share of those that are positive votes, 0..1. Higher is
        more natural. The given mean counts only where there are no single ratings.
        """
        known = [rating for rating in single if not math.isnan(rating)]
        if not known:
            if self.needs_single_ratings and not math.isnan(mean):
                raise TableError(needs_single_ratings(self))
            return mean
        if self.votes_from is not None:
            return sum(rating >= self.votes_from - SAME for rating in known) / len(known)
        return math.fsum(known) / len(known)

    def label(self, aspects: Sequence[Sequence[float]], means: Sequence[float] | None = None) -> str | None:
        """The label of a text by its single ratings, one sequence per aspect (fluency, grammar).

        Natural needs every aspect natural; one unnatural aspect makes the text unnatural; the
        others are the middle. None is left out: the middle, or an aspect without ratings and no
        other that settles it. ``means``, one per aspect, are for aspects without single ratings; a
        rule that needs those raises a TableError, since no label would be right.
        """
        given = [math.nan] * len(aspects) if means is None else means
        found = [self._side(one, mean) for one, mean in zip(aspects, given, strict=True)]
        if UNNATURAL in found:
            return UNNATURAL
        if not found or None in found:
            return None
        if all(side == NATURAL for side in found):
            return NATURAL
        return NOT_SURE if self.middle == NOT_SURE else None

    def _side(self, single: Sequence[float], mean: float) -> str | None:
        """Natural, not sure (the middle) or unnatural by one aspect; None where it is unknown."""
        measure = self.measure(single, mean)
        if math.isnan(measure):
            return None
        if self.floor is not None and any(rating < self.floor - SAME for rating in single):
            return UNNATURAL
        margin = SAME if self.strict else -SAME
        if measure >= self.natural_from + margin:
            return NATURAL
        return UNNATURAL if measure < self.lower - SAME else NOT_SURE

    def describe(self) -> str:
        """The rule in one line, for a reader."""
        votes = self.votes_from is not None
        what = f"share of votes (ratings from {self.votes_from:g} on)" if votes else "mean rating"
        parts = [f"natural {'above' if self.strict else 'from'} a {what} of {self.natural_from:g}"]
        if self.strict or self.unnatural_below not in (None, self.natural_from):
            parts.append(f"unnatural below {self.lower:g}")
            middle = "not sure" if self.middle == NOT_SURE else "left out"
            parts.append(f"{middle} between")
        if self.floor is not None:
            parts.append(f"unnatural with any rating below {self.floor:g}")
        return "; ".join(parts) + (f" ({self.source})" if self.source else "")


def _check(rule: LabelRule) -> None:
    """Refuse rules that cannot mean anything."""
    numbers = {
        "natural_from": rule.natural_from,
        "unnatural_below": rule.unnatural_below,
        "votes_from": rule.votes_from,
        "floor": rule.floor,
    }
    for name, number in numbers.items():
        if number is not None and not math.isfinite(number):
            raise NaturalnessError(f"label rule: {name} is {number}; expected a finite number")
    if rule.natural_from < rule.lower:
        raise NaturalnessError(
            f"label rule: natural from {rule.natural_from:g} on, but unnatural below "
            f"{rule.lower:g}: a text could be both; lower unnatural_below or raise natural_from"
        )
    for name in ("natural_from", "unnatural_below"):
        bound = numbers[name]
        if rule.votes_from is not None and bound is not None and not 0 <= bound <= 1:
            raise NaturalnessError(
                f"label rule: {name} is {bound:g}, but with votes_from the bounds are shares of "
                "votes; expected 0 to 1, as 0.7 for 70 %"
            )
    if rule.middle not in MIDDLES:
        raise UnknownName("middle of a label rule", rule.middle, MIDDLES)
    if rule.middle == NOT_SURE and not rule.strict and rule.natural_from == rule.lower:
        raise NaturalnessError(
            "label rule: no text could be 'not sure', because natural and unnatural meet at "
            f"{rule.natural_from:g}; give an unnatural_below under it, or leave the middle out"
        )


def needs_single_ratings(rule: LabelRule) -> str:
    """Why a rule cannot label by means, and what to do: the message of an error."""
    reason = (
        f"the floor of {rule.floor:g}" if rule.floor is not None else f"the share of votes from {rule.votes_from:g} on"
    )
    named = f" of {rule.source}" if rule.source else ""
    return (
        f"the label rule{named} needs single ratings for {reason}, and only means are given; name "
        "columns of single ratings with --ratings-columns (or --rating-columns and "
        "--rater-column), or use a rule on the mean alone"
    )


_GROVES = "Groves, Tian & Douratsos 2018, INLG, W18-6512"
RULES: Mapping[str, LabelRule] = {
    # Votes are 0 or 1; a sentence that judges disagree about teaches nothing, so it is left out.
    "groves2018-votes": LabelRule(0.7, 0.3, strict=True, votes_from=1, source=_GROVES),
    # The third class that the authors propose as next step.
    "groves2018-votes-not-sure": LabelRule(
        0.7, 0.3, strict=True, votes_from=1, middle="not sure", source=f"{_GROVES}, future work"
    ),
    # On 1..6. The floor implies the mean; both are kept as the paper states them.
    "groves2018-likert": LabelRule(5, floor=5, source=_GROVES),
    # Where only medians or means are public: an upper bound on "natural", not the paper's label.
    "groves2018-likert-proxy": LabelRule(5, source=f"proxy without floor for {_GROVES}"),
    # On 1..3, with fluency and grammaticality as two aspects.
    "groves2018-webnlg": LabelRule(2.6, floor=2, source=_GROVES),
    # On 1..4.
    "heilman2014-gug": LabelRule(3.5, source="Heilman et al. 2014, ACL, P14-2029"),
}


def rule_named(name: str) -> LabelRule:
    """The rule of a paper, by its name in `RULES`."""
    try:
        return RULES[name]
    except KeyError:
        raise UnknownName("label rule", name, RULES) from None

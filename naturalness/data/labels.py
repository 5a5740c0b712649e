"""Labels that a table contains or that rules derive from ratings.

A rule has thresholds for the mean rating or for the share of positive votes, and optionally a minimum for individual
ratings. `RULES` contains rules from papers; create others with `LabelRule`. The rules and the known orders of labels
are stored in `labels.toml`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from naturalness.errors import NaturalnessError, TableError, UnknownName, advice, listing
from naturalness.files.toml import read_beside

NATURAL, UNNATURAL = "natural", "unnatural"
CLASSES = (UNNATURAL, NATURAL)
"""The labels that a rule gives, from worst to best."""
SAME = 1e-9
"""The tolerance in comparisons with bounds, which absorbs rounding errors in means."""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """A rule that derives labels from ratings; a higher rating is better.

    The rule compares a measure of each aspect with bounds. The measure is the mean of the individual ratings or, if
    ``votes_from`` is set, the share of positive votes among them, 0..1.
    """

    natural_from: float
    """The lower bound of the measure for natural texts, inclusive."""
    unnatural_below: float | None = None
    """The measure below which a text is unnatural; None means ``natural_from``."""
    strict: bool = False
    """Whether a measure equal to a bound is neither natural nor unnatural, as in "more than 70 %", "less than 30 %"."""
    votes_from: float | None = None
    """The lowest individual rating that counts as a positive vote; None if ratings are not counted as votes."""
    floor: float | None = None
    """The bound below which a single individual rating makes the text unnatural; None means no such bound."""
    source: str = ""
    """The paper from which the rule is taken."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def needs_single_ratings(self) -> bool:
        """Whether the rule needs individual ratings, because their mean is not enough."""
        return self.floor is not None or self.votes_from is not None

    @property
    def lower(self) -> float:
        """The measure below which a text is unnatural."""
        return self.natural_from if self.unnatural_below is None else self.unnatural_below

    def measure(self, single: Sequence[float], mean: float = math.nan) -> float:
        """Return the measure that is compared with the bounds; NaN if it is unknown.

        The measure is the mean of the individual ratings, or the share of positive votes among them, 0..1; a higher
        measure is more natural. ``mean`` is used only if there are no individual ratings.
        """
        known = [rating for rating in single if not math.isnan(rating)]
        if not known:
            return math.nan if self.needs_single_ratings else mean
        if self.votes_from is not None:
            return sum(rating >= self.votes_from - SAME for rating in known) / len(known)
        return math.fsum(known) / len(known)

    def label(self, aspects: Sequence[Sequence[float]], means: Sequence[float] | None = None) -> str | None:
        """Return the label of a text, given its individual ratings for each aspect (such as fluency or grammar).

        A text is natural if all its aspects are natural, and unnatural if any aspect is unnatural. None means that the
        text is left out: an aspect is between the bounds or has no ratings, and no other aspect is unnatural.
        ``means``, one per aspect, are used for aspects that have no individual ratings, unless the rule needs them.
        """
        means = [math.nan] * len(aspects) if means is None else means
        sides = [self._side(single, mean) for single, mean in zip(aspects, means, strict=True)]
        if UNNATURAL in sides:
            return UNNATURAL
        return NATURAL if set(sides) == {NATURAL} else None

    def _side(self, single: Sequence[float], mean: float) -> str | None:
        """Return the label of one aspect; None if it is between the bounds or unknown."""
        measure = self.measure(single, mean)
        if math.isnan(measure):
            return None
        if self.floor is not None and any(rating < self.floor - SAME for rating in single):
            return UNNATURAL
        margin = SAME if self.strict else -SAME
        if measure >= self.natural_from + margin:
            return NATURAL
        return UNNATURAL if measure < self.lower - SAME else None

    def describe(self) -> str:
        """Return a description of the rule in one line."""
        votes = self.votes_from is not None
        what = f"share of votes (ratings from {self.votes_from:g} on)" if votes else "mean rating"
        parts = [f"natural {'above' if self.strict else 'from'} a {what} of {self.natural_from:g}"]
        if self.strict or self.unnatural_below not in (None, self.natural_from):
            parts.append(f"unnatural below {self.lower:g}; left out between")
        if self.floor is not None:
            parts.append(f"unnatural with any rating below {self.floor:g}")
        return "; ".join(parts) + (f" ({self.source})" if self.source else "")


def _check(rule: LabelRule) -> None:
    """Raise an error if the settings of a rule contradict each other or are out of range."""
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
                "votes; expected 0 to 1, such as 0.7 for 70 %"
            )


_DATA = read_beside(__file__)
RULES: Mapping[str, LabelRule] = {name: LabelRule(**rule) for name, rule in _DATA["rules"].items()}
"""Label rules from papers, keyed by name."""


def rule_named(name: str) -> LabelRule:
    """Return the rule that has this name in `RULES`; raise an error if there is none."""
    try:
        return RULES[name]
    except KeyError:
        raise UnknownName("label rule", name, RULES) from None


# Unify equivalent spellings of labels in a table, and order the classes.

PAIRS: tuple[tuple[str, str], ...] = tuple((worse, better) for worse, better in _DATA["pairs"])
"""Pairs of labels whose order is known, the worse label first."""
MIDDLE: tuple[str, ...] = tuple(_DATA["middle"])
"""Labels that may rank between the two labels of a pair."""
JOINT = re.compile(r"(?<=\w)[-_]+(?=\w)")
"""A pattern for hyphens and underscores between words, which are replaced by blanks."""


def label_key(label: str) -> str:
    """Return a normal form of a label, ignoring case, blanks, and hyphens between words; 1.0 becomes 1."""
    # A hyphen at the edge of a word is a minus sign or part of a grade: -1 is not 1, and A- is not A.
    key = " ".join(JOINT.sub(" ", label.casefold()).split())
    return {"1.0": "1", "0.0": "0", "-1.0": "-1"}.get(key, key)


def unify(labels: Iterable[str]) -> dict[str, str]:
    """Map each spelling of a label to the most frequent equivalent spelling; the first one wins a tie."""
    spellings: dict[str, Counter[str]] = {}
    for label in labels:
        spellings.setdefault(label_key(label), Counter())[label] += 1
    return {label: counts.most_common(1)[0][0] for counts in spellings.values() for label in counts}


def known_order(classes: Sequence[str], where: str) -> list[str]:
    """Return classes from worst to best if their names imply an order; otherwise raise `TableError`."""
    by_key = {label_key(name): name for name in classes}
    for worse, better in PAIRS:
        for middle in MIDDLE:
            order = (worse, middle, better)
            # A table whose only label is a middle one would match every pair.
            if set(by_key) <= set(order) and {worse, better} & set(by_key):
                return [by_key[key] for key in order if key in by_key]
    raise TableError(
        f"{where} holds the labels {listing(sorted(classes))}, whose order is not known; name them with "
        "`labels=worst,…,best` (if they are ratings, name the column with `rating_columns`, and write plain numbers)"
    )


def match_order(order: Sequence[str], classes: Sequence[str], where: str) -> dict[str, str]:
    """Map each class of the table to its spelling in ``order``; classes that ``order`` does not name are left out.

    Raise `TableError` if ``order`` names a class that the table lacks, because a misspelt class would otherwise be
    lost silently.
    """
    by_key = {label_key(name): name for name in order}
    if len(by_key) < len(order) or len(order) < 2:
        raise TableError(f"`labels={','.join(order)}`: expected two or more different labels, worst first")
    keys = {label_key(name): name for name in classes}
    for key, name in by_key.items():
        if key not in keys:
            holds = f"it holds: {listing(sorted(classes))}"
            raise TableError(f"{where} holds no label {name!r}{advice(name, classes, holds)}")
    return {keys[key]: name for key, name in by_key.items()}


def majority(labels: Sequence[str], order: Sequence[str]) -> str | None:
    """Return the most frequent label; None if there are none.

    The worst label wins a tie, so that a text is called natural only if that is beyond doubt.
    """
    counts = Counter(labels)
    if not counts:
        return None
    highest = max(counts.values())
    return next(name for name in order if counts[name] == highest)

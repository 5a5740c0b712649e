"""Which causes and findings raise and lower each system, compared with the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from naturalness.judging.fields import LOG_ODDS
from naturalness.pages.formats import enumeration
from naturalness.reports.systems.answers import SENTENCES, TOTAL, Measured, cause_column, kind_column
from naturalness.reports.systems.resampling import Statistic, Sums, less_others, mean_or_rate
from naturalness.statistics.bootstrap import Interval
from naturalness.statistics.significance import ALPHA, holm

TITLES: Mapping[str, str] = {
    "agreement": "subject and verb do not agree",
    "noun": "form of a noun",
    "verb": "form of a verb",
    "article": "article",
    "preposition": "preposition",
    "pronoun": "pronoun",
    "order": "word order",
    "repeated": "said twice",
    "missing": "a word missing",
    "extra": "a word too many",
    "wrong": "wrong word",
    "form": "wrong form of a word",
    "join": "sentences run together",
    "spelling": "spelling, typing",
    "unlikely": "surprising word",
    "attachment": "unclear what belongs to what",
    "disliked": "word that lowers the expected rating",
    "long": "very long",
    "fragment": "no full sentence",
}
"""By key, as in `explaining.causes.KINDS`."""


MAX_NAMED = 3
"""Causes of a system that a sentence names, at most."""
MIN_RELATIVE_SIZE = 0.2
"""Of the strongest, from which on a cause is named beside it."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a cause adds to a system's texts, or how often a kind of finding stands in them."""

    system: str
    name: str
    """Key of the cause, or kind of the findings."""
    title: str
    value: float
    """Mean contribution per text, in the model's unit; findings per 100 sentences."""
    beyond: Interval
    """``value`` less the mean over the other systems, each counted once."""
    corrected: float = math.nan
    """p of ``beyond``, corrected over all systems and causes (Holm)."""

    @property
    def stands_out(self) -> bool:
        """Whether the system differs here from the others beyond chance."""
        return self.corrected < ALPHA


def shares_of_causes(
    systems: Sequence[str], causes: Mapping[str, str], measured: Measured, sums: Sums
) -> tuple[Share, ...]:
    """Return what each cause adds to each system, by system; ``causes`` gives titles by key."""
    return tuple(
        _corrected(
            [
                share
                for cause, title in causes.items()
                for share in _shares(systems, cause, title, measured[cause_column(cause)], None, sums)
            ]
        )
    )


def shares_of_totals(systems: Sequence[str], measured: Measured, sums: Sums) -> tuple[Share, ...]:
    """Return what all causes of a system add up to: its score before it is put between 0 and 1."""
    return tuple(_corrected(list(_shares(systems, "", "all causes", measured[TOTAL], None, sums))))


def shares_of_kinds(
    systems: Sequence[str], kinds: Mapping[str, str], measured: Measured, sums: Sums
) -> tuple[Share, ...]:
    """Return sure findings of each kind per 100 sentences of each system; ``kinds`` gives titles."""
    return tuple(
        _corrected(
            [
                share
                for kind, title in kinds.items()
                for share in _shares(systems, kind, title, measured[kind_column(kind)], measured[SENTENCES], sums)
            ]
        )
    )


def _shares(
    systems: Sequence[str], name: str, title: str, above: int, below: int | None, sums: Sums
) -> Iterator[Share]:
    def value(system: int) -> Statistic:
        return mean_or_rate(system, above, below)

    for number, system in enumerate(systems):
        beyond = less_others(value, number, len(systems))
        p = sums.test(beyond, number).p
        system_value = float(value(number)(sums.whole)[0])
        yield Share(system, name, title, system_value, sums.figure(beyond, number), p)


def _corrected(shares: Sequence[Share]) -> list[Share]:
    corrected = holm([share.corrected for share in shares])
    return [replace(share, corrected=p) for share, p in zip(shares, corrected, strict=True)]


def tell_causes(systems: Sequence[str], shares: Sequence[Share], unit: str) -> dict[str, str]:
    """Say in a sentence per system by which causes it differs from the others.

    ``C loses 0.80 log-odds by agreement and number, and gains 0.21 by spelling and typing, compared
    with the other systems.`` Of two systems the second has one: the first's would be its mirror.
    """
    if len(systems) < 2:
        return {}
    beside = f"compared with {systems[0]}" if len(systems) == 2 else "compared with the other systems"
    return {
        system: _sentence(system, [s for s in shares if s.system == system], unit, beside)
        for system in (systems[1:] if len(systems) == 2 else systems)
    }


def _sentence(system: str, shares: Sequence[Share], unit: str, others: str) -> str:
    salient = sorted((s for s in shares if s.stands_out), key=lambda s: -abs(s.beyond.value))
    if not salient:
        return f"No cause of {system} stands out {others}."
    salient = [s for s in salient if abs(s.beyond.value) >= MIN_RELATIVE_SIZE * abs(salient[0].beyond.value)]
    lost = _listed([share for share in salient if share.beyond.value < 0][:MAX_NAMED], unit)
    gained = _listed([share for share in salient if share.beyond.value > 0][:MAX_NAMED], unit)
    clauses = [f"loses {lost}"] if lost else []
    clauses += [f"gains {gained}"] if gained else []
    # What weighs more is said first.
    if len(clauses) > 1 and salient[0].beyond.value > 0:
        clauses.reverse()
    return f"{system} {', and '.join(clauses)}, {others}."


def _listed(shares: Sequence[Share], unit: str) -> str:
    named = f" {unit}" if unit == LOG_ODDS else " points"
    parts = [f"{amount(share.beyond.value)}{'' if i else named} by {share.title}" for i, share in enumerate(shares)]
    return enumeration(parts)


def amount(value: float) -> str:
    """Write a size with two decimals, or three where two say nothing."""
    return f"{abs(value):.2f}" if abs(value) >= 0.095 else f"{abs(value):.3f}"

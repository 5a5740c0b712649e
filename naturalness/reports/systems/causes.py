"""Find the causes and findings that raise or lower the scores of each system compared with the other systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from naturalness.explaining.causes import TABLES
from naturalness.pages.formats import change, enumeration
from naturalness.reports.systems.resampling import Sums, less_others, mean
from naturalness.statistics.bootstrap import Interval
from naturalness.statistics.significance import ALPHA, with_holm

TITLES: Mapping[str, str] = TABLES["findings"]
"""The titles of kinds of findings, keyed as in `explaining.causes.KINDS`."""
MAX_NAMED = 3
"""The largest number of causes that a sentence names for a system."""


@dataclass(frozen=True, slots=True)
class CauseShare:
    """A cause's mean contribution to the scores of a system's texts, or the rate of a kind of finding in these
    texts.
    """

    system: str
    name: str
    """The key of the cause, or the kind of the findings."""
    title: str
    value: float
    """The mean contribution per text, in the model's unit, or the number of findings per 100 sentences."""
    beyond: Interval
    """The difference between ``value`` and its mean over the other systems, which are weighted equally."""
    corrected: float = math.nan
    """The p-value of ``beyond``, corrected for the number of systems and causes (Holm)."""

    @property
    def stands_out(self) -> bool:
        """Whether the system differs significantly from the mean of the others."""
        return self.corrected < ALPHA


def shares(
    systems: Sequence[str], titles: Mapping[str, str], columns: Sequence[int], sums: Sums, below: int | None = None
) -> tuple[CauseShare, ...]:
    """Return the mean of each column for each system or, if ``below`` is given, 100 times its sum divided by the sum of
    that column. ``titles`` maps the columns' causes or kinds of findings to titles.
    """
    every, p_values = [], []
    for (name, title), column in zip(titles.items(), columns, strict=True):
        for number, system in enumerate(systems):
            beyond = less_others(lambda system, column=column: mean(system, column, below), number, len(systems))  # type: ignore[misc]
            p_values.append(sums.test(beyond, number).p)
            value = sums.value(mean(number, column, below))
            every.append(CauseShare(system, name, title, value, sums.figure(beyond, number)))
    return tuple(with_holm(every, p_values))


def tell_causes(systems: Sequence[str], shares: Sequence[CauseShare], unit: str) -> dict[str, str]:
    """Return, for each system, a sentence on the causes in which it differs most from the others.

    Example: ``C, compared with the other systems: −0.80 by agreement and number and +0.21 by spelling and typing, in
    log-odds.`` If there are two systems, only the second gets a sentence, because the first one's would mirror it.
    """
    if len(systems) < 2:
        return {}
    others = f"compared with {systems[0]}" if len(systems) == 2 else "compared with the other systems"
    sentences = {}
    for system in systems[1:] if len(systems) == 2 else systems:
        of_system = [share for share in shares if share.system == system]
        if all(math.isnan(share.beyond.value) for share in of_system):
            sentences[system] = f"{system}, {others}: no texts with a score to compare."
            continue
        salient = [share for share in of_system if share.stands_out]
        salient = sorted(salient, key=lambda share: -abs(share.beyond.value))[:MAX_NAMED]
        named = enumeration([f"{change(share.beyond.value, 2)} by {share.title}" for share in salient])
        sentences[system] = f"{system}, {others}: {named or 'no cause stands out'}{f', in {unit}' if named else ''}."
    return sentences

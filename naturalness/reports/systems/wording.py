"""Which systems differ, and what became of a run, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from naturalness.pages.formats import between, change
from naturalness.reports.systems.causes import NAMED as CAUSES
from naturalness.reports.systems.causes import amount
from naturalness.reports.systems.changes import SAME
from naturalness.reports.systems.pairs import Pair, groups_of
from naturalness.reports.systems.runs import Moved, Runs

NAMED = 5
"""Systems that a sentence names; of more it says how many."""
EXCEPTIONS = 6
"""Sentences on single systems of groups."""


def joined(names: Sequence[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``; of many the first and how many more."""
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} others"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def tell_groups(order: Sequence[str], pairs: Sequence[Pair], few: Sequence[str]) -> list[str]:
    """Sentences on who sounds more natural than whom.

    ``order`` has the systems with enough texts, best first; ``few`` those that have too few.
    """
    out = _groups(order, pairs) if len(order) > 1 else []
    if few:
        verb = "has" if len(few) == 1 else "have"
        out.append(f"{joined(few)} {verb} too few texts to be compared.")
    return out


def _groups(order: Sequence[str], pairs: Sequence[Pair]) -> list[str]:
    groups = groups_of(order, pairs)
    if len(groups) == 1:
        who = "The two systems" if len(order) == 2 else f"All {len(order)} systems"
        sure = "cannot be told apart by how natural they sound"
        return [f"{who} {sure}: {joined(order)}."]
    if len(order) == 2:
        pair = next(one for one in pairs if {one.first, one.second} == set(order))
        low, high = pair.difference.low, pair.difference.high
        told = f"{pair.first} sounds more natural than {pair.second}"
        return [f"{told}, by {pair.difference.value:.3f} (95 % interval {low:.3f} to {high:.3f})."]
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.differs}
    out, rest = [], []
    for i, group in enumerate(groups):
        later = [system for other in groups[i + 1 :] for system in other]
        beaten = [other for other in later if all(frozenset((one, other)) in differ for one in group)]
        out += _sentence(group, beaten, everything=bool(later) and beaten == later)
        others = [other for other in later if other not in beaten]
        rest += _exceptions(group, others, differ)
    more = ["The table of pairs has the rest."] if len(rest) > EXCEPTIONS else []
    return [*out, *rest[:EXCEPTIONS], *more]


def _sentence(group: Sequence[str], beaten: Sequence[str], *, everything: bool) -> list[str]:
    apart = "cannot be told apart"
    if not beaten:
        return [f"{joined(group)} {apart}."] if len(group) > 1 else []
    than = "all others" if everything and len(beaten) > NAMED else joined(beaten)
    if len(group) == 1:
        return [f"{group[0]} sounds more natural than {than}."]
    who = "both" if len(group) == 2 else "all"
    return [f"{joined(group)} {apart}; {who} sound more natural than {than}."]


def _exceptions(group: Sequence[str], others: Sequence[str], differ: set[frozenset[str]]) -> list[str]:
    """What is true of single systems of a group: whom they beat, whom they do not differ from."""
    out = []
    for one in group:
        beaten = [other for other in others if frozenset((one, other)) in differ]
        close = [other for other in others if other not in beaten]
        out += [f"{one} sounds more natural than {joined(beaten)}."] if beaten else []
        out += [f"{one} cannot be told from {joined(close)}."] if close else []
    return out


def tell_runs(runs: Runs) -> str:
    """What became of the mean, in a sentence, and of single texts in another."""
    moved, difference = runs.mean, runs.mean.change
    if math.isnan(difference.value):
        return "No text has a score in both runs, so they cannot be compared."
    told = f"mean naturalness {moved.before:.3f} before, {moved.after:.3f} now"
    if math.isnan(difference.low):
        return f"Too few texts to tell a change from chance: {told}."
    told += f" ({change(difference.value)}; 95 % interval {between(difference.low, difference.high, change)})"
    if runs.is_worse:
        first = f"The texts sound less natural than before: {told}."
    elif runs.is_better:
        first = f"The texts sound more natural than before: {told}."
    else:
        first = f"No change that can be told from chance: {told}."
    if math.isnan(runs.worse):
        return first
    n, rest = runs.n_compared[1], abs(1 - runs.worse - runs.better)
    shares = f"{runs.worse:.0%} fell, {runs.better:.0%} rose and {rest:.0%} stayed within {SAME}"
    return f"{first} Of {n:,} texts {shares}."


def tell_moved(rows: Sequence[Moved], unit: str) -> str:
    """The causes that changed beyond chance, in a sentence; empty where none did."""
    out = sorted((row for row in rows if row.differs), key=lambda row: -abs(row.change.value))
    parts = []
    for verb, some in (
        ("lost", [row for row in out if row.change.value < 0]),
        ("gained", [row for row in out if row.change.value > 0]),
    ):
        if some:
            named = [f"{amount(row.change.value)} by {row.title}" for row in some[:CAUSES]]
            parts.append(f"{verb} {joined(named)}")
    if not parts:
        return ""
    return f"By cause, in {unit} per text, they have {', and '.join(parts)}."


def tell_systems(rows: Sequence[Moved]) -> str:
    """Which systems changed, in a sentence; empty where there are none to tell apart."""
    if not rows:
        return ""
    parts = []
    for verb, some in (
        ("fell", [row for row in rows if row.differs and row.change.value < 0]),
        ("rose", [row for row in rows if row.differs and row.change.value > 0]),
    ):
        if some:
            order = sorted(some, key=lambda row: -abs(row.change.value))
            named = [f"{row.title} ({change(row.change.value)})" for row in order]
            parts.append(f"{joined(named)} {verb}")
    still = [row.title for row in rows if not row.differs]
    if still:
        parts.append(f"{joined(still)} did not change beyond chance")
    return f"By system: {'; '.join(parts)}."

"""Which systems differ and why, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from naturalness.pipelines.reporting_systems.pairs import Pair, groups_of

NAMED = 5
"""Systems that a sentence names; of more it says how many."""


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
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.differs}
    out, close = [], []
    for i, group in enumerate(groups):
        later = [system for other in groups[i + 1 :] for system in other]
        beaten = [
            other for other in later if all(frozenset((one, other)) in differ for one in group)
        ]
        out += _sentence(group, beaten, everything=bool(later) and beaten == later)
        close += [
            (one, other)
            for one in group
            for other in later
            if other not in beaten and frozenset((one, other)) not in differ
        ]
    return [*out, *_exceptions(close)]


def _sentence(group: Sequence[str], beaten: Sequence[str], *, everything: bool) -> list[str]:
    apart = "cannot be told apart"
    if not beaten:
        return [f"{joined(group)} {apart}."] if len(group) > 1 else []
    than = "all others" if everything and len(beaten) > NAMED else joined(beaten)
    if len(group) == 1:
        return [f"{group[0]} sounds more natural than {than}."]
    who = "both" if len(group) == 2 else "all"
    return [f"{joined(group)} {apart}; {who} sound more natural than {than}."]


def _exceptions(close: Sequence[tuple[str, str]]) -> list[str]:
    """Systems of different groups that do not differ."""
    found: dict[str, list[str]] = {}
    for one, other in close:
        found.setdefault(one, []).append(other)
    return [f"{one} cannot be told from {joined(others)}." for one, others in found.items()]

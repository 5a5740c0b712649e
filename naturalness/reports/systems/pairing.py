"""Which text of one run stands for which of another, and which systems answered the same inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.arrays import IntArray
from naturalness.reports.systems.answers import Answer, codes

KEY, ORDER, NOTHING = "key", "order", "nothing"
"""By what texts of two runs are paired."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Texts of an older and a newer run that belong together."""

    by: str
    """`KEY`, `ORDER` or `NOTHING`."""
    pairs: tuple[tuple[int, int], ...]
    """Places in the older and in the newer run."""
    n_before: int
    n_after: int

    @property
    def alone_before(self) -> int:
        """Texts of the older run without a partner."""
        return self.n_before - len(self.pairs)

    @property
    def alone_after(self) -> int:
        """Texts of the newer run without a partner."""
        return self.n_after - len(self.pairs)


def pair_up(before: Sequence[Answer], after: Sequence[Answer]) -> Pairing:
    """Pair by system and key where texts have keys, else by order where each system has equally
    many texts in both runs, else not at all. Runs without a system in common have none.

    Of several texts of one system with the same key the first goes with the first, and so on.
    """
    keyed = all(one.key for one in (*before, *after)) and bool(before) and bool(after)
    named = bool({one.system for one in before} & {one.system for one in after})
    old, new = (_places(run, named=named, keyed=keyed) for run in (before, after))
    if not keyed and {name: len(rows) for name, rows in old.items()} != {name: len(rows) for name, rows in new.items()}:
        return Pairing(NOTHING, (), len(before), len(after))
    pairs = [pair for name, rows in old.items() for pair in zip(rows, new.get(name, ()), strict=False)]
    by = KEY if keyed else ORDER
    return Pairing(by if pairs else NOTHING, tuple(pairs), len(before), len(after))


def _places(run: Sequence[Answer], *, named: bool, keyed: bool) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(run):
        name = one.system if named else "", one.key if keyed else ""
        found.setdefault(name, []).append(place)
    return found


def shared_inputs(answers: Sequence[Answer]) -> IntArray | None:
    """The number of each text's input where systems answered the same ones; else None.

    They did where at least half of the inputs have texts of two systems or more.
    """
    if not answers or not all(one.source for one in answers):
        return None
    who: dict[str, set[str]] = {}
    for one in answers:
        who.setdefault(one.source, set()).add(one.system)
    if 2 * sum(len(systems) > 1 for systems in who.values()) < len(who):
        return None
    return codes([one.source for one in answers], list(who))

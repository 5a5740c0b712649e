"""Rows of one or two tables with who wrote them, what they answer, and how they are found again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from naturalness.reports.systems.answers import EVERYTHING

KEYS = ("id", "source", "input", "mr", "prompt")
"""Columns that are looked at, in this order, where no column of keys is named."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of a table before it is explained; see `Answer`."""

    text: str
    system: str = EVERYTHING
    source: str = ""
    key: str = ""
    row: int = 0
    problem: str = ""
    """Why it cannot be used; empty where it can."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A table: one entry per row everywhere."""

    texts: Sequence[str]
    problems: Sequence[str]
    columns: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that were used; empty where there is none."""

    system: str = ""
    source: str = ""
    """That of inputs which systems share."""
    key: str = ""
    """That by which texts of two runs are paired."""
    n_without_system: int = 0
    """Rows of the newer table that name no system, and are left out."""


def arrange(new: Cells, old: Cells | None, *, by: str = "", key: str = "") -> tuple[list[list[TextRow]], Columns]:
    """The rows of the newer table, and of the older one where there is one.

    ``by`` is the column of systems. ``key`` says which texts answer the same input and which belong
    together in two runs; without it the first of `KEYS` is taken that fits, for each of the two.
    """
    tables = [new] if old is None else [new, old]
    systems = [
        [name or "" for name in cells.columns[by]] if by else [EVERYTHING] * len(cells.texts) for cells in tables
    ]
    source = key if by else ""
    if by and not key:
        source = find_shared(list(zip(systems[0], _cells(new), strict=True)))
    pairing = key if old is not None else ""
    if old is not None and not key:
        # Where each run names its systems anew, names say nothing of what belongs together.
        known = bool(set(systems[0]) & set(systems[1]) - {""})
        named = [
            ((place, system if known else ""), cells)
            for place, (table, names) in enumerate(zip(tables, systems, strict=True))
            for system, cells in zip(names, _cells(table), strict=True)
        ]
        pairing = find_paired(named)
    rows = [
        [
            TextRow(text, system, cells.get(source, ""), cells.get(pairing, ""), place, problem)
            for place, (text, problem, system, cells) in enumerate(
                zip(table.texts, table.problems, names, _cells(table), strict=True)
            )
            if system
        ]
        for table, names in zip(tables, systems, strict=True)
    ]
    return rows, Columns(by, source, pairing, systems[0].count(""))


Named = Sequence[tuple[str, Mapping[str, str]]]
Placed = Sequence[tuple[tuple[int, str], Mapping[str, str]]]


def _cells(table: Cells) -> Iterator[dict[str, str]]:
    names = list(table.columns)
    values = zip(*table.columns.values(), strict=True) if names else ((),) * len(table.texts)
    for row in values:
        yield dict(zip(names, row, strict=True))


def find_shared(rows: Named) -> str:
    """The first of `KEYS` that all rows have and of whose values at least half have texts of two
    systems; empty where none is."""
    for column in KEYS:
        who: dict[str, set[str]] = {}
        for system, cells in rows:
            who.setdefault(cells.get(column, ""), set()).add(system)
        if "" not in who and 2 * sum(len(names) > 1 for names in who.values()) >= len(who) > 0:
            return column
    return ""


def find_paired(rows: Placed) -> str:
    """The first of `KEYS` that names one row of each run and system, and of whose values at least
    half are in both runs; empty where none is."""
    for column in KEYS:
        who: dict[tuple[str, str], list[int]] = {}
        for (run, system), cells in rows:
            who.setdefault((system, cells.get(column, "")), []).append(run)
        if any(not value for _, value in who):
            continue
        single = all(len(set(runs)) == len(runs) for runs in who.values())
        if single and 2 * sum(len(runs) > 1 for runs in who.values()) >= len(who) > 0:
            return column
    return ""

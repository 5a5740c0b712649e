"""Arrange the rows of one or two tables by system and input, and explain each distinct text once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.explaining.explanation import Explanation, without_score
from naturalness.reports.systems.answers import ALL_TEXTS, ScoringModel, SystemText, names_of_systems
from naturalness.text.parsing import parse, short_memory
from naturalness.text.view import view

if TYPE_CHECKING:
    from naturalness.data.reading import NamedTexts
    from naturalness.pipelines.scorer import NaturalnessModel

KEYS = ("id", "source", "input", "mr", "prompt")
"""The columns that are tried as keys, in this order, if the user names none."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of a table whose text is not yet explained; see `SystemText` for the fields."""

    text: str
    system: str = ALL_TEXTS
    source: str = ""
    key: str = ""
    row: int = 0
    problem: str = ""
    """The reason why the row is unusable; empty if it is usable."""


@dataclass(frozen=True, slots=True)
class UsedColumns:
    """The names of the columns that a report uses; an empty name if there is no such column."""

    system: str = ""
    source: str = ""
    """The column that identifies the inputs shared by systems."""
    key: str = ""
    """The column by which the texts of two runs are paired."""
    n_without_system: int = 0
    """The number of rows in the newer table that were left out because they have no system."""


def arrange(
    new: NamedTexts, old: NamedTexts | None, *, by: str = "", key: str = ""
) -> tuple[list[list[TextRow]], UsedColumns]:
    """Return the rows of the newer table and, if there is one, of the older table, with the columns that were used.

    ``by`` is the column that gives the systems. ``key`` is the column that identifies both inputs shared by systems and
    texts shared by two runs; if it is not given, the first suitable column of `KEYS` is used for each purpose. Raise
    `TableError` if there are too many systems.
    """
    if by:  # raises an error for too many systems before anything is explained
        names_of_systems(filter(None, new.columns[by]))
    tables = [new] if old is None else [new, old]
    systems = [[name or "" for name in cells.columns[by]] if by else [ALL_TEXTS] * len(cells.texts) for cells in tables]
    source = key if by else ""
    if by and not key:
        source = _first_key([("", system, cells) for system, cells in zip(systems[0], _cells(new), strict=True)])
    pairing = key if old is not None else ""
    if old is not None and not key:
        # Texts are paired within systems only if the runs have systems in common.
        known = bool(set(systems[0]) & set(systems[1]) - {""})
        named = [
            (system if known else "", number, cells)
            for number, (table, names) in enumerate(zip(tables, systems, strict=True))
            for system, cells in zip(names, _cells(table), strict=True)
        ]
        pairing = _first_key(named, unique=True)
    rows = [
        [
            TextRow(text, system, cells.get(source, ""), cells.get(pairing, ""), number, problem)
            for number, (text, problem, system, cells) in enumerate(
                zip(table.texts, table.problems, names, _cells(table), strict=True)
            )
            if system
        ]
        for table, names in zip(tables, systems, strict=True)
    ]
    return rows, UsedColumns(by, source, pairing, systems[0].count(""))


def _cells(table: NamedTexts) -> Iterator[dict[str, str]]:
    names = list(table.columns)
    values = zip(*table.columns.values(), strict=True) if names else ((),) * len(table.texts)
    for row in values:
        yield dict(zip(names, row, strict=True))


def _first_key(rows: Sequence[tuple[str, Hashable, Mapping[str, str]]], *, unique: bool = False) -> str:
    """Return the first column of `KEYS` in which at least half of the values, within a scope, have several owners;
    empty if there is none.

    A row consists of a scope, an owner and cells. Every row must have a value in the column; if ``unique``, no owner
    may have a value twice. To find inputs that systems share, the owners are systems. To pair texts across runs, the
    scopes are systems and the owners are runs.
    """
    for column in KEYS:
        owners: dict[tuple[str, str], list[Hashable]] = {}
        for scope, owner, cells in rows:
            owners.setdefault((scope, cells.get(column, "")), []).append(owner)
        if not all(value for _, value in owners):
            continue
        sizes = [len(set(names)) for names in owners.values()]
        if unique and sum(sizes) < len(rows):
            continue
        if 2 * sum(size > 1 for size in sizes) >= len(sizes) > 0:
            return column
    return ""


def judge_of(model: NaturalnessModel) -> ScoringModel:
    """Return the facts that reports state about a model."""
    threshold = model.saved.description.verdict.threshold
    name = Path(model.name).name or model.name
    best_label = model.classes[-1] if len(model.classes) == 2 else ""
    return ScoringModel(name, threshold, model.unit, best_label)


def explain_rows(
    model: NaturalnessModel,
    tables: Sequence[Sequence[TextRow]],
    *,
    register: str | None = None,
    batch_size: int = 64,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[list[SystemText]]:
    """Return the explained texts of each table; a text that occurs in several rows or tables is explained only once.

    ``register`` has the same meaning as in `NaturalnessModel.score`.
    """
    distinct = dict.fromkeys(row.text for rows in tables for row in rows if not row.problem)
    texts = list(distinct)
    explained: dict[str, tuple[Explanation, int, int]] = {}
    for start in range(0, len(texts), batch_size):
        advance(start, len(texts))
        batch = texts[start : start + batch_size]
        with short_memory(nlp=model.nlp):
            docs = parse(batch, nlp=model.nlp)
            explanations = model.explain(docs, register=register)
            views = [view(doc) for doc in docs]
            for text, row, parsed in zip(batch, explanations, views, strict=True):
                explained[text] = row, len(parsed.words), len(parsed.sentences)
            del docs, views
    advance(len(texts), len(texts))
    return [[_answer(row, explained, model) for row in rows] for rows in tables]


def _answer(row: TextRow, explained: dict[str, tuple[Explanation, int, int]], model: NaturalnessModel) -> SystemText:
    if row.problem:
        unusable = without_score(row.text, row.problem, unit=model.unit, threshold=model.threshold)
        return SystemText(unusable, row.system, row.source, row.key, 0, 0, row.row)
    explanation, n_words, n_sentences = explained[row.text]
    return SystemText(explanation, row.system, row.source, row.key, n_words, n_sentences, row.row)

"""Arrange the rows of a table by system, or of two tables by run, and by input; explain each distinct text once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.explaining.explanation import Explanation, without_score
from naturalness.reports.systems.answers import ScoringModel, SystemText, are_shared, names_of_systems
from naturalness.text.parsing import parse, short_memory
from naturalness.text.view import view

if TYPE_CHECKING:
    from naturalness.data.reading import NamedTexts
    from naturalness.pipelines.scorer import NaturalnessModel

KEYS = ("id", "source", "input", "mr", "prompt")
"""The columns that are tried as keys of inputs, in this order, if the user names none."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of a table whose text is not yet explained; see `SystemText` for the fields."""

    text: str
    system: str
    source: str = ""
    row: int = 0
    problem: str = ""
    """The reason why the row is unusable; empty if it is usable."""


def arrange(tables: Mapping[str, NamedTexts], by: str = "", key: str = "") -> tuple[list[TextRow], list[str]]:
    """Return the rows of all tables, and notes on how they were arranged.

    ``by`` is the column of the systems; without it, each table is a run, and the names of the tables stand for systems.
    ``key`` is the column of the inputs; without it, the first suitable column of `KEYS` is used, or the order of two
    runs with equally many texts. Raise `TableError` if there are too many systems.
    """
    rows: list[TextRow] = []
    cells: list[dict[str, str]] = []
    n_without = 0
    for name, table in tables.items():
        for number, (text, problem) in enumerate(zip(table.texts, table.problems, strict=True)):
            row = {column: values[number] for column, values in table.columns.items()}
            if system := row[by] if by else name:
                rows.append(TextRow(text, system, "", number, problem))
                cells.append(row)
            n_without += not system
    systems = [row.system for row in rows]
    names_of_systems(systems)  # raises an error for too many systems before anything is explained
    column = key or _shared_key(cells, systems, unique=not by)
    notes = [f"Left out without a system: {n_without:,} row{'s' if n_without > 1 else ''}."] if n_without else []
    if column:
        notes.insert(0, f"Texts with the same value in column {column!r} answer the same input.")
        rows = [replace(row, source=values.get(column, "")) for row, values in zip(rows, cells, strict=True)]
    elif not by and len({len(table.texts) for table in tables.values()}) == 1:
        notes.insert(0, "The texts of the two runs are paired by their order.")
        rows = [replace(row, source=str(row.row)) for row in rows]
    return rows, notes


def _shared_key(cells: Sequence[Mapping[str, str]], systems: Sequence[str], *, unique: bool) -> str:
    """Return the first column of `KEYS` whose values systems share; empty if there is none.

    If ``unique``, no system may have a value twice.
    """
    for column in KEYS:
        values = [row.get(column, "") for row in cells]
        if are_shared(values, systems) and not (unique and len({*zip(values, systems, strict=True)}) < len(values)):
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
    rows: Sequence[TextRow],
    *,
    batch_size: int = 64,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[SystemText]:
    """Return the explained texts of rows; a text that occurs in several rows is explained only once."""
    texts = list(dict.fromkeys(row.text for row in rows if not row.problem))
    explained: dict[str, tuple[Explanation, int, int]] = {}
    for start in range(0, len(texts), batch_size):
        advance(start, len(texts))
        batch = texts[start : start + batch_size]
        with short_memory(nlp=model.nlp):
            docs = parse(batch, nlp=model.nlp)
            explanations = model.explain(docs)
            views = [view(doc) for doc in docs]
            for text, row, parsed in zip(batch, explanations, views, strict=True):
                explained[text] = row, len(parsed.words), len(parsed.sentences)
            del docs, views
    advance(len(texts), len(texts))
    return [_answer(row, explained, model) for row in rows]


def _answer(row: TextRow, explained: dict[str, tuple[Explanation, int, int]], model: NaturalnessModel) -> SystemText:
    if row.problem:
        unusable = without_score(row.text, row.problem, unit=model.unit, threshold=model.threshold)
        return SystemText(unusable, row.system, row.source, 0, 0, row.row)
    explanation, n_words, n_sentences = explained[row.text]
    return SystemText(explanation, row.system, row.source, n_words, n_sentences, row.row)

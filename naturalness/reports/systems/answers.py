"""Explained texts with their systems (or runs) and inputs, from which reports on systems are computed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TableError
from naturalness.explaining.explanation import Explanation, Finding, without_score
from naturalness.explaining.shown import SURE
from naturalness.text.parsing import parse, short_memory
from naturalness.text.view import view

if TYPE_CHECKING:
    from naturalness.data.reading import NamedTexts
    from naturalness.pipelines.scorer import NaturalnessModel


MAX_SYSTEMS = 40
"""The largest number of systems. A column with more values probably does not name systems, and a table of all pairs
would be unreadable.
"""


@dataclass(frozen=True, slots=True)
class SystemText:
    """An explained text with its system (or run), its input and its length."""

    explanation: Explanation
    system: str
    source: str = ""
    """The key of the input that the text answers; systems may share inputs. Empty if unknown."""
    n_words: int = 0
    n_sentences: int = 0
    row: int = 0
    """The index of the text's row in the table, counted from 0."""

    @property
    def scored(self) -> bool:
        """Whether the text has a score."""
        return self.explanation.naturalness == self.explanation.naturalness


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """Facts about the model that predicted the scores."""

    name: str
    threshold: float
    """The naturalness below which a text gets the worse of two labels; for more than two labels, the middle of the
    scale.
    """
    unit: str
    """The unit of the causes' contributions, for example log-odds."""
    best: str = "natural"
    """The label of texts that reach the threshold; empty if the model has more than two labels."""


def names_of_systems(systems: Iterable[str]) -> list[str]:
    """Return the distinct systems in alphabetical order; raise `TableError` if there are more than `MAX_SYSTEMS`."""
    names = sorted(set(systems))
    if len(names) > MAX_SYSTEMS:
        raise TableError(
            f"found {len(names):,} systems, such as {names[0]!r} and {names[1]!r}; expected "
            f"{MAX_SYSTEMS} at most. Name the column that says who wrote a text (`system_column`)"
        )
    return names


def causes_of(answers: Iterable[SystemText]) -> dict[str, str]:
    """Return the title of each cause, keyed by cause; the cause with the largest total contribution comes first."""
    titles: dict[str, str] = {}
    sizes: defaultdict[str, float] = defaultdict(float)
    for answer in answers:
        for contribution in answer.explanation.contributions:
            titles.setdefault(contribution.cause, contribution.title)
            sizes[contribution.cause] += abs(contribution.value)
    order = sorted(titles, key=lambda cause: (-round(sizes[cause], 9), cause))
    return {cause: titles[cause] for cause in order}


def kinds_of(answers: Iterable[SystemText]) -> list[str]:
    """Return the kinds of the findings that `sure` returns, the most frequent kind first."""
    counts = Counter(finding.kind for answer in answers for finding in sure(answer.explanation))
    return sorted(counts, key=lambda kind: (-counts[kind], kind))


def sure(explanation: Explanation) -> list[Finding]:
    """Return the findings that would probably make a reader stumble; the other findings are weak, and include every
    rare word.
    """
    return [finding for finding in explanation.findings if finding.weight >= SURE]


def are_shared(sources: Sequence[str], systems: Sequence[str]) -> bool:
    """Return whether at least half of the texts have a source, and at least half of the sources have texts by several
    systems.
    """
    systems_of: dict[str, set[str]] = {}
    for source, system in zip(sources, systems, strict=True):
        if source:
            systems_of.setdefault(source, set()).add(system)
    has_half = 2 * sum(map(bool, sources)) >= len(sources)
    return has_half and 2 * sum(len(names) > 1 for names in systems_of.values()) >= len(systems_of) > 0


def inputs_of(sources: Sequence[str], systems: Sequence[str]) -> IntArray | None:
    """Return the index of each text's input, or None if no input has texts by several systems.

    A text without a source has an input of its own.
    """
    systems_of = Counter(source for source, _ in {*zip(sources, systems, strict=True)} if source)
    if max(systems_of.values(), default=0) < 2:
        return None
    numbers: dict[str | int, int] = {}
    return np.array([numbers.setdefault(source or row, len(numbers)) for row, source in enumerate(sources)])


def codes(names: Sequence[str], order: Sequence[str]) -> IntArray:
    """Return the index in ``order`` of each name."""
    positions = {name: i for i, name in enumerate(order)}
    return np.array([positions[name] for name in names], dtype=np.int64)


Column = str | tuple[str, str]
"""The name of a column, or the kind (cause, kind of finding) and the name of one of several columns."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of numbers with one row per text; NaN for a text without a score."""

    columns: tuple[Column, ...]
    table: FloatArray
    """The table, (n_texts, n_columns)."""

    def __getitem__(self, column: Column) -> int:
        """Return the index of the column with this name."""
        return self.columns.index(column)


SCORE, TOTAL, BELOW, UNLIKE, WORDS, SENTENCES = ("naturalness", "total", "below", "unlike", "words", "sentences")
VOICE, VOICED = "voice", "voiced"
"""The voice of a text, and whether it has one: 0 and 0 if it is too short."""


def measure_answers(
    answers: Sequence[SystemText], judge: ScoringModel, causes: Iterable[str], kinds: Sequence[str]
) -> TextTable:
    """Return a table of numbers, with one row per text, from which the figures of systems are computed."""
    causes = list(causes)
    columns: tuple[Column, ...] = (
        SCORE,
        TOTAL,
        BELOW,
        UNLIKE,
        WORDS,
        SENTENCES,
        VOICE,
        VOICED,
        *(("cause", cause) for cause in causes),
        *(("kind", kind) for kind in kinds),
    )
    table = np.full((len(answers), len(columns)), np.nan)
    for row, answer in zip(table, answers, strict=True):
        if answer.scored:
            row[:] = _numbers(answer, judge, causes, kinds)
    return TextTable(columns, table)


def _numbers(answer: SystemText, judge: ScoringModel, causes: Sequence[str], kinds: Sequence[str]) -> list[float]:
    explanation = answer.explanation
    values = {contribution.cause: contribution.value for contribution in explanation.contributions}
    kinds_of_text = [finding.kind for finding in sure(explanation)]
    return [
        explanation.naturalness,
        explanation.total,
        float(explanation.naturalness < judge.threshold),
        float(bool(explanation.unlike)),
        answer.n_words,
        max(answer.n_sentences, 1),
        *((0.0, 0.0) if math.isnan(explanation.voice) else (explanation.voice, 1.0)),
        *(values.get(cause, 0.0) for cause in causes),
        *(kinds_of_text.count(kind) for kind in kinds),
    ]


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
    elif not by:
        notes.insert(0, "The texts of the two runs are not paired: their numbers differ, and no column pairs them.")
    return rows, notes


def _shared_key(cells: Sequence[Mapping[str, str]], systems: Sequence[str], *, unique: bool) -> str:
    """Return the first column of `KEYS` whose values systems share; empty if there is none.

    If ``unique``, no system may have a value twice.
    """
    for column in KEYS:
        values = [row.get(column, "") for row in cells]
        named = [(value, system) for value, system in zip(values, systems, strict=True) if value]
        if are_shared(values, systems) and not (unique and len({*named}) < len(named)):
            return column
    return ""


def judge_of(model: NaturalnessModel) -> ScoringModel:
    """Return the facts that reports state about a model."""
    threshold = model.saved.description.interpretation.threshold
    name = Path(model.name).name or model.name
    best_label = model.classes[-1] if len(model.classes) == 2 else ""
    return ScoringModel(name, threshold, model.unit, best_label)


def explain_rows(
    model: NaturalnessModel,
    rows: Sequence[TextRow],
    *,
    batch_size: int = 64,
    advance: Callable[[int, int], object] = lambda done, total: None,
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

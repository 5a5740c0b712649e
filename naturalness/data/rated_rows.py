"""The rows of a rated table: read, scaled per rater, and merged where they hold the same text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from naturalness.data.cells import BadCell, name, names, number, numbers
from naturalness.data.formats import Location
from naturalness.data.rated_columns import LABEL, RATING, RATINGS, SCALE, RatedColumns, check_present
from naturalness.data.raters import scale_raters
from naturalness.data.reading import read_batches
from naturalness.errors import excerpt

Cell = TypeVar("Cell")
SHOWN = 30
"""Characters of a bad cell that a reason shows."""


class Unusable(Exception):
    """A row that cannot be used: never leaves this room, is counted by its reason."""

    def __init__(self, reason: str, example: Any = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.example = example


@dataclass(slots=True)
class LeftOut:
    """How many rows are not used, by reason, with the first bad cell of each."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, example: Any = None, rows: int = 1) -> None:
        """Count rows."""
        self.counts[reason] += rows
        if example is not None:
            self.examples.setdefault(reason, f", as {excerpt(example, SHOWN)}")

    def by_reason(self) -> dict[str, int]:
        """Return the counts by reason, the commonest first."""
        return {f"{r}{self.examples.get(r, '')}": n for r, n in self.counts.most_common()}


@dataclass(slots=True)
class RawRow:
    """A row with a text, and those of its cells that may be needed."""

    number: int
    text: str
    cells: dict[str, Any]


@dataclass(slots=True)
class Judged:
    """What is known of a text: from one row or, after merging, from several."""

    text: str
    rows: list[int]
    """Their numbers in the file, from 0."""
    sources: list[str]
    labels: list[str]
    means: list[list[float]]
    """Per aspect: the ratings that rows give as one number."""
    single: list[list[float]]
    """Per aspect: single ratings."""
    raters: list[list[str]]
    """Per aspect: who gave them; an empty name where that is not known."""
    numbers: tuple[float | str, ...] = ()
    """Those beside the text; NaN where a cell has none."""

    def aspect_means(self) -> list[float]:
        """Return the rating of each aspect; NaN where there is none.

        The mean of what rows give as one number, since it may be a median or a cleaned mean that
        single ratings do not give; else the mean of the single ratings.
        """
        return [mean(means or single) for means, single in zip(self.means, self.single, strict=True)]

    def add(self, other: Judged) -> None:
        """Take up another row of the same text."""
        self.sources += other.sources
        self.labels += other.labels
        for aspect in range(len(self.means)):
            self.means[aspect] += other.means[aspect]
            self.single[aspect] += other.single[aspect]
            self.raters[aspect] += other.raters[aspect]
        self.rows += other.rows


def mean(values: Sequence[float]) -> float:
    """Return the mean, NaN of nothing; the sum is exact, so the order of rows does not matter."""
    return math.fsum(values) / len(values) if values else math.nan


def read_rows(
    where: Location, text_column: str | None, named: RatedColumns, left_out: LeftOut
) -> tuple[list[RawRow], list[str]]:
    """Return all rows with a text, holding only cells that may be needed, and the columns of the table."""
    needed = {*named.names, LABEL, RATING, RATINGS, *SCALE}
    rows: list[RawRow] = []
    columns: dict[str, None] = {}
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        columns |= dict.fromkeys(batch.columns)
        if batch.fixed and batch.columns:  # a slip in a name shows before a long table is read
            check_present(named, batch.columns, where.path)
        for i, (text, problem) in enumerate(zip(batch.texts, batch.problems, strict=True)):
            if problem or not text.strip():
                # What follows the colon differs from row to row, and would not add up.
                left_out.add(problem.partition(":")[0] or "empty text")
            else:
                cells = {k: v for k, v in batch.rows[i].items() if k in needed}
                rows.append(RawRow(batch.first_row + i, text, cells))
    if columns:
        check_present(named, list(columns), where.path)
    return rows, list(columns)


def judge_all(
    raw: Sequence[RawRow], columns: RatedColumns, scale: tuple[float, float] | None, left_out: LeftOut
) -> list[Judged]:
    """Return the labels and ratings of every row that can be used; the others are counted."""
    rows = []
    for row in raw:
        try:
            rows.append(_judge(row, columns, scale))
        except Unusable as problem:
            left_out.add(problem.reason, problem.example)
    return rows


def _judge(raw: RawRow, columns: RatedColumns, scale: tuple[float, float] | None) -> Judged:
    means = [[_read(number, raw, column)] for column in columns.rating]
    single = [_read(numbers, raw, column) for column in columns.ratings]
    raters: list[str] = []
    if columns.is_long:
        means, single = [], means
        # One rater per row, so the name may hold what cuts lists ("Lee, Ann").
        raters = [name(raw.cells.get(columns.rater or ""))]
    elif columns.rater and columns.ratings:
        raters = _read(names, raw, columns.rater)
    if raters and any(values and len(values) != len(raters) for values in single):
        raise Unusable("lists of raters and of ratings that differ in length")
    for value in (v for values in (*means, *single) for v in values):
        if scale and not (math.isnan(value) or scale[0] <= value <= scale[1]):
            reason = f"rating outside of the scale {scale[0]:g} to {scale[1]:g}"
            raise Unusable(reason, value)
    label = name(raw.cells.get(columns.label)) if columns.label else ""
    source = name(raw.cells.get(columns.source)) if columns.source else ""
    nothing: list[list[float]] = [[] for _ in range(columns.aspects)]
    judged = Judged(
        raw.text,
        [raw.number],
        sources=[source] if source else [],
        labels=[label] if label else [],
        means=[[v for v in values if not math.isnan(v)] for values in means or nothing],
        single=[[v for v in values if not math.isnan(v)] for values in single or nothing],
        raters=[_known(raters or [""] * len(values), values) for values in single or nothing],
        numbers=tuple(read(raw.cells.get(name)) for name, read in columns.numbers.items()),
    )
    if not (label or any(judged.means) or any(judged.single)):
        wanted = ["label"] * bool(columns.label) + ["rating"] * bool(columns.aspects)
        raise Unusable(f"no {' and no '.join(wanted)}")
    return judged


def _known(raters: Sequence[str], ratings: Sequence[float]) -> list[str]:
    """Return the raters who gave a rating."""
    pairs = zip(raters, ratings, strict=False)  # an aspect may lack ratings by all of them
    return [rater for rater, rating in pairs if not math.isnan(rating)]


def _read(read: Callable[[Any], Cell], raw: RawRow, column: str) -> Cell:
    cell = raw.cells.get(column)
    try:
        return read(cell)
    except BadCell as problem:
        raise Unusable(f"{problem} in column {column!r}", cell) from None


def scale_single_ratings(rows: Sequence[Judged], method: str) -> str:
    """Scale the single ratings in place, per rater and aspect; a note on raters who cannot be.

    Ratings that cannot be scaled are dropped, and so are means: nobody knows what they would be on
    the new scale.
    """
    notes: dict[str, None] = {}
    for aspect in range(len(rows[0].single) if rows else 0):
        judgements = [
            (rater, rating)
            for row in rows
            for rater, rating in zip(row.raters[aspect], row.single[aspect], strict=True)
            if rater
        ]
        result = scale_raters(judgements, method)
        notes[result.describe()] = None
        scaled = iter(result.ratings)
        for row in rows:
            pairs = [(rater, next(scaled)) for rater in row.raters[aspect] if rater]
            pairs = [(rater, value) for rater, value in pairs if not math.isnan(value)]
            row.raters[aspect] = [rater for rater, _ in pairs]
            row.single[aspect] = [value for _, value in pairs]
            row.means[aspect] = []
    return "; ".join(note for note in notes if note)


def merge(rows: Sequence[Judged]) -> Iterator[Judged]:
    """Yield rows with the same text, but for blanks around it, as one: ratings and labels together.

    Where numbers come beside texts, these are the same too.

    The text and number are those of the first; the rows themselves are used up.
    """
    merged: dict[tuple[str, str], Judged] = {}
    for row in rows:
        first = merged.setdefault((row.text.strip(), repr(row.numbers)), row)
        if first is not row:
            first.add(row)
    yield from merged.values()

"""Read the rows of a rated table, scale ratings per rater, and merge rows with the same text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat, zip_longest
from typing import Any, TypeVar

from naturalness.data.batch import check_columns
from naturalness.data.cells import BadCell, name, names, number, numbers
from naturalness.data.formats import Location
from naturalness.data.rated_columns import LABEL, RATING, RATINGS, SCALE, RatedColumns
from naturalness.data.raters import scale_raters
from naturalness.data.reading import read_batches
from naturalness.data.sources import SOURCE_NAME
from naturalness.errors import TableError, excerpt

Cell = TypeVar("Cell")
SHOWN = 30
"""The largest number of characters that a reason quotes from a bad cell."""


class Unusable(Exception):
    """An error for a row that cannot be used; it is caught within this package, and rows are counted by reason."""

    def __init__(self, reason: str, example: Any = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.example = example


@dataclass(slots=True)
class RowsLeftOut:
    """Counts of rows that are left out, keyed by reason, with the first bad cell for each reason."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, example: Any = None, rows: int = 1) -> None:
        """Add to the number of rows that are left out for a reason."""
        self.counts[reason] += rows
        if example is not None:
            self.examples.setdefault(reason, f", as {excerpt(example, SHOWN)}")

    def by_reason(self) -> dict[str, int]:
        """Return the counts by reason, the most frequent first."""
        return {f"{r}{self.examples.get(r, '')}": n for r, n in self.counts.most_common()}

    def nothing_usable(self, what: str, path: str) -> TableError:
        """Return the error for a table in which no row or pair can be used."""
        reasons = ", ".join(f"{reason} ({n})" for reason, n in self.by_reason().items())
        return TableError(f"no {what} of {path!r} can be used: {reasons or 'it has no rows'}")


@dataclass(slots=True)
class RawRow:
    """A row that has a text, reduced to the cells that may be needed."""

    number: int
    text: str
    cells: dict[str, Any]


@dataclass(slots=True)
class Aspect:
    """The ratings of one aspect of a text, such as fluency."""

    means: list[float] = field(default_factory=list)
    """Ratings from columns with a single number in each row."""
    single: list[tuple[str, float]] = field(default_factory=list)
    """Individual ratings, each with its rater; an empty string if the rater is unknown."""

    def __bool__(self) -> bool:
        return bool(self.means or self.single)

    @property
    def ratings(self) -> list[float]:
        """The individual ratings."""
        return [rating for _, rating in self.single]

    @property
    def mean(self) -> float:
        """The rating; NaN if there is none.

        Ratings from columns with a single number are averaged over rows; they take precedence over individual ratings,
        because they may be medians or cleaned means. If there are none, the individual ratings are averaged.
        """
        return mean(self.means or self.ratings)


@dataclass(slots=True)
class RatedRow:
    """The ratings and labels of a text, from a single row or from several merged rows."""

    text: str
    rows: list[int]
    """The indices of the rows in the file, from 0."""
    sources: list[str]
    labels: list[str]
    aspects: list[Aspect]

    @property
    def rating(self) -> float:
        """The mean rating over all aspects; a higher rating is better.

        It is NaN if an aspect has no rating, because a mean over the other aspects could not be compared with the
        ratings of other texts.
        """
        return mean([aspect.mean for aspect in self.aspects])

    def add(self, other: RatedRow) -> None:
        """Merge another row with the same text into this one."""
        self.sources += other.sources
        self.labels += other.labels
        self.rows += other.rows
        for ours, theirs in zip(self.aspects, other.aspects, strict=True):
            ours.means += theirs.means
            ours.single += theirs.single


def mean(values: Sequence[float]) -> float:
    """Return the mean, or NaN if there are no values; the sum is exact, so the order of values does not matter."""
    return math.fsum(values) / len(values) if values else math.nan


def read_rows(
    where: Location, text_column: str | None, named: RatedColumns, left_out: RowsLeftOut
) -> tuple[list[RawRow], list[str]]:
    """Return all rows that have a text, reduced to the cells that may be needed, and the columns of the table."""
    needed = {*named.names, LABEL, RATING, RATINGS, *SCALE}
    rows: list[RawRow] = []
    columns: dict[str, None] = {}
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        columns |= dict.fromkeys(batch.columns)
        if batch.fixed and batch.columns:  # report a wrong name at once, because reading a long table takes time
            check_columns(named.names, batch.columns, where.path)
        needed |= set(filter(SOURCE_NAME.fullmatch, batch.columns))
        for i, (text, problem) in enumerate(zip(batch.texts, batch.problems, strict=True)):
            if problem or not text.strip():
                # Drop the details after the colon, which differ from row to row.
                left_out.add(problem.partition(":")[0] or "empty text")
            else:
                cells = {k: v for k, v in batch.rows[i].items() if k in needed}
                rows.append(RawRow(batch.first_row + i, text, cells))
    if columns:
        check_columns(named.names, list(columns), where.path)
    return rows, list(columns)


def read_ratings(
    raw: Sequence[RawRow], columns: RatedColumns, scale: tuple[float, float] | None, left_out: RowsLeftOut
) -> list[RatedRow]:
    """Return the labels and ratings of all usable rows; count the other rows as left out."""
    rows = []
    for row in raw:
        try:
            rows.append(_rated_row(row, columns, scale))
        except Unusable as problem:
            left_out.add(problem.reason, problem.example)
    return rows


def _rated_row(raw: RawRow, columns: RatedColumns, scale: tuple[float, float] | None) -> RatedRow:
    means = [[_read(number, raw, column)] for column in columns.rating]
    single = [_read(numbers, raw, column) for column in columns.ratings]
    raters: list[str] = []
    if columns.is_long:
        means, single = [], means
        # There is one rater per row, so the name may contain separators ("Lee, Ann").
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
    aspects = [
        Aspect(
            [value for value in single_numbers if not math.isnan(value)],
            [pair for pair in zip(raters or repeat(""), ratings, strict=False) if not math.isnan(pair[1])],
        )
        for single_numbers, ratings in zip_longest(means, single, fillvalue=())
    ]
    if not (label or any(aspects)):
        wanted = ["label"] * bool(columns.label) + ["rating"] * bool(columns.aspects)
        raise Unusable(f"no {' and no '.join(wanted)}")
    return RatedRow(raw.text, [raw.number], [source] * bool(source), [label] * bool(label), aspects)


def _read(read: Callable[[Any], Cell], raw: RawRow, column: str) -> Cell:
    cell = raw.cells.get(column)
    try:
        return read(cell)
    except BadCell as problem:
        raise Unusable(f"{problem} in column {column!r}", cell) from None


def scale_single_ratings(rows: Sequence[RatedRow], method: str) -> str:
    """Scale the individual ratings per rater and aspect, in place, and return a note on raters who cannot be scaled.

    Ratings that cannot be scaled are dropped. Ratings given only as means are dropped too, because their values on the
    new scale are unknown.
    """
    notes: dict[str, None] = {}
    for aspects in zip(*(row.aspects for row in rows), strict=True):
        known = [[pair for pair in aspect.single if pair[0]] for aspect in aspects]
        ratings, note = scale_raters([*chain(*known)], method)
        notes[note] = None
        scaled = iter(ratings)
        for aspect, pairs in zip(aspects, known, strict=True):
            values = [(rater, next(scaled)) for rater, _ in pairs]
            aspect.single = [(rater, value) for rater, value in values if not math.isnan(value)]
            aspect.means = []
    return "; ".join(note for note in notes if note)


def merge(rows: Sequence[RatedRow]) -> Iterator[RatedRow]:
    """Yield one row per text, with the ratings and labels of all rows that have this text.

    Blanks around a text are ignored. A merged row keeps the text and index of its first row. The rows are modified in
    place.
    """
    merged: dict[str, RatedRow] = {}
    for row in rows:
        first = merged.setdefault(row.text.strip(), row)
        if first is not row:
            first.add(row)
    yield from merged.values()

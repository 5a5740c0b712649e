"""Read the rows of a rated table: find its columns, scale the ratings of each rater, and merge rows with the same text.

Ratings are scaled per rater because people use the same scale differently.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat, zip_longest
from typing import Any, TypeVar

from naturalness.data.batch import check_columns
from naturalness.data.cells import BadCell, is_list, is_missing, name, names, number, numbers
from naturalness.data.formats import Location
from naturalness.data.reading import read_batches
from naturalness.errors import TableError, excerpt, listing

NAN = float("nan")
MIN_RATINGS = 3
"""The minimum number of ratings that a rater needs for scaling; two ratings would always become the two extremes."""
RaterRating = tuple[Hashable, float]
"""A rater and a rating."""


def z_scores(ratings: Sequence[float]) -> list[float]:
    """Return ratings standardised to mean 0 and (population) standard deviation 1; higher is better.

    Constant ratings become 0.
    """
    # Compare values directly, because rounding may give equal decimals a deviation above 0.
    if min(ratings) == max(ratings):
        return [0.0] * len(ratings)
    # Exact sums make the result independent of the order of rows. Ratings are divided by the largest one so
    # that the squares of huge magnitude estimates stay finite.
    largest = max(abs(rating) for rating in ratings)
    small = [rating / largest for rating in ratings]
    mean = math.fsum(small) / len(small)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in small) / len(small))
    # The deviation may be 0 if ratings differ only in their last digits.
    return [(r - mean) / deviation for r in small] if deviation else [0.0] * len(small)


def unit_interval(ratings: Sequence[float]) -> list[float]:
    """Return ratings scaled so that the lowest becomes 0 and the highest 1; higher is better.

    Mutton, Dras, Wan & Dale (2007, ACL) scale magnitude estimates in this way before they average them. Constant
    ratings become NaN (0 / 0).
    """
    low, high = min(ratings), max(ratings)
    if low == high:
        return [NAN] * len(ratings)
    return [(r - low) / (high - low) for r in ratings]


SCALINGS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {"z": z_scores, "unit": unit_interval}
"""Functions that scale the ratings of one rater, keyed by name; a higher rating never gets a lower value."""


def scale_raters(judgements: Sequence[RaterRating], method: str) -> tuple[list[float], str]:
    """Scale each rater's ratings using that rater's statistics, by a method of `SCALINGS`.

    Return the scaled ratings in the order of the judgements, and a note on raters who could not be scaled, which is
    empty if there are none. Ratings become NaN if their rater has given fewer than `MIN_RATINGS`. No error is raised,
    because a single rater would then make the whole table unusable.
    """
    by_rater: dict[Hashable, list[int]] = {}
    for index, (rater, _) in enumerate(judgements):
        by_rater.setdefault(rater, []).append(index)
    scaled = [NAN] * len(judgements)
    few = 0
    for indices in by_rater.values():
        if len(indices) < MIN_RATINGS:
            few += 1
            continue
        values = SCALINGS[method]([judgements[index][1] for index in indices])
        for index, value in zip(indices, values, strict=True):
            scaled[index] = value
    note = f"raters: {len(by_rater)}, of whom {few} with fewer than {MIN_RATINGS} ratings, which are not used"
    return scaled, note if few else ""


LABEL, RATING, RATINGS = "label", "rating", "ratings"
"""The default names of the columns that contain labels, ratings and lists of individual ratings."""
SCALE = ("scale_min", "scale_max")
"""The columns that contain the lowest and highest possible rating."""


@dataclass(frozen=True, slots=True)
class RatedColumns:
    """The columns of a rated table; each aspect has a rating column, a column of individual ratings, or both."""

    label: str | None = None
    rating: tuple[str, ...] = ()
    """Columns with a number in each row: a mean or, in the long format, the rating of one rater; all rating columns
    until `divide` has seen the rows."""
    ratings: tuple[str, ...] = ()
    """Columns with a list of individual ratings in each row."""
    rater: str | None = None
    source: str | None = None

    @property
    def aspects(self) -> int:
        """The number of rated aspects."""
        return max(len(self.rating), len(self.ratings))

    @property
    def is_long(self) -> bool:
        """Whether the table is in the long format, in which each row is one rater's judgement."""
        return self.rater is not None and bool(self.rating) and not self.ratings

    @property
    def has_single_ratings(self) -> bool:
        """Whether the columns include ratings by individual raters."""
        return self.is_long or bool(self.ratings)

    @property
    def names(self) -> list[str]:
        """All named columns."""
        single = [name for name in (self.label, self.rater, self.source) if name is not None]
        return [*single, *self.rating, *self.ratings]


def divide(named: RatedColumns, rows: Sequence[Mapping[str, Any]]) -> RatedColumns:
    """Return the columns after moving to ``ratings`` those rating columns that contain lists in most rows."""
    lists = tuple(name for name in named.rating if name == RATINGS or _holds_lists([row.get(name) for row in rows]))
    rating = tuple(name for name in named.rating if name not in lists)
    if rating and lists and len(rating) != len(lists):
        raise TableError(
            f"{len(rating)} rating columns and {len(lists)} of individual ratings; expected one of each per "
            "aspect, in the same order"
        )
    return replace(named, rating=rating, ratings=lists)


def _holds_lists(cells: Sequence[Any]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return 2 * sum(map(is_list, present)) > len(present)


def complete(named: RatedColumns, present: Sequence[str], path: str, *, with_rule: bool) -> RatedColumns:
    """Return the columns to use: the named columns or, if none is named, the default columns that the table has.

    With a rule, which derives labels from ratings, `LABEL` is ignored, and naming a label column is an error.
    """
    if named.label and with_rule:
        raise TableError(f"labels come either from column {named.label!r} or from ratings by a rule; give one")
    columns = named
    if not (named.label or named.aspects):
        columns = replace(
            named,
            label=LABEL if LABEL in present and not with_rule else None,
            rating=(RATING,) if RATING in present else (),
            ratings=(RATINGS,) if RATINGS in present else (),
        )
        if not (columns.label or columns.aspects or LABEL in present):
            raise TableError(
                f"{path!r} has no column {LABEL!r}, {RATING!r} or {RATINGS!r}; it has: "
                f"{listing(present)}. Name one with `label_column` or `rating_columns`"
            )
    if with_rule and not columns.aspects:
        raise TableError(
            f"a label rule needs ratings, and {path!r} has labels only; leave out the rule, or "
            f"name ratings with `rating_columns`. It has: {listing(present)}"
        )
    return columns


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
    """A row that has a text."""

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
    """Return all rows that have a text, and the columns of the table."""
    rows: list[RawRow] = []
    columns: dict[str, None] = {}
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        columns |= dict.fromkeys(batch.columns)
        if batch.fixed and batch.columns:  # report a wrong name at once, because reading a long table takes time
            check_columns(named.names, batch.columns, where.path)
        for i, (text, problem) in enumerate(zip(batch.texts, batch.problems, strict=True)):
            if problem or not text.strip():
                # Drop the details after the colon, which differ from row to row.
                left_out.add(problem.partition(":")[0] or "empty text")
            else:
                rows.append(RawRow(batch.first_row + i, text, batch.rows[i]))
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

"""Import existing ratings from a table: match them by text, and count those that do not fit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from naturalness.data.batch import check_columns
from naturalness.data.cells import BadCell, entries, name, number
from naturalness.data.formats import Location
from naturalness.data.paired import ANSWERED, PairColumns, pair_of_row, vote_of_row
from naturalness.data.rated_rows import LeftOut, Unusable
from naturalness.data.reading import first_columns, read_batches
from naturalness.errors import ProjectError, TableError, listing
from naturalness.studio.annotate.project import answers, questions
from naturalness.studio.annotate.project.context import Context, context_of
from naturalness.studio.annotate.project.questions import IMPORTED, Item, Standing, item, oriented
from naturalness.studio.annotate.project.records import LABELS, PAIRS, Answer, Choice, Scale, Text
from naturalness.studio.annotate.project.settings import check_rater

RATER, RATING = "rater", "rating"
RATERS, RATINGS = "raters", "ratings"
"""Default names of the columns with raters and ratings: one of each per row, or lists as in an export."""
LABEL = "label"
"""Name of the column that is read instead of `RATING` if the scale has labels."""
WORDING = "rated before, in another table"


@dataclass(frozen=True, slots=True)
class RatingColumns:
    """Names of columns; None means the default names."""

    text: str | None = None
    rating: str | None = None
    rater: str | None = None
    by_rater: Sequence[str] = ()
    """Columns with the ratings of one rater each, named after the rater."""


@dataclass(slots=True)
class Imported:
    """The result of an import."""

    stored: int
    """Number of ratings that are new to the project."""
    texts: int
    """Number of texts, or pairs, that the new ratings are about."""
    raters: int
    known: int
    """Number of ratings that the project already had."""
    left_out: dict[str, int]
    """Number of ratings left out, by reason."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The texts and the scale of the project, which are needed to read a table of ratings."""

    texts: Sequence[Text]
    scale: Scale
    text_column: str
    context: Sequence[str]

    @property
    def numbers(self) -> dict[tuple[str, Context | None], list[int]]:
        """Numbers of the texts, keyed by text and context; the key with None as the context stands for any context."""
        numbers: dict[tuple[str, Context | None], list[int]] = {}
        for text in self.texts:
            context = context_of(text.cells, self.context)
            for key in {(text.text.strip(), context), (text.text.strip(), None)}:
                numbers.setdefault(key, []).append(text.number)
        return numbers


Row = tuple[tuple[int, ...], str, float]
"""The texts, the rater and the value of a rating."""


def import_ratings(
    db: sqlite3.Connection, reading: Reading, where: Location, columns: RatingColumns, tests: AbstractSet[int], at: str
) -> Imported:
    """Store the ratings of a table.

    If a rater has already rated an item in the project, that rating is kept. ``tests`` are the texts of the test set:
    ratings of these texts, and of pairs of these texts, are used for testing.
    """
    left_out = LeftOut()
    standings = _standings(db)
    counted: set[tuple[Item, str]] = set()
    items: set[Item] = set()
    raters: set[str] = set()
    stored = known = 0
    for texts, rater, value in _rows(reading, where, columns, left_out):
        key = item(texts), rater
        if key in counted:
            left_out.add("another rating of the same text by the same rater; the first counts")
            continue
        counted.add(key)
        standing = standings.get(key)
        if standing is not None and standing.rating is not None:
            before = standing.value
            same = before is not None and oriented(standing.question.texts, before) == oriented(texts, value)
            known += same
            if not same:
                left_out.add("the project has another answer of this rater, which stays")
            continue
        if standing is None:
            choice = Choice(texts, IMPORTED, WORDING, test=all(text in tests for text in texts))
            question = questions.add(db, rater, choice, at)
        else:
            question = standing.question
            value = oriented(question.texts, oriented(texts, value))
        answers.give(db, question, answers.clean(Answer(value), reading.scale, 0), at)
        stored += 1
        items.add(item(texts))
        raters.add(rater)
    return Imported(stored, len(items), len(raters), known, left_out.by_reason())


def _standings(db: sqlite3.Connection) -> dict[tuple[Item, str], Standing]:
    """Return each rater's first question about each item, keyed by item and rater."""
    standings: dict[tuple[Item, str], Standing] = {}
    for standing in questions.read(db):
        standings.setdefault((standing.item, standing.question.rater), standing)
    return standings


def _rows(reading: Reading, where: Location, columns: RatingColumns, left_out: LeftOut) -> Iterator[Row]:
    """Yield the ratings of a table that fit the project; count the others by reason."""
    if where.is_stream:
        raise TableError("an import reads its table twice; give a file, not standard input")
    names = first_columns(where)
    if not names:
        raise TableError(f"{where.path!r} has no rows")
    rows = _pairs if reading.scale.kind == PAIRS else _ratings
    yield from rows(reading, where, columns, names, left_out)


def _ratings(
    reading: Reading, where: Location, columns: RatingColumns, names: Sequence[str], left_out: LeftOut
) -> Iterator[Row]:
    text_column = columns.text or (reading.text_column if reading.text_column in names else None)
    check_columns(columns.by_rater, names, where.path)
    rater, rating, lists = ("", "", False) if columns.by_rater else _choose(columns, names, where.path, reading.scale)
    numbers = reading.numbers
    in_context = bool(reading.context) and set(reading.context) <= set(names)
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        for cells, text, problem in zip(batch.rows, batch.texts, batch.problems, strict=True):
            try:
                if problem:
                    raise Unusable(problem.partition(":")[0])
                text_number = _text_number(numbers, text, context_of(cells, reading.context) if in_context else None)
                judged: list[tuple[Any, Any]]
                if columns.by_rater:
                    judged = [(who, cells[who]) for who in columns.by_rater if name(cells.get(who))]
                else:
                    judged = _lists(cells, rater, rating) if lists else [(cells.get(rater), cells.get(rating))]
            except Unusable as why:
                left_out.add(why.reason, why.example)
                continue
            for who, what in judged:
                try:
                    yield (text_number,), _rater(who), _value(reading.scale, what, exported=lists)
                except Unusable as why:
                    left_out.add(why.reason, why.example)


def _choose(columns: RatingColumns, names: Sequence[str], path: str, scale: Scale) -> tuple[str, str, bool]:
    """Return the names of the columns with raters and ratings, and whether they hold lists."""
    named = [column for column in (columns.rater, columns.rating) if column is not None]
    check_columns(named, names, path)
    if not named and RATERS in names and RATINGS in names:
        return RATERS, RATINGS, True
    usual = [LABEL, RATING] if scale.kind == LABELS else [RATING]
    rater = columns.rater or RATER
    rating = columns.rating or next((column for column in usual if column in names), usual[-1])
    for column, option in ((rater, "`rater_column`"), (rating, "`rating_columns`")):
        if column not in names:
            raise TableError(f"{path!r} has no column {column!r}; it has: {listing(names)}. Name it with {option}")
    return rater, rating, columns.rater == RATERS and columns.rating == RATINGS


def _text_number(known: Mapping[tuple[str, Context | None], Sequence[int]], text: str, context: Context | None) -> int:
    """Return the number of a text; raise if the project lacks it, or has it in several contexts."""
    if not text.strip():
        raise Unusable("empty text")
    numbers = known.get((text.strip(), context), ())
    if not numbers:
        raise Unusable("a text that the project does not have", text)
    if len(numbers) > 1:
        raise Unusable("a text that the project has in several contexts, of which the table has no columns", text)
    return numbers[0]


def _lists(cells: Mapping[str, Any], raters: str, ratings: str) -> list[tuple[Any, Any]]:
    """Return each rater with their rating, from a row with lists of raters and ratings."""
    try:
        who, what = entries(cells.get(raters)), entries(cells.get(ratings))
    except BadCell as problem:
        raise Unusable(str(problem), cells.get(ratings)) from None
    if len(who) != len(what):
        raise Unusable("lists of raters and of ratings that differ in length")
    return list(zip(who, what, strict=True))


def _rater(cell: Any) -> str:
    rater = name(cell)
    if not rater:
        raise Unusable("no rater")
    try:
        return check_rater(rater)
    except ProjectError:
        raise Unusable("a rater's name that cannot be stored", rater) from None


def _value(scale: Scale, cell: Any, *, exported: bool = False) -> float:
    """Return the rating in a cell as a number; a label is given by its name, or by its index from 0, the worst.

    Numbers in the lists of an export are always indices, even if a label has a number as its name.
    """
    if scale.kind == LABELS and not (exported and isinstance(cell, int | float)):
        labels = [label.casefold() for label in scale.labels]
        if name(cell).casefold() in labels:
            return float(labels.index(name(cell).casefold()))
    ends = ", ".join(scale.labels) or f"{scale.low:g} to {scale.high:g}"
    strange = Unusable(f"a rating that is not on the scale ({ends})", cell)
    try:
        value = number(cell)
    except BadCell:
        raise strange from None
    if value != value:
        raise Unusable("no rating")
    try:
        return answers.clean(Answer(value), scale, 0).value or 0.0
    except ProjectError:
        raise strange from None


def _pairs(
    reading: Reading, where: Location, columns: RatingColumns, names: Sequence[str], left_out: LeftOut
) -> Iterator[Row]:
    """Yield the answers in a table of pairs, which has the columns of an export."""
    first, second, better = ANSWERED
    if columns.by_rater:
        raise TableError("`rater_columns` names columns of ratings, but this project asks about pairs; leave it out")
    better = columns.rating or better
    rater = columns.rater or RATER
    check_columns((first, second, better, rater), names, where.path)
    paired = PairColumns(first, second, better)
    numbers = reading.numbers
    sides = [[f"{side}_{column}" for column in reading.context] for side in ("first", "second")]
    in_context = bool(reading.context) and {*sides[0], *sides[1]} <= set(names)
    for batch in read_batches(where, text_column=first, batch_size=1024):
        for cells, text, problem in zip(batch.rows, batch.texts, batch.problems, strict=True):
            try:
                if str(cells.get("settled", "")).strip().lower() == "true":
                    raise Unusable("a decision, which is nobody's rating")
                pair = pair_of_row(cells, text, problem, paired)
                vote = vote_of_row(cells, paired)
                contexts = [_context(cells, reading.context, side) if in_context else None for side in sides]
                texts = tuple(_text_number(numbers, words, what) for words, what in zip(pair, contexts, strict=True))
                yield texts, _rater(cells.get(rater)), float(vote)
            except Unusable as why:
                left_out.add(why.reason, why.example)


def _context(cells: Mapping[str, Any], names: Sequence[str], columns: Sequence[str]) -> Context:
    """Return the context of one text of a pair; ``columns`` are the prefixed forms of the context columns ``names``."""
    return context_of({name: cells.get(column) for name, column in zip(names, columns, strict=True)}, names)

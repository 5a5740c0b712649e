"""Export ratings as a table for `train`, `evaluate` and `compare`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from naturalness.data.batch import Batch
from naturalness.data.formats import COMPRESSED, Location, location
from naturalness.data.labels import known_order, majority
from naturalness.data.writing import check_writable, open_writer
from naturalness.errors import TableError
from naturalness.studio.annotate.project.agreement import Opinion
from naturalness.studio.annotate.project.preferences import preferred
from naturalness.studio.annotate.project.questions import Item
from naturalness.studio.annotate.project.records import LABELS, Scale, Text
from naturalness.studio.annotate.project.settings import FORMULA

ADDED_COLUMNS = (
    "label",
    "rating",
    "ratings",
    "raters",
    "scale_min",
    "scale_max",
    "test",
    "ratings_again",
    "notes",
    "causes",
    "marks",
    "seconds",
    "rated_at",
    "pairs",
)
"""Columns that an export adds; an input column with such a name gets the prefix `RENAMED_PREFIX`."""
RENAMED_PREFIX = "input_"
FREE_TEXT_COLUMNS = ("note", "cause")
"""Columns of raters' free text, which may look like formulas; lists do not, since they begin with a bracket."""
BATCH_ROWS = 1024


@dataclass(frozen=True, slots=True)
class Exported:
    """The files written, and the options to read them."""

    path: str
    rows: int
    """Number of texts with a rating."""
    ratings: int
    """Number of raters' opinions from which these ratings are computed."""
    pairs_path: str = ""
    """Path of the table of pairs; empty if no pair was rated."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Renamed columns of the input, from old name to new."""
    options: tuple[str, ...] = ()
    """Options to add to `naturalness train` for this table."""


@dataclass(frozen=True, slots=True)
class Rated:
    """The input of an export."""

    scale: Scale
    texts: Sequence[Text]
    columns: Sequence[str]
    """Columns of the input, including the text column."""
    text_column: str
    opinions: Mapping[Item, Mapping[str, Opinion]]
    context: Sequence[str] = ()
    """Columns of the input shown to raters before a text."""

    @property
    def pair_context(self) -> dict[str, tuple[str, str]]:
        """Names in the table of pairs, for the first and the second text, keyed by context column."""
        names: dict[str, tuple[str, str]] = {}
        for name in self.context:
            new = name
            while f"first_{new}" in PAIR_COLUMNS:
                new = RENAMED_PREFIX + new
            names[name] = (f"first_{new}", f"second_{new}")
        return names

    @property
    def names(self) -> dict[str, str]:
        """Names in the export, keyed by column of the input."""
        names: dict[str, str] = {}
        for name in self.columns:
            new = name
            while new in ADDED_COLUMNS or new in names.values() or (new != name and new in self.columns):
                new = RENAMED_PREFIX + new
            names[name] = new
        return names

    @property
    def renamed(self) -> dict[str, str]:
        """Renamed columns of the input, from old name to new."""
        return {old: new for old, new in self.names.items() if old != new}

    @property
    def items(self) -> list[Item]:
        """The rated items, ordered by number."""
        return sorted(self.opinions)

    def cells(self, text: int) -> dict[str, Any]:
        """Return the input's cells for a text, keyed by column name in the export."""
        there = self.texts[text]
        cells = {**there.cells, self.text_column: there.text}
        return {new: cells[old] for old, new in self.names.items() if old in cells}


def export_texts(rated: Rated, path: str, *, force: bool) -> Exported:
    """Write one row per rated text.

    ``rating`` is the mean of ``ratings``, the first rating of each of ``raters``; other lists have the same order as
    ``raters``. With labels, ``label`` is the most frequent one (in a tie, the worst of these), and ratings are indices
    of labels, with 0 for the worst.
    """
    names = rated.names
    column = names[rated.text_column]
    rows = [rated.cells(what[0]) | _judged(rated, what) for what in rated.items]
    added = [name for name in ADDED_COLUMNS if rows and name in rows[0]]
    write(location(path, written=True), [*names.values(), *added], rows, column, force=force)
    return Exported(
        path, len(rows), sum(map(len, rated.opinions.values())), renamed=rated.renamed, options=options(rated)
    )


def options(rated: Rated) -> tuple[str, ...]:
    """Return the options that `train` needs for the table."""
    column = rated.names[rated.text_column]
    words = [] if column == "text" else ["--text-column", column]
    if rated.scale.kind == LABELS:
        words += _order(rated.scale.labels, {_label(rated, what) for what in rated.items})
    return tuple(words)


def _order(labels: Sequence[str], used: set[str | None]) -> list[str]:
    """Return the option that gives the order of labels; empty if their names imply it."""
    present = [label for label in labels if label in used]
    try:
        known = known_order(present, "")
    except TableError:
        return ["--labels", ",".join(present)] if len(present) > 1 else []
    return [] if known == present else ["--labels", ",".join(present)]


def _label(rated: Rated, what: Item) -> str | None:
    """Return the label chosen by the majority."""
    labels = rated.scale.labels
    return majority([labels[int(opinion.value)] for opinion in rated.opinions[what].values()], labels)


def _judged(rated: Rated, what: Item) -> dict[str, Any]:
    """Return the ratings of a text as cells."""
    said = rated.opinions[what]
    values = [opinion.value for opinion in said.values()]
    first = [opinion.rating for opinion in said.values()]
    return ({"label": _label(rated, what)} if rated.scale.kind == LABELS else {}) | {
        "rating": math.fsum(values) / len(values),
        "ratings": values,
        "raters": list(said),
        "scale_min": float(rated.scale.low),
        "scale_max": float(rated.scale.high),
        "test": any(rating.question.test for rating in first),
        "ratings_again": [list(opinion.later_values) for opinion in said.values()],
        "notes": [rating.answer.note for rating in first],
        "causes": [rating.answer.cause for rating in first],
        "marks": [[list(mark) for mark in rating.answer.marks] for rating in first],
        "seconds": [rating.answer.seconds for rating in first],
        "rated_at": [rating.at for rating in first],
    }


def write(
    where: Location, columns: Sequence[str], rows: Sequence[dict[str, Any]], text_column: str, *, force: bool
) -> None:
    """Write rows; numbers keep all their digits.

    Raters' free text is written so that spreadsheets do not read it as a formula. Cells of the input are unchanged,
    even if they begin like a formula.
    """
    if where.format in ("csv", "tsv"):
        rows = [row | {name: _inert(row[name]) for name in FREE_TEXT_COLUMNS if name in row} for row in rows]
    with open_writer(where, force=force) as writer:
        for batch in _batches(columns, rows, text_column):
            writer.write(batch, {})


def _inert(value: Any) -> Any:
    """Return a note that every program reads as text: an apostrophe is added in front if needed."""
    return f"'{value}" if isinstance(value, str) and value[:1] in FORMULA else value


def _batches(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], text_column: str) -> Iterator[Batch]:
    for start in range(0, max(1, len(rows)), BATCH_ROWS):
        some = [dict(row) for row in rows[start : start + BATCH_ROWS]]
        texts = [str(row[text_column]) for row in some]
        # Parquet and CSV need the columns of all rows, since the first rows may lack some.
        yield Batch(list(columns), some, texts, [""] * len(some), first_row=start)


def beside(path: str) -> str:
    """Return the path of the table of pairs: ``rated.pairs.csv.gz`` for ``rated.csv.gz``."""
    parts = path.split(".")
    n_endings = 2 if f".{parts[-1].lower()}" in COMPRESSED else 1
    return ".".join([*parts[:-n_endings], "pairs", *parts[-n_endings:]])


PREFERENCES = {1.0: "first", 0.0: "same", -1.0: "second"}
PAIR_COLUMNS = (
    "first",
    "second",
    "better",
    "first_text",
    "second_text",
    "rater",
    "again",
    "test",
    "note",
    "cause",
    "marks",
    "seconds",
    "rated_at",
)
"""Columns of the table of pairs; ``first`` and ``second`` are numbers of texts, from 0."""


def export_pairs(rated: Rated, path: str, *, force: bool) -> Exported:
    """Write one row per text in a pair to ``path``, and one row per answer to the table of pairs.

    ``rating`` is the probability, 0 to 1, that the text is preferred to an average one, computed from the first
    answers of all raters; ``pairs`` is the number of these answers that concern the text.
    """
    if location(path, written=True).is_standard:
        raise TableError("pairs are written as two tables; name a file with -o")
    pairs_path = beside(path)
    for output in (path, pairs_path):
        check_writable(Path(location(output, written=True).path), force=force)
    outcomes = [
        (first, second, (opinion.value + 1) / 2)
        for first, second in rated.items
        for opinion in rated.opinions[first, second].values()
    ]
    scores = preferred(len(rated.texts), outcomes)
    many = Counter(text for first, second, _ in outcomes for text in (first, second))
    names = rated.names
    rows = [
        rated.cells(text) | {"rating": float(scores[text]), "scale_min": 0.0, "scale_max": 1.0, "pairs": many[text]}
        for text in sorted(many)
    ]
    columns = [*names.values(), "rating", "scale_min", "scale_max", "pairs"]
    column = names[rated.text_column]
    answers = [row for what in rated.items for row in _answers(rated, what)]
    beside_texts = [new for both in rated.pair_context.values() for new in both]
    write(location(pairs_path, written=True), [*PAIR_COLUMNS, *beside_texts], answers, "first_text", force=force)
    write(location(path, written=True), columns, rows, column, force=force)
    return Exported(
        path,
        len(rows),
        sum(map(len, rated.opinions.values())),
        pairs_path,
        renamed=rated.renamed,
        options=options(rated),
    )


def _answers(rated: Rated, what: Item) -> list[dict[str, Any]]:
    """Return one row per answer, with the texts in the order in which the rater saw them."""
    rows = []
    for opinion in rated.opinions[what].values():
        for number, rating in enumerate((opinion.rating, *opinion.later)):
            answer, question = rating.answer, rating.question
            first, second = question.texts
            row = {
                "first": first,
                "second": second,
                "better": PREFERENCES[answer.value or 0.0],
                "first_text": rated.texts[first].text,
                "second_text": rated.texts[second].text,
                "rater": question.rater,
                "again": number > 0,
                "test": question.test,
                "note": answer.note,
                "cause": answer.cause,
                "marks": [list(mark) for mark in answer.marks],
                "seconds": answer.seconds,
                "rated_at": rating.at,
            }
            for name, both in rated.pair_context.items():
                row |= {new: rated.texts[text].cells.get(name) for new, text in zip(both, question.texts, strict=True)}
            rows.append(row)
    return rows

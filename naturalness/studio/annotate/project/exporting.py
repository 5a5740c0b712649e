"""Export ratings as a table for `train`, `evaluate` and `compare`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from naturalness.data.batch import Batch
from naturalness.data.formats import COMPRESSED, location
from naturalness.data.labels import known_order, majority
from naturalness.data.writing import check_writable, open_writer
from naturalness.errors import TableError
from naturalness.studio.annotate.project.agreement import Opinion
from naturalness.studio.annotate.project.preferences import preferred
from naturalness.studio.annotate.project.questions import Item
from naturalness.studio.annotate.project.records import LABELS, PAIRS, Scale, Text
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
SIDES = ("first", "second")
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


@dataclass(frozen=True, slots=True)
class Exported:
    """The files written, and the options to read them."""

    path: str
    rows: int
    """Number of texts with a rating."""
    ratings: int
    """Number of raters' opinions from which these ratings are computed."""
    pairs_path: str
    """Path of the table of pairs; empty unless pairs were rated."""
    renamed: Mapping[str, str]
    """Renamed columns of the input, from old name to new."""
    options: tuple[str, ...]
    """Options to add to `naturalness train` for this table."""


@dataclass(frozen=True, slots=True)
class ExportedTexts:
    """The input of an export."""

    scale: Scale
    texts: Sequence[Text]
    columns: Sequence[str]
    """Columns of the input, including the text column."""
    text_column: str
    opinions: Mapping[Item, Mapping[str, Opinion]]
    context: Sequence[str]
    """Columns of the input shown to raters before a text."""

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
    def items(self) -> list[Item]:
        """The rated items, ordered by number."""
        return sorted(self.opinions)

    def cells(self, text: int) -> dict[str, Any]:
        """Return the input's cells for a text, keyed by column name in the export."""
        there = self.texts[text]
        cells = {**there.cells, self.text_column: there.text}
        return {new: cells[old] for old, new in self.names.items() if old in cells}


def export(rated: ExportedTexts, path: str, *, force: bool) -> Exported:
    """Write one row per rated text; with pairs, also write one row per answer to a table beside it."""
    names = rated.names
    pairs_path = beside(path) if rated.scale.kind == PAIRS else ""
    if pairs_path:
        if location(path, written=True).is_standard:
            raise TableError("pairs are written as two tables; name a file")
        for output in (path, pairs_path):
            check_writable(Path(location(output, written=True).path), force=force)
        answers = [row for what in rated.items for row in _answers(rated, what)]
        write(pairs_path, list(answers[0]), answers, "first_text", force=force)
        rows = _preferred(rated)
    else:
        rows = [rated.cells(what[0]) | _judged(rated, what) for what in rated.items]
    added = [name for name in ADDED_COLUMNS if name in rows[0]]
    write(path, [*names.values(), *added], rows, names[rated.text_column], force=force)
    return Exported(
        path,
        len(rows),
        sum(map(len, rated.opinions.values())),
        pairs_path,
        {old: new for old, new in names.items() if old != new},
        options(rated),
    )


def options(rated: ExportedTexts) -> tuple[str, ...]:
    """Return the options that `train` needs for the table."""
    column = rated.names[rated.text_column]
    words = [] if column == "text" else ["--text-column", column]
    used = {_label(rated, what) for what in rated.items} if rated.scale.kind == LABELS else set()
    present = [label for label in rated.scale.labels if label in used]
    try:
        known = known_order(present, "") == present
    except TableError:
        known = len(present) < 2
    return (*words, *([] if known else ["--labels", ",".join(present)]))


def _label(rated: ExportedTexts, what: Item) -> str | None:
    """Return the label chosen by the majority; in a tie, the worst of these."""
    labels = rated.scale.labels
    return majority([labels[int(opinion.value)] for opinion in rated.opinions[what].values()], labels)


def _judged(rated: ExportedTexts, what: Item) -> dict[str, Any]:
    """Return the ratings of a text as cells.

    ``rating`` is the mean of ``ratings``, the first rating of each of ``raters``; other lists have the same order as
    ``raters``. With labels, ratings are indices of labels, with 0 for the worst.
    """
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


def _preferred(rated: ExportedTexts) -> list[dict[str, Any]]:
    """Return one row per text in a pair.

    ``rating`` is the probability, 0 to 1, that the text is preferred to an average one, computed from the first
    answers of all raters; ``pairs`` is the number of these answers that concern the text.
    """
    outcomes = [
        (first, second, (opinion.value + 1) / 2)
        for first, second in rated.items
        for opinion in rated.opinions[first, second].values()
    ]
    many = Counter(text for first, second, _ in outcomes for text in (first, second))
    return [
        rated.cells(text) | {"rating": float(score), "scale_min": 0.0, "scale_max": 1.0, "pairs": many[text]}
        for text, score in zip(*preferred(outcomes), strict=True)
    ]


def _answers(rated: ExportedTexts, what: Item) -> list[dict[str, Any]]:
    """Return one row per answer, with the texts in the order in which the rater saw them."""
    rows = []
    for opinion in rated.opinions[what].values():
        for rating in (opinion.rating, *opinion.later):
            answer, question = rating.answer, rating.question
            texts = [rated.texts[number] for number in question.texts]
            cells = (
                *question.texts,
                PREFERENCES[answer.value or 0.0],
                *(text.text for text in texts),
                question.rater,
                rating is not opinion.rating,
                question.test,
                answer.note,
                answer.cause,
                [list(mark) for mark in answer.marks],
                answer.seconds,
                rating.at,
            )
            row: dict[str, Any] = dict(zip(PAIR_COLUMNS, cells, strict=True))
            for name in rated.context:
                new = RENAMED_PREFIX + name if f"first_{name}" in PAIR_COLUMNS else name
                row |= {f"{side}_{new}": text.cells.get(name) for side, text in zip(SIDES, texts, strict=True)}
            rows.append(row)
    return rows


def write(path: str, columns: Sequence[str], rows: list[dict[str, Any]], text_column: str, *, force: bool) -> None:
    """Write rows; numbers keep all their digits.

    Raters' free text is written so that spreadsheets do not read it as a formula. Cells of the input are unchanged,
    even if they begin like a formula.
    """
    where = location(path, written=True)
    if where.format in ("csv", "tsv"):
        rows = [row | {name: _inert(row[name]) for name in FREE_TEXT_COLUMNS if name in row} for row in rows]
    texts = [str(row[text_column]) for row in rows]
    with open_writer(where, force=force) as writer:
        writer.write(Batch(list(columns), rows, texts, [""] * len(rows), first_row=0), {})


def _inert(note: str) -> str:
    """Return a note that every program reads as text: an apostrophe is added in front if needed."""
    return f"'{note}" if note[:1] in FORMULA else note


def beside(path: str) -> str:
    """Return the path of the table of pairs: ``rated.pairs.csv.gz`` for ``rated.csv.gz``."""
    parts = path.split(".")
    n_endings = 2 if f".{parts[-1].lower()}" in COMPRESSED else 1
    return ".".join([*parts[:-n_endings], "pairs", *parts[-n_endings:]])

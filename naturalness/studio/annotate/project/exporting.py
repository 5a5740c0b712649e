"""Export ratings as a table for `train`, `evaluate` and `compare`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naturalness.data.batch import Batch
from naturalness.data.formats import location
from naturalness.data.labels import known_order, majority
from naturalness.data.writing import open_writer
from naturalness.errors import TableError
from naturalness.studio.annotate.project.records import LABELS, Rating, Scale, Text

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
)
"""Columns that an export adds; an input column with such a name gets the prefix `RENAMED_PREFIX`."""
RENAMED_PREFIX = "input_"
Opinions = Mapping[int, Mapping[str, Sequence[Rating]]]
"""Ratings keyed by text, then by rater; a rater's later ratings come from repeated questions."""


def opinions(ratings: Sequence[Rating]) -> Opinions:
    """Return the ratings by text and rater, in the order of asking; skipped questions are left out."""
    by_text: dict[int, dict[str, list[Rating]]] = {}
    for rating in sorted(ratings, key=lambda rating: rating.question.number):
        if rating.answer.value is not None:
            by_rater = by_text.setdefault(rating.question.text, {})
            by_rater.setdefault(rating.question.rater, []).append(rating)
    return dict(sorted(by_text.items()))


@dataclass(frozen=True, slots=True)
class Exported:
    """The file written, and the options to read it."""

    path: str
    rows: int
    """Number of texts with a rating."""
    ratings: int
    """Number of raters' opinions from which these ratings are computed."""
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
    opinions: Opinions

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

    def cells(self, text: int) -> dict[str, Any]:
        """Return the input's cells for a text, keyed by column name in the export."""
        there = self.texts[text]
        cells = {**there.cells, self.text_column: there.text}
        return {new: cells[old] for old, new in self.names.items() if old in cells}


def export(rated: ExportedTexts, path: str, *, force: bool) -> Exported:
    """Write one row per rated text; numbers keep all their digits."""
    names = rated.names
    rows = [rated.cells(text) | _judged(rated, text) for text in rated.opinions]
    columns = [*names.values(), *(name for name in ADDED_COLUMNS if name in rows[0])]
    texts = [str(row[names[rated.text_column]]) for row in rows]
    with open_writer(location(path, written=True), force=force) as writer:
        writer.write(Batch(columns, rows, texts, [""] * len(rows), first_row=0), {})
    return Exported(
        path,
        len(rows),
        sum(map(len, rated.opinions.values())),
        {old: new for old, new in names.items() if old != new},
        options(rated),
    )


def options(rated: ExportedTexts) -> tuple[str, ...]:
    """Return the options that `train` needs for the table."""
    column = rated.names[rated.text_column]
    words = [] if column == "text" else ["--text-column", column]
    used = {_label(rated, text) for text in rated.opinions} if rated.scale.kind == LABELS else set()
    present = [label for label in rated.scale.labels if label in used]
    try:
        known = known_order(present, "") == present
    except TableError:
        known = len(present) < 2
    return (*words, *([] if known else ["--labels", ",".join(present)]))


def _values(ratings: Sequence[Rating]) -> list[float]:
    return [rating.answer.value for rating in ratings if rating.answer.value is not None]


def _label(rated: ExportedTexts, text: int) -> str | None:
    """Return the label chosen by the majority; in a tie, the worst of these."""
    labels = rated.scale.labels
    first = [ratings[0] for ratings in rated.opinions[text].values()]
    return majority([labels[int(value)] for value in _values(first)], labels)


def _judged(rated: ExportedTexts, text: int) -> dict[str, Any]:
    """Return the ratings of a text as cells.

    ``rating`` is the mean of ``ratings``, the first rating of each of ``raters``: two ratings by one person would look
    like agreement between two. Other lists have the same order as ``raters``. With labels, ratings are indices of
    labels, with 0 for the worst.
    """
    by_rater = rated.opinions[text]
    first = [ratings[0] for ratings in by_rater.values()]
    values = _values(first)
    return ({"label": _label(rated, text)} if rated.scale.kind == LABELS else {}) | {
        "rating": math.fsum(values) / len(values),
        "ratings": values,
        "raters": list(by_rater),
        "scale_min": float(rated.scale.low),
        "scale_max": float(rated.scale.high),
        "test": any(rating.question.test for rating in first),
        "ratings_again": [_values(ratings[1:]) for ratings in by_rater.values()],
        "notes": [rating.answer.note for rating in first],
        "causes": [rating.answer.cause for rating in first],
        "marks": [[list(mark) for mark in rating.answer.marks] for rating in first],
        "seconds": [rating.answer.seconds for rating in first],
        "rated_at": [rating.at for rating in first],
    }

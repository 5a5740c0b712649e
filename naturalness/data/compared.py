"""The columns that a comparison needs in addition to texts and ratings.

These columns hold systems, references, individual ratings and their raters, values to group texts by, and scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from naturalness.data.batch import check_columns
from naturalness.data.cells import BadCell, entries, is_missing, name, number
from naturalness.data.formats import Location
from naturalness.data.rated import RatedTexts
from naturalness.data.rated_rows import mean
from naturalness.errors import TableError, excerpt

SYSTEM, REFERENCES = "system", "references"
"""The default names of the columns that hold systems and references."""
SEVERAL = "several"
"""The grouping value of a text if its merged rows have different values."""


@dataclass(slots=True)
class Joined:
    """The joined columns, with one entry per rated text; None for a column that the table lacks."""

    rows: list[int] = field(default_factory=list)
    """The index of each text's first row in the file, counted from 0."""
    systems: list[str | None] | None = None
    """The system of each text; None for a text whose merged rows come from several systems, and an empty string if
    the system is unknown."""
    references: list[list[str]] | None = None
    singles: list[list[float]] | None = None
    raters: list[list[str]] | None = None
    """The rater of each individual rating of each text; an empty string if unknown."""
    by: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)
    """The score of each text, keyed by column: the mean over its merged rows, or NaN if none has a number."""
    notes: list[str] = field(default_factory=list)


def join(
    where: Location,
    texts: RatedTexts,
    *,
    system_column: str | None = None,
    by: Sequence[str] = (),
    scores: Sequence[str] = (),
    needs_references: bool = True,
) -> Joined:
    """Return the columns of a rated table that a comparison needs.

    If ``needs_references`` is false, references are not read, so errors in them do not matter.
    """
    cells, columns = texts.cells, texts.columns
    check_columns([*by, *scores, *filter(None, [system_column])], columns, where.path)
    rows = texts.merged_rows
    out = Joined(texts.rows)

    def values_of(column: str | None, usual: str) -> list[str | None] | None:
        if not column and usual not in columns:
            return None
        values = [_only_value(cells, group, column or usual) for group in rows]
        return values if any(values) else None

    out.systems = values_of(system_column, SYSTEM)
    if needs_references and REFERENCES in columns:
        references = [_references(cells, group, REFERENCES) for group in rows]
        out.references = references if any(references) else None
    for column in by:
        values = [_only_value(cells, group, column) for group in rows]
        out.by[column] = [SEVERAL if value is None else value for value in values]
    for column in scores:
        out.scores[column] = _scores(cells, rows, column)
    if texts.singles and len(texts.singles[0]) > 1:
        out.notes.append("agreement of raters is only computed for a single aspect; there are several")
    elif any(ratings for (ratings,) in texts.singles):
        out.singles = [ratings for (ratings,) in texts.singles]
        out.raters = [raters for (raters,) in texts.raters]
    return out


Cells = Mapping[int, Mapping[str, Any]]
"""The cells of each row, keyed by row number and then by column."""


def _only_value(cells: Cells, rows: Sequence[int], column: str) -> str | None:
    """Return the value that merged rows share in a column; None if they differ."""
    values = {name(cells[row].get(column)) for row in rows}
    return values.pop() if len(values) == 1 else None


def _scores(cells: Cells, rows: Sequence[Sequence[int]], column: str) -> list[float]:
    """Return each text's mean score in a column; cells that are not numbers count as missing."""

    def score(row: int) -> float:
        try:
            return number(cells[row].get(column))
        except BadCell:
            return math.nan

    scores = [mean([value for row in group if not math.isnan(value := score(row))]) for group in rows]
    if all(map(math.isnan, scores)):
        raise TableError(
            f"column {column!r} holds no number in any rated row; expected scores: name another "
            "with `scores` or `lower_scores`"
        )
    return scores


def _references(cells: Cells, rows: Sequence[int], column: str) -> list[str]:
    """Return the distinct references of a text from cells with a list, a JSON list or one reference; skip `null`."""
    out: dict[str, None] = {}
    for row in rows:
        cell = cells[row].get(column)
        if is_missing(cell):
            continue
        for entry in _cell_items(cell):
            if isinstance(entry, str):
                if entry.strip():
                    out[entry] = None
            elif not is_missing(entry):
                raise TableError(
                    f"row {row + 1}, column {column!r}: found {excerpt(entry)}; expected "
                    'references as a JSON list of texts, ["…", "…"], or one text'
                )
    return list(out)


def _cell_items(cell: Any) -> list[Any]:
    """Return the entries of a list or JSON list; any other cell is returned as a single entry."""
    # Unlike other cells, references are not split at commas, because a reference is a sentence.
    if isinstance(cell, str) and not cell.lstrip().startswith("["):
        return [cell]
    try:
        return entries(cell)
    except BadCell:
        return [cell]

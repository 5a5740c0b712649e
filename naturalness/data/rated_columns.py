"""Determine which columns of a rated table contain labels, ratings, raters and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from naturalness.data.cells import is_list, is_missing
from naturalness.errors import TableError, listing

LABEL, RATING, RATINGS = "label", "rating", "ratings"
"""The default names of the columns that contain labels, ratings and lists of individual ratings."""
SCALE = ("scale_min", "scale_max")
"""The columns that contain the lowest and highest possible rating."""


@dataclass(frozen=True, slots=True)
class RatedColumns:
    """The columns of a rated table; each aspect has a rating column, a column of individual ratings, or both."""

    label: str | None = None
    rating: tuple[str, ...] = ()
    """Columns with a number in each row: a mean or, in the long format, the rating of one rater."""
    ratings: tuple[str, ...] = ()
    """Columns with a list of individual ratings in each row."""
    rater: str | None = None
    by_rater: tuple[str, ...] = ()
    """Columns with the ratings of one rater each, named after the rater."""
    source: str | None = None

    @property
    def aspects(self) -> int:
        """The number of rated aspects."""
        return max(len(self.rating), len(self.ratings), bool(self.by_rater))

    @property
    def is_long(self) -> bool:
        """Whether the table is in the long format, in which each row is one rater's judgement."""
        return self.rater is not None and bool(self.rating) and not self.ratings

    @property
    def has_single_ratings(self) -> bool:
        """Whether the columns include ratings by individual raters."""
        return self.is_long or bool(self.ratings) or bool(self.by_rater)

    @property
    def names(self) -> list[str]:
        """All named columns."""
        single = [name for name in (self.label, self.rater, self.source) if name is not None]
        return [*single, *self.rating, *self.ratings, *self.by_rater]


def name_columns(
    label: str | None,
    rating: Sequence[str] | None,
    rater: str | None,
    by_rater: Sequence[str] | None,
    source: str | None,
) -> RatedColumns:
    """Return the columns that the caller names, with all rating columns in ``rating`` until `divide` has seen rows."""
    if by_rater and (rater or len(rating or ()) > 1):
        raise TableError(
            "`rater_columns` names a column for each rater, who all rate one thing; leave out `rater_column`, and name "
            "at most the column of their mean with `rating_columns`"
        )
    return RatedColumns(label, tuple(rating or ()), (), rater, tuple(by_rater or ()), source)


def divide(named: RatedColumns, rows: Sequence[Mapping[str, Any]]) -> RatedColumns:
    """Return the columns after moving to ``ratings`` those rating columns that contain lists in most rows."""
    lists = tuple(name for name in named.rating if name == RATINGS or _holds_lists([row.get(name) for row in rows]))
    rating = tuple(name for name in named.rating if name not in lists)
    if rating and lists and len(rating) != len(lists):
        raise TableError(
            f"{len(rating)} rating columns and {len(lists)} columns of single ratings; expected one of each per "
            "aspect, in the same order"
        )
    if lists and named.by_rater:
        raise TableError(
            f"column {lists[0]!r} holds lists of ratings, and `rater_columns` names more; give one of the two"
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

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
            f"{len(rating)} rating columns and {len(lists)} columns of single ratings; expected one of each per "
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

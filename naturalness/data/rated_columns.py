"""Which columns of a rated table hold labels, ratings, raters and sources."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from naturalness.data.batch import check_columns
from naturalness.data.cells import Reader
from naturalness.errors import TableError, listing

LABEL, RATING, RATINGS = "label", "rating", "ratings"
"""Columns that are used where none is named."""
SCALE = ("scale_min", "scale_max")
"""Columns that may say how low and how high raters could go."""


@dataclass(frozen=True, slots=True)
class RatedColumns:
    """Names of columns; one rating column, or one column of single ratings, per aspect."""

    label: str | None = None
    rating: tuple[str, ...] = ()
    """One number per row: a mean or, in the long format, the rating of one rater."""
    ratings: tuple[str, ...] = ()
    """Single ratings, a list per row."""
    rater: str | None = None
    source: str | None = None
    numbers: Mapping[str, Reader] = field(default_factory=dict)
    """Columns that are features beside the text, and how their cells are read."""

    @property
    def aspects(self) -> int:
        """How many aspects were rated."""
        return max(len(self.rating), len(self.ratings))

    @property
    def is_long(self) -> bool:
        """Tell whether a row is one judgement of one rater."""
        return self.rater is not None and bool(self.rating) and not self.ratings

    @property
    def has_single_ratings(self) -> bool:
        """Tell whether ratings of single raters are among the columns."""
        return self.is_long or bool(self.ratings)

    @property
    def names(self) -> list[str]:
        """Return all columns that are named."""
        single = [name for name in (self.label, self.rater, self.source) if name is not None]
        return [*single, *self.rating, *self.ratings, *self.numbers]


def name_columns(
    label: str | None,
    rating: Sequence[str] | None,
    ratings: Sequence[str] | None,
    rater: str | None,
    source: str | None,
    numbers: Mapping[str, Reader] | None = None,
) -> RatedColumns:
    """Return the columns as a caller names them, before the table is seen."""
    for argument, names in (("rating_columns", rating), ("ratings_columns", ratings)):
        if isinstance(names, str):
            raise TypeError(f"{argument} is the string {names!r}; expected a list of names")
    named = RatedColumns(label, tuple(rating or ()), tuple(ratings or ()), rater, source, dict(numbers or {}))
    if named.rating and named.ratings and len(named.rating) != len(named.ratings):
        raise TableError(
            f"{len(named.rating)} rating columns and {len(named.ratings)} columns of single "
            "ratings; expected one of each per aspect, in the same order"
        )
    return named


def check_present(named: RatedColumns, present: Sequence[str], path: str) -> None:
    """Refuse a named column that the table lacks."""
    check_columns(named.names, present, path)


def check_numbers(columns: RatedColumns) -> None:
    """Refuse, as a feature, a column that says what is to be learned."""
    answers = [columns.label, *columns.rating, *columns.ratings, columns.rater]
    if answered := [name for name in columns.numbers if name in answers]:
        raise TableError(
            f"column {answered[0]!r} says what people rated, which the model is to predict; "
            "leave it out of --numeric-columns"
        )


def check_filled(path: str, numbers: Sequence[Mapping[str, float | str]]) -> None:
    """Refuse a column of numbers, or of contexts, that holds none."""
    for name in numbers[0]:
        if all(is_gap(row[name]) for row in numbers):
            raise TableError(
                f"column {name!r} of {path!r} holds nothing that can be read in any row that can be used; name another"
            )


def is_gap(value: float | str) -> bool:
    """Whether there is no number, or no context."""
    return not value.strip() if isinstance(value, str) else math.isnan(value)


def complete(named: RatedColumns, present: Sequence[str], path: str, *, with_rule: bool) -> RatedColumns:
    """Return the columns to use: those named or, where none is, `LABEL`, `RATING` and `RATINGS`.

    A rule makes labels from ratings, so a column of labels is then used only if it is named, which
    is refused: one of the two must give way.
    """
    if named.label and with_rule:
        raise TableError(f"labels come either from column {named.label!r} or from ratings by a rule; give one")
    columns = named
    if not (named.label or named.rating or named.ratings):
        columns = replace(
            named,
            label=LABEL if LABEL in present and not with_rule else None,
            rating=(RATING,) if RATING in present else (),
            ratings=(RATINGS,) if RATINGS in present else (),
        )
        if not (columns.label or columns.aspects or LABEL in present):
            raise TableError(
                f"{path!r} has no column {LABEL!r}, {RATING!r} or {RATINGS!r}; it has: "
                f"{listing(present)}. Name one with --label-column, --rating-columns or "
                "--ratings-columns"
            )
    if with_rule and not columns.aspects:
        raise TableError(
            f"a label rule needs ratings, and {path!r} has labels only; leave out the rule, or "
            f"name ratings with --rating-columns. It has: {listing(present)}"
        )
    return columns

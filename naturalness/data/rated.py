"""Read tables of rated or labelled texts, on which classifiers and regressions are trained.

Each row of a table contains a label, or a rating for each of one or more aspects. A rating is a number or a list of
individual ratings. In the long format, each row contains the judgement of a single rater.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from naturalness.data.cells import BadCell, number
from naturalness.data.formats import Location
from naturalness.data.labels import CLASSES, SAME, LabelRule, known_order, majority, match_order, unify
from naturalness.data.rated_rows import (
    SCALE,
    RatedColumns,
    RatedRow,
    RawRow,
    RowsLeftOut,
    complete,
    divide,
    merge,
    read_ratings,
    read_rows,
    scale_single_ratings,
)
from naturalness.data.sources import connected, source_note
from naturalness.errors import TableError, listing
from naturalness.text.normalisation import letters

Scale = tuple[float, float]


@dataclass(slots=True)
class RatedTexts:
    """Texts to train on; lists have one entry per text unless noted otherwise."""

    texts: list[str]
    ratings: list[float]
    """The mean of the (scaled) ratings, averaged over aspects; higher is better. NaN if a text is not rated."""
    labels: list[str | None]
    """The class of each text; None for a text that is left out of classification."""
    groups: list[int]
    """The number of each text's group. Texts that share a source or have the same wording form a group, which a split
    must not separate."""
    rows: list[int]
    """The index of each text's first row in the file, from 0."""
    classes: list[str]
    """The labels of the rule or of the label column, from worst to best."""
    merged: int
    """The number of rows that were merged into an earlier row with the same text."""
    rule: LabelRule | None
    """The rule that derived the labels from ratings; None if the labels come from a column."""
    rule_note: str
    """A note of one line on where the labels come from."""
    scale: Scale = (math.nan, math.nan)
    """The lowest and highest possible ratings (observed ratings if these are unknown); NaN if there are no ratings."""
    left_out: dict[str, int] = field(default_factory=dict)
    """The number of rows that were left out, keyed by reason."""
    rater_note: str = ""
    """A note on raters whose ratings could not be scaled; an empty string if there are none."""
    source_note: str = ""
    """A note on the column of sources; if none is used, a hint to name one that the table seems to have."""
    pairs: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of text indices, the preferred text first; empty for rated or labelled texts."""
    phenomena: list[str] = field(default_factory=list)
    """The phenomenon of each pair; empty if no column contains phenomena."""
    merged_rows: list[list[int]] = field(default_factory=list)
    """The indices of all table rows that were merged into each text, including the first row; empty for pairs."""
    columns: list[str] = field(default_factory=list)
    """The columns of the table; empty for pairs."""
    cells: dict[int, dict[str, Any]] = field(default_factory=dict)
    """The cells of each row, keyed by row index and then by column; empty for pairs."""
    singles: list[list[list[float]]] = field(default_factory=list)
    """The individual ratings of each text for each aspect; empty if the table has none."""
    raters: list[list[list[str]]] = field(default_factory=list)
    """The rater of each rating in `singles`; an empty string if unknown."""
    rates: bool = False
    """Whether the target is the rating."""


def read_rated(
    where: Location,
    *,
    text_column: str | None = None,
    label_column: str | None = None,
    rating_columns: Sequence[str] | None = None,
    rater_column: str | None = None,
    source_column: str | None = None,
    rule: LabelRule | None = None,
    order: Sequence[str] | None = None,
    rater_scale: str = "none",
    merge_duplicates: bool = True,
    scale: Scale | None = None,
) -> RatedTexts:
    """Return the texts of a table with their labels or ratings; bad rows are left out and counted.

    If no column of labels or ratings is named, the columns ``label``, ``rating`` and ``ratings`` are used if they
    exist. If both rating columns exist, rules that need individual ratings use ``ratings``, and other rules
    ``rating``. Labels in a column are used as they are. ``order`` names them from worst to best, and is needed if
    their names do not imply an order; labels that it does not name are left out. If there is no label column,
    ``rule`` derives labels from ratings; if ``rule`` is None, texts are natural if their rating is at least the
    median.

    ``rating_columns`` contain a number or a list of individual ratings in each row. Rows with the same text are merged;
    if ``merge_duplicates`` is False, they are merged only in the long format.

    ``rater_column`` contains the rater of each row or, for lists of ratings, a list of raters. With ``rater_scale``
    (see `raters.SCALINGS`), ratings are scaled per rater, and the bounds of ``rule`` refer to the new scale. ``scale``
    is the lowest and highest possible rating; rows with ratings outside it are left out. If it is None, the scale is
    taken from the columns ``scale_min`` and ``scale_max``, and widened to include all ratings.
    """
    named = RatedColumns(label_column, tuple(rating_columns or ()), (), rater_column, source_column)
    if scale is not None:
        scale = _checked(scale)
    left_out = RowsLeftOut()
    raw, names = read_rows(where, text_column, named, left_out)
    if not names:
        raise left_out.nothing_usable("row", where.path)
    named = divide(named, [row.cells for row in raw])
    columns = complete(named, names, where.path, with_rule=rule is not None)
    _check_columns(where.path, columns, names, rater_scale, order)
    rows = read_ratings(raw, columns, scale, left_out)
    classes: list[str] = []
    if columns.label:
        there = f"column {columns.label!r} of {where.path!r}"
        rows, classes = order_labels(rows, order, there, left_out)
    rater_note = scale_single_ratings(rows, rater_scale) if rater_scale != "none" else ""
    if rule and rule.needs_single_ratings and _has_means_only(rows):
        raise TableError(
            f"{where.path!r}: the rule needs individual ratings, but only means are given; name their columns "
            "with `rating_columns` (or who gave each rating with `rater_column`), or use a rule on the mean"
        )
    merged = list(merge(rows)) if merge_duplicates or columns.is_long else rows
    items = [item for item in merged if _has_target(item, rule, left_out)]
    if not items:
        raise left_out.nothing_usable("row", where.path)
    result = _collect(items, classes, rule)
    if scale is None or rater_scale != "none":
        # The scale stated in the table does not apply to scaled ratings.
        scale = rating_scale(items, raw if rater_scale == "none" else [])
    result.scale = scale
    if columns.has_single_ratings:
        result.singles = [[aspect.ratings for aspect in item.aspects] for item in items]
        result.raters = [[[rater for rater, _ in aspect.single] for aspect in item.aspects] for item in items]
    result.columns, result.cells = names, {row.number: row.cells for row in raw}
    result.left_out, result.rater_note = left_out.by_reason(), rater_note
    result.source_note = source_note([(row.text, row.cells) for row in raw], "texts", columns.source)
    return result


def _collect(items: Sequence[RatedRow], classes: list[str], rule: LabelRule | None) -> RatedTexts:
    """Return the texts with ratings and labels."""
    ratings = [item.rating for item in items]
    labels, classes, rule, note = _labels(items, ratings, classes, rule)
    return RatedTexts(
        texts=[item.text for item in items],
        ratings=ratings,
        labels=labels,
        groups=connected(_keys(item) for item in items),
        rows=[item.rows[0] for item in items],
        classes=classes,
        merged=sum(len(item.rows) - 1 for item in items),
        rule=rule,
        rule_note=note,
        merged_rows=[item.rows for item in items],
    )


def _labels(
    items: Sequence[RatedRow], ratings: Sequence[float], classes: list[str], rule: LabelRule | None
) -> tuple[list[str | None], list[str], LabelRule | None, str]:
    """Return the labels, the classes, the rule that gave the labels (or None), and a note on their origin."""
    if classes:
        return [majority(item.labels, classes) for item in items], classes, None, "labels as given"
    if rule is None:
        rule, note = median_rule(ratings)
        return [rule.label([[]], [rating]) for rating in ratings], [*CLASSES], rule, note
    return [label_by_rule(item, rule) for item in items], [*CLASSES], rule, rule.describe()


def _has_target(item: RatedRow, rule: LabelRule | None, left_out: RowsLeftOut) -> bool:
    """Return whether a text has the rating or label that is needed; if not, count its rows as left out."""
    if item.labels or not math.isnan(item.rating):
        return True
    if rule is not None and label_by_rule(item, rule) is not None:
        return True
    reason = "no rating in every aspect" if any(item.aspects) else "no rating on a rater's scale"
    left_out.add(reason, rows=len(item.rows))
    return False


def _has_means_only(rows: Sequence[RatedRow]) -> bool:
    aspects = [aspect for row in rows for aspect in row.aspects]
    return any(aspect.means for aspect in aspects) and not any(aspect.single for aspect in aspects)


def _keys(item: RatedRow) -> list[tuple[str, str]]:
    """Return the keys by which a text is grouped with other texts: its letters and its known sources."""
    sources = [("source", source) for source in item.sources if source]
    return [("text", letters(item.text)), *sources]


def _check_columns(
    path: str, columns: RatedColumns, names: Sequence[str], rater_scale: str, order: Sequence[str] | None
) -> None:
    """Raise an error if an option needs a column that is not used."""
    if order is not None and columns.label is None:
        raise TableError(
            f"`labels` orders the labels of a column, but {path!r} has no column of labels; "
            f"name it with `label_column`. It has: {listing(names)}"
        )
    if rater_scale != "none" and not (columns.rater and columns.has_single_ratings):
        lacking = "a column of ratings" if columns.rater else "the raters: name `rater_column`"
        raise TableError(f"to scale ratings with {rater_scale!r}, {path!r} needs {lacking}. It has: {listing(names)}")


def order_labels(
    rows: Sequence[RatedRow], order: Sequence[str] | None, where: str, left_out: RowsLeftOut
) -> tuple[list[RatedRow], list[str]]:
    """Return the rows with one spelling per class, and the classes from worst to best.

    Rows with a label that is not in ``order`` are left out.
    """
    spelled = unify(label for row in rows for label in row.labels)
    classes = list(dict.fromkeys(spelled.values()))
    if order is None:
        names = {name: name for name in classes}
        order = known_order(classes, where) if classes else []
    else:
        names = match_order(order, classes, where) if classes else {}
    ordered = []
    for row in rows:
        labels = [names.get(spelled[label], "") for label in row.labels]
        if "" in labels:
            left_out.add("label that is not named", row.labels[0])
        else:
            row.labels = labels
            ordered.append(row)
    return ordered, list(order)


def label_by_rule(item: RatedRow, rule: LabelRule) -> str | None:
    """Return the label that a rule gives a text; None if the rule leaves the text out or ratings are missing.

    A rule that needs only means is applied to the mean rating of each aspect, so that labels and ratings agree.
    """
    if rule.needs_single_ratings:
        return rule.label([aspect.ratings for aspect in item.aspects])
    return rule.label([[]] * len(item.aspects), [aspect.mean for aspect in item.aspects])


def median_rule(ratings: Sequence[float]) -> tuple[LabelRule, str]:
    """Return a rule by which texts are natural if their rating is at least the median, and a note on the rule.

    If the median is the lowest rating, the bound is the second-lowest rating instead. If all ratings are equal, all
    texts are natural.
    """
    known = [rating for rating in ratings if not math.isnan(rating)]
    lowest, cut = min(known), statistics.median(known)
    why = "the median rating on"
    if cut <= lowest + SAME:
        higher = [rating for rating in known if rating > lowest + SAME]
        if higher:
            cut, why = min(higher), "the lowest rating but one on (the median is the lowest)"
    # Ratings that are scaled per rater have rounding errors, and 5.6e-17 stands for 0.
    return LabelRule(cut), f"no rule given: natural from {why}, {round(cut, 9) + 0.0:g}"


def _checked(scale: Scale) -> Scale:
    """Return a scale as two floats; raise `TableError` if it is not two finite numbers in ascending order."""
    try:
        low, high = map(float, scale)
    except (TypeError, ValueError):
        low = high = math.nan
    if not -math.inf < low < high < math.inf:
        raise TableError(f"found scale {scale!r}; expected two finite numbers, the lower first")
    return low, high


def rating_scale(items: Sequence[RatedRow], raw: Sequence[RawRow]) -> Scale:
    """Return the lowest and highest possible rating, from the columns `SCALE`, widened to include all ratings.

    The columns are used only if each has the same number in all rows; otherwise the lowest and highest observed
    ratings are returned. If there are no ratings, both are NaN.
    """
    seen = [rating for item in items for aspect in item.aspects for rating in aspect.means or aspect.ratings]
    if not seen:
        return math.nan, math.nan
    low, high = (_constant(raw, column) for column in SCALE)
    observed = min(seen), max(seen)
    if low is None or high is None or low >= high:
        return observed
    return min(low, observed[0]), max(high, observed[1])


def _constant(raw: Sequence[RawRow], column: str) -> float | None:
    """Return the number that a column has in all rows; None if it has no number, different numbers, or other values."""
    try:
        values = {number(row.cells.get(column)) for row in raw}
    except BadCell:
        return None
    known = {value for value in values if not math.isnan(value)}
    return known.pop() if len(known) == 1 else None

"""What there is to learn of judged texts: a graded rating, a label, and the scale of ratings."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from naturalness.data.cells import BadCell, number
from naturalness.data.labels import SAME, LabelRule, known_order, match_order, unify
from naturalness.data.rated_columns import SCALE
from naturalness.data.rated_rows import Judged, LeftOut, RawRow, mean

NAN = float("nan")
Scale = tuple[float, float]


def graded(item: Judged, votes: LabelRule | None) -> float:
    """Return the rating averaged over aspects, or with a rule of votes their share; higher is better.

    NaN where an aspect has none: the mean of the others would be of another thing.
    """
    if votes is None:
        return mean(item.aspect_means())
    return mean([votes.measure(single) for single in item.single])


def order_labels(
    rows: Sequence[Judged], order: Sequence[str] | None, where: str, left_out: LeftOut
) -> tuple[list[Judged], list[str]]:
    """Return rows whose labels have one name per class, and the classes from worst to best.

    Rows with a label that ``order`` does not name are left out.
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


def label_by_rule(item: Judged, rule: LabelRule) -> str | None:
    """Return the label that a rule gives; None where it leaves the text out, or ratings are lacking.

    A rule on means sees the graded rating of each aspect, so that labels and ratings agree.
    """
    if rule.needs_single_ratings:
        return rule.label(item.single)
    nothing: list[list[float]] = [[] for _ in item.means]
    return rule.label(nothing, item.aspect_means())


def median_rule(ratings: Sequence[float]) -> tuple[LabelRule, str]:
    """Natural from the median on, or where that is the lowest rating, from the next one on.

    Ratings that are all the same leave one class, natural.
    """
    known = [rating for rating in ratings if not math.isnan(rating)]
    lowest, cut = min(known), statistics.median(known)
    why = "the median rating on"
    if cut <= lowest + SAME:
        higher = [rating for rating in known if rating > lowest + SAME]
        if higher:
            cut, why = min(higher), "the lowest rating but one on (the median is the lowest)"
    return LabelRule(cut), f"no rule given: natural from {why}, {cut:g}"


def rating_scale(items: Sequence[Judged], raw: Sequence[RawRow] = ()) -> Scale:
    """Return the lowest and highest rating: what the columns `SCALE` say, wider where ratings are outside.

    Columns count where they are the same in all rows; NaN where there are no ratings.
    """
    seen = [
        rating
        for item in items
        for means, single in zip(item.means, item.single, strict=True)
        for rating in means or single
    ]
    if not seen:
        return NAN, NAN
    low, high = (_constant(raw, column) for column in SCALE)
    observed = min(seen), max(seen)
    if low is None or high is None or low >= high:
        return observed
    return min(low, observed[0]), max(high, observed[1])


def _constant(raw: Sequence[RawRow], column: str) -> float | None:
    """Return the only number of a column; None where there are several, or none."""
    try:
        values = {number(row.cells.get(column)) for row in raw}
    except BadCell:
        return None
    known = {value for value in values if not math.isnan(value)}
    return known.pop() if len(known) == 1 else None

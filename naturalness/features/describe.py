"""Give each column a display name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naturalness.features import EVERY, column_names
from naturalness.features.base import FeatureGroup
from naturalness.models.learners.prepared import measured

NO_VALUE = "no value for"


def words_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return a unique display name for each column of these groups."""
    return in_words(column_names(groups), groups)


def in_words(columns: Sequence[str], groups: Sequence[FeatureGroup] | None = None) -> dict[str, str]:
    """Return a unique display name for each column name; an unknown name is shown with spaces for underscores.

    If features of several groups share a display name, as features of two detectors do, the name of the group is
    appended in brackets. ``groups`` are those that the columns may belong to, by default all that have a fixed name.
    """
    groups = list(EVERY.values()) if groups is None else groups
    known = dict(zip(column_names(groups), (f.title for group in groups for f in group.features), strict=True))
    titles = {}
    for column in columns:
        name = measured(column)
        words = known.get(name) or " ".join(name.replace("_", " ").split())
        titles[column] = words if name == column else f"{NO_VALUE} {words}"
    counts = Counter(titles.values())
    return {
        column: _beside(title, measured(column).partition("__")[0]) if counts[title] > 1 else title
        for column, title in titles.items()
    }


def _beside(title: str, prefix: str) -> str:
    name = prefix.replace("_", " ")
    return f"{title} ({name})" if name else title

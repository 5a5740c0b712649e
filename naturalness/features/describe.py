"""Give each column a display name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naturalness.features import EVERY
from naturalness.features.base import FeatureGroup, column_prefix, feature_names
from naturalness.models.learners.prepared import measured

NO_VALUE = "no value for"


def words_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return a unique display name for each column of these groups.

    If features of several groups share a display name, as features of two detectors do, the name of the group is
    appended in brackets.
    """
    titles = Counter(feature.title for group in groups for feature in group.features)
    return {
        name: _beside(feature.title, group.name) if titles[feature.title] > 1 else feature.title
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    }


def in_words(columns: Sequence[str]) -> dict[str, str]:
    """Return a unique display name for each column name; an unknown name is shown with spaces for underscores."""
    titles = {column: _title(column) for column in columns}
    counts = Counter(titles.values())
    return {
        column: _beside(title, measured(column).partition("__")[0]) if counts[title] > 1 else title
        for column, title in titles.items()
    }


def _title(column: str) -> str:
    name = measured(column)
    prefix, _, feature = name.partition("__")
    known = {described.name: described.title for described in EVERY[prefix].features} if prefix in EVERY else {}
    words = known.get(feature) or " ".join(name.replace("_", " ").split())
    return words if name == column else f"{NO_VALUE} {words}"


def _beside(title: str, group: str) -> str:
    name = column_prefix(group).replace("_", " ")
    return f"{title} ({name})" if name else title

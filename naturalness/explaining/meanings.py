"""What columns tell a reader by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from naturalness.features import feature_names
from naturalness.features.base import OPAQUE, FeatureGroup


def readable(columns: Sequence[str], groups: Iterable[FeatureGroup]) -> dict[int, str]:
    """What a higher value of each column of these groups means, by the column's number.

    One coordinate of a vector says nothing, nor whether it is there: such columns are left out.
    """
    known = {
        name: feature.direction
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    }
    meanings = {}
    for i, column in enumerate(columns):
        name = column.removeprefix("undefined(").removesuffix(")")
        if known[name] != OPAQUE:
            flag = "has no value in this text (1) or has one (0)"
            meanings[i] = known[name] if name == column else flag
    return meanings

"""Groups reduced to columns that are selected by name, such as ``lexical__root_ttr``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from naturalness.arrays import FloatArray
from naturalness.errors import UnknownName
from naturalness.features.base import Feature, FeatureGroup, Requirement, column_prefix
from naturalness.text.view import Doc

BETWEEN = "__"
"""The separator between group name and feature name in a column name."""


@dataclass(frozen=True)
class SelectedFeatures:
    """Selected columns of a group; the whole group is measured, and the other columns are dropped."""

    whole: FeatureGroup
    chosen: frozenset[str]
    """The names of the selected features."""

    @property
    def name(self) -> str:
        """The name of the whole group."""
        return self.whole.name

    @property
    def features(self) -> tuple[Feature, ...]:
        """The selected features, in the order of the group."""
        return tuple(feature for feature in self.whole.features if feature.name in self.chosen)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The requirements of the selected features."""
        needs = self.whole.requires
        return tuple(need for need in needs if need.features is None or not self.chosen.isdisjoint(need.features))

    @property
    def positions(self) -> list[int]:
        """The indices of the selected columns in the whole group."""
        return [i for i, f in enumerate(self.whole.features) if f.name in self.chosen]

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return self.whole.extract(docs)[:, self.positions]


def whole_of(group: FeatureGroup) -> FeatureGroup:
    """Return the whole group if columns of it were selected; return any other group unchanged."""
    return group.whole if isinstance(group, SelectedFeatures) else group


def select(group: FeatureGroup, feature: str) -> SelectedFeatures:
    """Return the group reduced to one feature; raise `UnknownName` if the group lacks this feature."""
    names = [known.name for known in group.features]
    if feature not in names:
        full = [f"{group.name}{BETWEEN}{name}" for name in names]
        raise UnknownName("feature", f"{group.name}{BETWEEN}{feature}", full)
    return SelectedFeatures(group, frozenset({feature}))


def merge_groups(groups: Sequence[FeatureGroup]) -> list[FeatureGroup]:
    """Return each group once, in order of appearance, with all columns selected from it anywhere in the list."""
    different: list[FeatureGroup] = []
    for group in groups:
        whole = whole_of(group)
        for i, other in enumerate(different):
            if whole_of(other) != whole:
                continue
            if isinstance(other, SelectedFeatures) and isinstance(group, SelectedFeatures):
                whole = SelectedFeatures(whole, other.chosen | group.chosen)
            different[i] = whole
            break
        else:
            different.append(group)
    return different


def narrowed(groups: Sequence[FeatureGroup], columns: Collection[str]) -> list[FeatureGroup]:
    """Return the groups reduced to these columns; groups that have none of them are left out."""
    out: list[FeatureGroup] = []
    for group in groups:
        start = column_prefix(group.name) + BETWEEN
        chosen = frozenset(feature.name for feature in group.features if start + feature.name in columns)
        if len(chosen) == len(group.features):
            out.append(group)
        elif chosen:
            out.append(SelectedFeatures(whole_of(group), chosen))
    return out


def names_of(groups: Sequence[FeatureGroup], columns: Collection[str]) -> list[str]:
    """Return names that select these columns: a group's name if all its columns are included, else column names."""
    return [
        name
        for group in narrowed(groups, columns)
        for name in (
            [f"{group.name}{BETWEEN}{feature.name}" for feature in group.features]
            if isinstance(group, SelectedFeatures)
            else [group.name]
        )
    ]

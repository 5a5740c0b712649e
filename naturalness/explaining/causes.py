"""Causes that a writer understands: named sets of columns, and of kinds of findings.

Every column of a model belongs to exactly one cause, named in its group's table (features/tables), so that
contributions of causes add up to the score.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from naturalness.arrays import IntArray
from naturalness.features import EVERY, feature_names
from naturalness.features.base import OPAQUE, FeatureGroup
from naturalness.features.columns import TABLE_COLUMNS
from naturalness.models.learners.prepared import measured

with (Path(__file__).parent / "causes.toml").open("rb") as _file:
    TABLES = tomllib.load(_file)
TITLES: Mapping[str, str] = TABLES["titles"]
"""The causes, and what they are called for people."""
OPINION = "rating"
"""What is no cause: a network's opinion of the text as a whole. It is listed, and no headline names it."""

PREFIXES: Mapping[str, str] = TABLES["prefixes"]
"""The causes of groups that are made from their names, by the prefix of their columns; the first match counts."""
TABLE = TABLE_COLUMNS.removesuffix(":")
"""The group of columns of a user's table, each of which is a cause of its own."""

KINDS: Mapping[str, str] = TABLES["kinds"]
"""The cause of a kind of finding: those of the detector, and what else has a place."""


WITHOUT_VALUE: Mapping[str, str] = {"extra": "length"}
"""The cause of ``undefined(column)`` where it is another than that of the column.

Variety and repetition have no value in a text that is too short for them, not in one that repeats nothing.
"""


def cause_of(column: str) -> str:
    """Return the cause of a column; for ``undefined(column)``, `WITHOUT_VALUE` may name another.

    A user's own group is a cause by itself.
    """
    name = measured(column)
    if name != column:
        return WITHOUT_VALUE.get(cause_of(name), cause_of(name))
    group, _, feature = name.partition("__")
    if group == TABLE:
        return f"column {feature}"
    if group in EVERY:
        causes = _causes(group)
        return causes.get(feature, next(iter(causes.values())))
    return next((cause for start, cause in PREFIXES.items() if group.startswith(start)), f"group {group}")


@cache
def _causes(group: str) -> dict[str, str]:
    """Return the cause of each feature of a group."""
    return {feature.name: feature.cause for feature in EVERY[group].features}


def parts_of(columns: Sequence[str]) -> dict[str, IntArray]:
    """The columns of each cause that has any, by their numbers; in the order of `TITLES`, then
    columns of a table.
    """
    causes = [cause_of(column) for column in columns]
    return {
        cause: np.array([i for i, other in enumerate(causes) if other == cause], dtype=np.int64)
        for cause in dict.fromkeys([*TITLES, *causes])
        if cause in causes
    }


def cause_title(cause: str) -> str:
    """What a cause is called for people; a column of a table by its name."""
    return TITLES.get(cause, cause)


def readable(columns: Sequence[str], groups: Iterable[FeatureGroup]) -> dict[int, str]:
    """Return what a higher value of each column of these groups means, by the column's number.

    One coordinate of a vector says nothing, nor whether it is there: such columns are left out.
    """
    known = {
        name: feature.direction
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    }
    meanings = {}
    for i, column in enumerate(columns):
        name = measured(column)
        if known[name] != OPAQUE:
            flag = "has no value in this text (1) or has one (0)"
            meanings[i] = known[name] if name == column else flag
    return meanings

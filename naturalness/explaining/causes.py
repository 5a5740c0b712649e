"""The causes of high and low scores, named for writers: each is a set of feature columns and of kinds of findings.

Every column of a model belongs to exactly one cause, which is stated in the table of the column's group
(features/tables), so the contributions of all causes add up to the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np

from naturalness.arrays import IntArray
from naturalness.explaining.forms import VERB_TAGS, inflected
from naturalness.features import EVERY, feature_names
from naturalness.features.base import OPAQUE, FeatureGroup
from naturalness.files.toml import read_beside
from naturalness.models.learners.prepared import measured

TABLES = read_beside(__file__)
TITLES: Mapping[str, str] = TABLES["titles"]
"""The title of each cause."""
SOUNDNESS = "soundness"
"""The cause for the detector's impression of the whole text."""
OPINION = "rating"
"""The cause for a network's rating of the whole text. It is listed among the causes but never named as the main
cause.
"""

PREFIXES: Mapping[str, str] = TABLES["prefixes"]
"""The cause of columns in groups that are created by name, keyed by the start of the group's name; the first match
counts.
"""

KINDS: Mapping[str, str] = TABLES["kinds"]
"""The cause of each kind of finding."""


WITHOUT_VALUE: Mapping[str, str] = {"extra": "length"}
"""The cause of ``undefined(column)``, keyed by the cause of the column; causes that are not listed stay the same.

Measures of variety and repetition are undefined for a text that is too short, not for a text without repetition.
"""


def cause_of(column: str) -> str:
    """Return the cause of a column; for ``undefined(column)``, see `WITHOUT_VALUE`.

    Each feature group defined by a user is a separate cause.
    """
    name = measured(column)
    if name != column:
        return WITHOUT_VALUE.get(cause_of(name), cause_of(name))
    group, _, feature = name.partition("__")
    if group in EVERY:
        causes = _causes(group)
        return causes.get(feature, next(iter(causes.values())))
    return next((cause for start, cause in PREFIXES.items() if group.startswith(start)), f"group {group}")


FAULTS: Mapping[str, Mapping[str, str]] = TABLES["faults"]
_FAULTS_OF_WORDS = {word: fault for fault, words in FAULTS["words"].items() for word in words.split()}


def fault_of(kind: str, before: str, after: str) -> str:
    """Return the kind of error, one of `KINDS`, that an edit of words mends.

    ``kind`` is the kind of edit. ``after`` may also be the part-of-speech tag of an inflected form.
    """
    words = {*before.lower().split(), *after.lower().split()}
    faults = {_FAULTS_OF_WORDS.get(word, "") for word in words}
    if kind == "rule":
        kind = "insert" if not before else "replace" if after else "delete"
    if kind in ("replace", "suffix") and after.lower() in (inflected(before.lower(), tag) for tag in VERB_TAGS):
        kind = "inflect"
    if kind != "case" and (
        faults == {"article"} or (len(faults) == 1 and kind in ("replace", "inflect", "suffix") and all(faults))
    ):
        return faults.pop()
    if kind == "inflect" and before and len({word.rstrip("eisy") for word in words}) == 1:
        return "agreement"
    return FAULTS["inflect"].get(after) or FAULTS["kinds"][kind]


def faults_of(kind: str, before: str, after: str) -> set[str]:
    """Return the kinds of errors that an edit may mend: that of its words, and that of its kind."""
    usual = FAULTS["kinds"].get(kind)
    return {fault_of(kind, before, after), *([usual] if usual else [])}


@cache
def _causes(group: str) -> dict[str, str]:
    """Return the cause of each feature in a group, keyed by feature name."""
    return {feature.name: feature.cause for feature in EVERY[group].features}


def parts_of(columns: Sequence[str]) -> dict[str, IntArray]:
    """Return the indices of each cause's columns: first the causes in `TITLES`, in that order, then all others.
    Causes without columns are left out.
    """
    causes = [cause_of(column) for column in columns]
    return {
        cause: np.array([i for i, other in enumerate(causes) if other == cause], dtype=np.int64)
        for cause in dict.fromkeys([*TITLES, *causes])
        if cause in causes
    }


def cause_title(cause: str) -> str:
    """Return the title of a cause; a group of the user's own has its name as title."""
    return TITLES.get(cause, cause)


def readable(columns: Sequence[str], groups: Iterable[FeatureGroup]) -> list[int]:
    """Return the indices of the columns that mean something to a reader.

    Coordinates of vectors do not, and neither do indicators of whether they are defined.
    """
    opaque = {
        name
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
        if feature.direction == OPAQUE
    }
    return [i for i, column in enumerate(columns) if measured(column) not in opaque]

"""What a feature group is, and how a feature describes itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from naturalness.arrays import FloatArray

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.features.requirements import Requirement

NAN = float("nan")

TOTAL = "total"
MEAN = "mean over sentences"
WHOLE = "whole text"

OPAQUE = "nothing by itself"
"""The direction of a column that tells a reader nothing without the others of its group."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One number, described: what `naturalness groups` and docs/features.md print."""

    name: str
    formula: str
    range: str
    direction: str
    """What a higher value means."""
    source: str = "this project"
    several: str = WHOLE
    """What the value is for a row of several sentences."""
    undefined: str = "no words"
    """When the value is NaN."""
    words: str = ""
    """What it is called for people: ``doubtful words``; the name with spaces where it has none."""

    @property
    def title(self) -> str:
        """What it is called for people."""
        return self.words or self.name.replace("_", " ").strip()


@runtime_checkable
class FeatureGroup(Protocol):
    """A small object that turns parsed documents into numbers; it learns nothing."""

    @property
    def name(self) -> str: ...
    @property
    def features(self) -> tuple[Feature, ...]: ...
    @property
    def requires(self) -> tuple[Requirement, ...]: ...
    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features); NaN where undefined."""


@runtime_checkable
class WithGaps(Protocol):
    """A group that cannot measure every text with words, and says which it cannot."""

    @property
    def name(self) -> str: ...
    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc has no values; empty where it has some."""


TOKENS_ALONE: frozenset[str] = frozenset()
"""``parsed`` of a group that reads tokens and sentences alone."""


def needs_parse(group: FeatureGroup) -> bool:
    """Whether a group's features read tags, lemmas or arcs.

    Its attribute ``parsed`` names those that do; of a group without one it is every feature.
    """
    parsed = getattr(group, "parsed", None)
    return parsed is None or any(feature.name in parsed for feature in group.features)


def feature_names(group: FeatureGroup) -> tuple[str, ...]:
    """Column names of a group: ``group__feature``; of a path in its name the last part counts."""
    return tuple(f"{column_prefix(group.name)}__{feature.name}" for feature in group.features)


def column_prefix(name: str) -> str:
    """What stands before the two underscores in the columns of a group."""
    kind, colon, path = name.partition(":")
    if kind == "columns":
        return kind
    return f"{kind}_{re.sub(r'[^0-9A-Za-z]+', '_', Path(path).name)}" if colon else kind


def rows(docs: Sequence[Doc], measure: Callable[[Doc], Sequence[float]], width: int) -> FloatArray:
    """Apply ``measure`` to each Doc and stack the rows."""
    table = np.empty((len(docs), width), dtype=np.float64)
    for i, doc in enumerate(docs):
        table[i] = measure(doc)
    return table


def ratio(count: float, total: float) -> float:
    """``count / total``, or NaN where there is nothing to divide by."""
    return count / total if total else NAN


def column_means(rows: Sequence[Sequence[float]], width: int) -> list[float]:
    """`mean` of each column of rows; NaN where there are none. One row, the usual case, is it."""
    if len(rows) == 1:
        return list(rows[0])
    return [mean(column) for column in zip(*rows, strict=True)] if rows else [NAN] * width


def mean(values: Sequence[float]) -> float:
    """The mean of the defined values; NaN where there is none."""
    defined = [v for v in values if v == v]
    return sum(defined) / len(defined) if defined else NAN


@runtime_checkable
class Prepared(Protocol):
    """A group whose models take long to open."""

    def prepare(self) -> None:
        """Open them; later calls find them open."""

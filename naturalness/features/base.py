"""Protocols of feature groups, and descriptions of features."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from naturalness.arrays import FloatArray

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")

OPAQUE = "nothing by itself"
"""The direction of a column that tells a reader nothing without the other columns of its group."""
TABLES = Path(__file__).parent / "tables"
"""One CSV file per group, with a row for each feature; its columns are the attributes of `Feature`. The folder ``named``
has the files of groups with a prefix, such as ``vectors:N``."""


@dataclass(frozen=True, slots=True)
class Feature:
    """The description of a feature, as `naturalness groups` and docs/features.md print it."""

    name: str
    formula: str
    range: str
    direction: str
    """The meaning of a higher value."""
    source: str = "this project"
    several: str = "whole text"
    """The way in which the value of a text with several sentences is computed."""
    undefined: str = "no words"
    """The condition under which the value is NaN."""
    words: str = ""
    """The display name, such as ``doubtful words``; if empty, the name is shown with spaces."""
    cause: str = ""
    """The cause to which explanations assign the feature (`explaining.causes`)."""
    parsed: bool = True
    """Whether the feature needs tags, lemmas or arcs; otherwise it needs only tokens and sentences."""

    @property
    def title(self) -> str:
        """The name shown to people."""
        return self.words or self.name.replace("_", " ").strip()


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that a feature group needs; functions in `features.requirements` create requirements."""

    name: str
    """The name in the manifest of a saved model; a user's model keeps its prefix, as in ``lm:PATH``."""
    problem: Callable[[], str] = field(compare=False)
    """Return why the requirement is not met and what to do; an empty string if it is met."""
    version: Callable[[], str] = field(compare=False)
    """Return the checksum or version; an empty string if the requirement is missing."""
    english: bool = True
    """Whether the requirement is specific to English, so that its group works for English only."""
    remembered: bool = True
    """Whether a saved model records the version."""
    changes: Callable[[str], str] | None = field(default=None, compare=False)
    """Describe what has changed since a version, as a warning; a saved model trained with that version still scores.
    If this is None, a model refuses any other version."""
    features: frozenset[str] | None = None
    """The features of the group that have this requirement; None for all."""
    steady: bool = True
    """Whether results are reproducible; they are not if they come from a program that may be busy or have died."""


@runtime_checkable
class FeatureGroup(Protocol):
    """An object that turns parsed documents into numbers; it learns nothing."""

    @property
    def name(self) -> str: ...
    @property
    def features(self) -> tuple[Feature, ...]: ...
    @property
    def requires(self) -> tuple[Requirement, ...]: ...
    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features); NaN is undefined."""


@runtime_checkable
class WithGaps(Protocol):
    """A group that may be unable to measure a text that has words, and reports why."""

    @property
    def name(self) -> str: ...
    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return why each Doc has no values; an empty string if it has values."""


@runtime_checkable
class Prepared(Protocol):
    """A group whose models take long to open."""

    def prepare(self) -> None:
        """Open the models; later calls do nothing."""


class Columns:
    """A descriptor for the attribute `features` of a group class, which reads the group's table on first use."""

    def __init__(self, table: str) -> None:
        self.table = table

    def __get__(self, group: object, owner: type) -> tuple[Feature, ...]:
        return read_table(self.table)


@cache
def read_table(name: str) -> tuple[Feature, ...]:
    """Return the features of ``tables/NAME.csv``, in order."""
    with (TABLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        features = []
        for row in csv.DictReader(file):
            features.append(Feature(**{**row, "parsed": row["parsed"] == "yes"}))  # type: ignore[arg-type]
    return tuple(features)


@dataclass(frozen=True)
class MeasuredGroup:
    """A group whose rows are computed by a function of a Doc; a table with the group's name describes the columns."""

    name: str
    description: str
    measure: Callable[[Doc], Sequence[float] | None]
    """Return a row in the order of the table; None if every value is undefined."""
    requires: tuple[Requirement, ...] = ()

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, as described in the group's table."""
        return read_table(self.name)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(map(self.measure, docs), len(self.features))


def expand_table(name: str, values: Iterable[Mapping[str, object]]) -> tuple[Feature, ...]:
    """Return each row of a table once per mapping, with names in braces replaced by their values in the mapping.

    A row ``h{i}`` and the values ``{"i": 0}, {"i": 1}`` become the features ``h0`` and ``h1``.
    """
    values, features = list(values), []
    for feature in read_table(name):
        entries = asdict(feature)
        for names in values:
            filled = dict(entries)
            for key, template in entries.items():
                if isinstance(template, str):
                    filled[key] = template.format_map(names)
            features.append(Feature(**filled))
    return tuple(features)


@cache
def numbered_table(name: str, count: int) -> tuple[Feature, ...]:
    """Expand a table over the numbers ``{i}`` from 0 to ``count`` - 1."""
    return expand_table(name, ({"i": i} for i in range(count)))


def needs_parse(group: FeatureGroup) -> bool:
    """Return whether any feature of a group reads tags, lemmas or arcs."""
    return any(map(attrgetter("parsed"), group.features))


def feature_names(group: FeatureGroup) -> tuple[str, ...]:
    """Return the column names of a group, ``group__feature``; a path in the group's name is cut to its last part."""
    prefix = column_prefix(group.name)
    return tuple(f"{prefix}__{feature.name}" for feature in group.features)


def column_prefix(name: str) -> str:
    """Return the part of a group's column names before the two underscores."""
    kind, colon, path = name.partition(":")
    if kind == "columns":
        return kind
    return f"{kind}_{re.sub(r'[^0-9A-Za-z]+', '_', Path(path).name)}" if colon else kind


@dataclass(frozen=True, slots=True)
class Measured:
    """A feature table with notes on its rows."""

    table: FloatArray
    reasons: list[str]
    """The reason why each row cannot be judged; empty if it can."""
    gaps: list[str]
    """A note on each row that can be judged: the group without values and the reason, or that the text is not English;
    otherwise empty."""
    known: int = 0
    """The number of rows that came from a feature store, without parsing."""


def stack(rows: Iterable[Sequence[float] | FloatArray | None], width: int) -> FloatArray:
    """Stack rows into a table of shape (n_rows, width); None becomes a row of NaN."""
    undefined = (NAN,) * width
    table = [undefined if row is None else row for row in rows]
    return np.array(table, dtype=np.float64).reshape(len(table), width)


def first_problems(readings: Iterable[Iterable[WithProblem]]) -> list[str]:
    """Return the first problem among the sentences of each Doc; empty if there is none."""
    return [next((sentence.problem for sentence in sentences if sentence.problem), "") for sentences in readings]


class WithProblem(Protocol):
    """A reading of a sentence that may have failed."""

    @property
    def problem(self) -> str:
        """The reason why there is no reading; empty if there is one."""


def ratio(count: float, total: float) -> float:
    """Return ``count / total``, or NaN if the total is 0."""
    return count / total if total else NAN


def column_means(rows: Sequence[Sequence[float]], width: int) -> list[float]:
    """Return the `mean` of each column; NaN without rows."""
    if len(rows) == 1:  # the usual case: one sentence
        return list(rows[0])
    return [mean(column) for column in zip(*rows, strict=True)] if rows else [NAN] * width


def mean(values: Sequence[float]) -> float:
    """Return the mean of the defined values; NaN if there are none."""
    defined = [v for v in values if v == v]
    return sum(defined) / len(defined) if defined else NAN

"""Protocols of feature groups, and descriptions of features."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.text.view import Doc

NAN = float("nan")

OPAQUE = "nothing by itself"
"""The `direction` of a feature whose value means nothing unless the other columns of its group are known too."""
TABLES = Path(__file__).parent / "tables"
"""The folder of feature tables: one CSV file per group, with a row for each feature and a column for each attribute of
`Feature`. The subfolder ``named`` is for groups whose names start with a prefix, such as ``embedding:PATH``."""


@dataclass(frozen=True, slots=True)
class Feature:
    """The description of a feature, as docs/features.md prints it."""

    name: str
    formula: str
    range: str
    direction: str
    """What a higher value means."""
    source: str = "this project"
    several: str = "whole text"
    """How the value is computed for a text with several sentences."""
    undefined: str = "no words"
    """The condition under which the value is NaN."""
    words: str = ""
    """The display name, such as ``doubtful words``; if empty, ``name`` is shown with spaces for underscores."""
    cause: str = ""
    """The cause under which explanations list the feature (`explaining.causes`)."""
    parsed: bool = True
    """Whether the feature needs tags, lemmas or arcs; if not, it needs only tokens and sentence boundaries."""

    @property
    def title(self) -> str:
        """The name shown to people."""
        return self.words or self.name.replace("_", " ").strip()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A model, package or program that a feature group needs; `features.requirements` has functions to create one."""

    name: str
    """The name in the manifest of a saved model. It includes the prefix of a user's model, as in ``lm:PATH``."""
    problem: Callable[[], str] = field(compare=False)
    """Return why the requirement is not met, and what to do about it; an empty string if it is met."""
    version: Callable[[], str] = field(compare=False)
    """Return the checksum or version of what is required; an empty string if it is missing."""
    english: bool = True
    """Whether the requirement is specific to English; groups that have it work only for English."""
    remembered: bool = True
    """Whether a saved model records the version."""
    changes: Callable[[str], str] | None = field(default=None, compare=False)
    """Describe, as a warning, what has changed since the recorded version; the saved model can still be used.

    If this is None, a saved model refuses any version but the recorded one.
    """
    features: frozenset[str] | None = None
    """The features of the group that have this requirement; None for all."""


@runtime_checkable
class FeatureGroup(Protocol):
    """An object that computes numbers from parsed documents; it is not trained."""

    @property
    def name(self) -> str: ...
    @property
    def features(self) -> tuple[Feature, ...]: ...
    @property
    def requires(self) -> tuple[Requirement, ...]: ...
    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features); undefined values are NaN."""


@runtime_checkable
class WithGaps(Protocol):
    """A group that may be unable to measure a text even though it has words; `gaps` then gives the reason."""

    @property
    def name(self) -> str: ...
    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return why each Doc has no values; an empty string if it has values."""


@runtime_checkable
class Prepared(Protocol):
    """A group whose models are slow to open."""

    def prepare(self) -> None:
        """Open the models; later calls do nothing."""


class Columns:
    """A descriptor for the attribute `features` of a group class; it reads the group's table on first access."""

    def __init__(self, table: str, folder: Path = TABLES) -> None:
        self.table, self.folder = table, folder

    def __get__(self, group: object, owner: type) -> tuple[Feature, ...]:
        return read_table(self.table, self.folder)


@cache
def read_table(name: str, folder: Path = TABLES) -> tuple[Feature, ...]:
    """Return the features described in the table NAME.csv, in order."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [{**row, "parsed": row["parsed"] == "yes"} for row in csv.DictReader(file)]
    return tuple(Feature(**row) for row in rows)  # type: ignore[arg-type]


@dataclass(frozen=True)
class MeasuredGroup:
    """A group that calls a function to compute the row of each Doc.

    The columns are described in the table named after the group.
    """

    name: str
    description: str
    measure: Callable[[Doc], Sequence[float] | None]
    """Return the row of a Doc, with values in the order of the features; None if all values are undefined."""
    requires: tuple[Requirement, ...] = ()

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, as described in the group's table."""
        return read_table(self.name)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(map(self.measure, docs), len(self.features))


def expand_table(name: str, values: Iterable[Mapping[str, object]]) -> tuple[Feature, ...]:
    """Return each row of a table once per mapping in ``values``, with each name in braces replaced by its value.

    For example, a row ``h{i}`` and the mappings ``{"i": 0}`` and ``{"i": 1}`` give the features ``h0`` and ``h1``.
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
    """Return each row of a table ``count`` times, with ``{i}`` replaced by the numbers from 0 to ``count`` - 1."""
    return expand_table(name, ({"i": i} for i in range(count)))


def needs_parse(group: FeatureGroup) -> bool:
    """Return whether any feature of a group reads tags, lemmas or arcs."""
    return any(map(attrgetter("parsed"), group.features))


def feature_names(group: FeatureGroup) -> tuple[str, ...]:
    """Return the column names of a group, ``group__feature``. A path in the group's name is cut to its last part."""
    prefix = column_prefix(group.name)
    return tuple(f"{prefix}__{feature.name}" for feature in group.features)


def column_prefix(name: str) -> str:
    """Return the part of a group's column names that precedes the two underscores."""
    kind, colon, path = name.partition(":")
    if kind == "columns":
        return kind
    return f"{kind}_{re.sub(r'[^0-9A-Za-z]+', '_', Path(path).name)}" if colon else kind


@dataclass(frozen=True, slots=True)
class Measured:
    """A feature table with notes on its rows."""

    table: FloatArray
    reasons: list[str]
    """Why each row cannot be judged; an empty string if it can."""
    gaps: list[str]
    """Which group has no values for each row, and why; an empty string if none."""
    known: int = 0
    """The number of rows read from a feature store instead of being measured."""


def stack(rows: Iterable[Sequence[float] | FloatArray | None], width: int) -> FloatArray:
    """Return rows stacked into a table of shape (n_rows, width); None becomes a row of NaN."""
    undefined = (NAN,) * width
    table = [undefined if row is None else row for row in rows]
    return np.array(table, dtype=np.float64).reshape(len(table), width)


def first_problems(readings: Iterable[Iterable[WithProblem]]) -> list[str]:
    """Return the first problem among the sentences of each Doc; an empty string if there is none."""
    return [next((sentence.problem for sentence in sentences if sentence.problem), "") for sentences in readings]


class WithProblem(Protocol):
    """A parser's analysis of a sentence, which may have failed."""

    @property
    def problem(self) -> str:
        """Why the analysis failed; an empty string if it did not."""


def ratio(count: float, total: float) -> float:
    """Return ``count / total``, or NaN if the total is 0."""
    return count / total if total else NAN


def column_means(rows: Sequence[Sequence[float]], width: int) -> list[float]:
    """Return the `mean` of each column; NaN if there are no rows."""
    if len(rows) == 1:  # the usual case: one sentence
        return list(rows[0])
    return [mean(column) for column in zip(*rows, strict=True)] if rows else [NAN] * width


def mean(values: Sequence[float]) -> float:
    """Return the mean of the defined values; NaN if there are none."""
    defined = [v for v in values if v == v]
    return sum(defined) / len(defined) if defined else NAN

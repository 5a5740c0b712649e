"""Columns of the user's table as features: numbers and contexts that accompany the texts."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.data.cells import Reader, number_or_nan
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError, listing
from naturalness.features.base import NAN, Feature, FeatureGroup, Requirement, expand_table
from naturalness.features.selected import SelectedFeatures, whole_of
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.data.batch import Batch

TABLE_COLUMNS = "columns:"
BETWEEN_NAMES = ","


class NumberedText(str):
    """A text with cells from other columns of its row (numbers, or the context of a reply), keyed by column.

    Two numbered texts are equal if both their texts and their cells are equal.
    """

    numbers: Mapping[str, float | str]

    def __new__(cls, text: str, numbers: Mapping[str, float | str]) -> NumberedText:
        numbered = super().__new__(cls, text)
        numbered.numbers = dict(numbers)
        return numbered

    def __reduce__(self) -> tuple[type[NumberedText], tuple[str, dict[str, float | str]]]:
        return NumberedText, (str(self), dict(self.numbers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberedText) and self.key == other.key

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[str, str]:
        """A key for comparison: the text and its cells, as strings, so that two missing numbers (NaN) are equal."""
        return str(self), repr(sorted(self.numbers.items()))


@runtime_checkable
class BesideText(Protocol):
    """A group that reads columns of the user's table other than the text; it needs no parse."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    def read(self, cell: Any) -> float | str:
        """Convert a cell of any type to a number or a text; a missing cell is passed as None."""

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """Return the features of texts, an array of shape (n_texts, n_features)."""


@dataclass(frozen=True)
class ColumnFeatures:
    """Numeric columns of the user's table, with their values unchanged."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.name.removeprefix(TABLE_COLUMNS).split(BETWEEN_NAMES))

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """An empty tuple: the group needs nothing."""
        return ()

    @property
    def features(self) -> tuple[Feature, ...]:
        """One feature for each column."""
        return expand_table("named/columns", ({"column": name} for name in self.names))

    def read(self, cell: Any) -> float:
        """Return a cell as a number; NaN if it is not one."""
        return number_or_nan(cell)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return self.numbers_of([source_of(doc).original for doc in docs])

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """Return the numbers of texts, shape (n_texts, n_features); raise an error if a text lacks a column."""
        table = np.full((len(texts), len(self.names)), NAN)
        for row, text in zip(table, texts, strict=True):
            numbers = text.numbers if isinstance(text, NumberedText) else {}
            if lacking := [name for name in self.names if name not in numbers]:
                raise NaturalnessError(
                    f"the model reads {', '.join(map(repr, lacking))} of the table beside each "
                    "text, and there is none; score, label, explain, evaluate and report take it "
                    "from a table with that column, Python from NumberedText(text, {name: number})"
                )
            row[:] = [number_or_nan(numbers[name]) for name in self.names]
        return table


def columns_group(name: str) -> ColumnFeatures:
    """Return the group that reads table columns, given its name, such as ``columns:A,B``."""
    group = ColumnFeatures(name)
    if not all(group.names) or len(set(group.names)) < len(group.names):
        raise NaturalnessError(f"{name[:100]!r} names no columns, or one twice; expected {TABLE_COLUMNS}A,B")
    return group


def with_columns(features: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return ``features`` with the table columns ``names`` added; one group, at the end, reads all table columns."""
    before = [columns_group(name) for name in features if name.startswith(TABLE_COLUMNS)]
    every = dict.fromkeys([*columns_read(before), *names])
    others = [name for name in features if not name.startswith(TABLE_COLUMNS)]
    return [*others, TABLE_COLUMNS + BETWEEN_NAMES.join(every)]


def columns_read(groups: Iterable[FeatureGroup]) -> dict[str, Reader]:
    """Return the table columns that groups read, each with the function that converts its cells."""
    return {
        name: whole.read for whole in map(whole_of, groups) if isinstance(whole, BesideText) for name in whole.names
    }


def columns_needed(groups: Iterable[FeatureGroup]) -> list[str]:
    """Return the columns that a table must have for these groups to be measured."""
    return list(columns_read(group for group in groups if isinstance(whole_of(group), ColumnFeatures)))


def numbers_beside(group: FeatureGroup, texts: Sequence[str]) -> FloatArray | None:
    """Return the features of a group that reads table columns, an array of shape (n_texts, n_features).

    Return None for any other group.
    """
    whole = whole_of(group)
    if not isinstance(whole, BesideText):
        return None
    table = whole.numbers_of(texts)
    return table[:, group.positions] if isinstance(group, SelectedFeatures) else table


def numbered_texts(texts: Sequence[str], rows: Iterable[Mapping[str, Any]], readers: Mapping[str, Reader]) -> list[str]:
    """Return texts that carry the converted cells of their rows; a missing cell is passed to its reader as None."""
    return [
        NumberedText(text, {name: read(row.get(name)) for name, read in readers.items()})
        for text, row in zip(texts, rows, strict=True)
    ]


def characters(text: str) -> int:
    """Return the total number of characters in a text and in the contexts that it carries."""
    beside = text.numbers.values() if isinstance(text, NumberedText) else ()
    return len(text) + sum(len(value) for value in beside if isinstance(value, str))


def numbered(text: str, like: str) -> str:
    """Return ``text`` with the cells that the text ``like`` carries, if any."""
    return NumberedText(text, like.numbers) if isinstance(like, NumberedText) else text


def with_numbers(batches: Iterable[Batch], groups: Iterable[FeatureGroup]) -> Iterator[Batch]:
    """Yield the batches; each text carries its cells from the table columns that ``groups`` read."""
    groups = list(groups)
    if not (readers := columns_read(groups)):
        yield from batches
        return
    for batch in batches:
        lacking = [name for name in readers if name not in batch.columns]
        if lacking and (batch.fixed or not batch.first_row):
            said = f"the model reads column {lacking[0]!r} beside each text; use a table that has it."
            if lacking[0] in columns_needed(groups):
                raise TableError(f"{said} Found: {listing(batch.columns)}")
            warnings.warn(f"{said} Without it, how a reply goes with its context is not known", NaturalnessWarning, 2)
        batch.texts = numbered_texts(batch.texts, batch.rows, readers)
        yield batch

"""Columns of a user's own table as features: numbers and contexts that come beside a text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.data.cells import Reader, number_or_nan
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError, listing
from naturalness.features.base import NAN, TOKENS_ALONE, Feature, FeatureGroup
from naturalness.features.requirements import Requirement
from naturalness.features.selected import SelectedFeatures, whole_of
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.data.batch import Batch

TABLE_COLUMNS = "columns:"
BETWEEN_NAMES = ","


class NumberedText(str):
    """A text with what stands beside it in a table, by the names of the columns: numbers, and the context of a reply.

    Two are the same where the text and all of that are.
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
        """Text and numbers, such that a gap is the same as another."""
        return str(self), repr(sorted(self.numbers.items()))


@runtime_checkable
class BesideText(Protocol):
    """A group that reads columns of the table beside a text, and no parse."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""

    def read(self, cell: Any) -> float | str:
        """Return a cell as the group reads it, whatever it holds; None is a cell that is not there."""

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """Return the group's columns of texts, (n, n_features)."""


@dataclass(frozen=True)
class ColumnFeatures:
    """Columns of the table that holds the texts, as they are."""

    parsed: ClassVar = TOKENS_ALONE
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.name.removeprefix(TABLE_COLUMNS).split(BETWEEN_NAMES))

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """Nothing."""
        return ()

    @property
    def features(self) -> tuple[Feature, ...]:
        """One for each column."""
        return tuple(
            Feature(
                name,
                f"the number in column {name!r} of the table",
                "any",
                f"more of {name!r}",
                "the table",
                undefined="no number in the cell",
                words=f"column {name!r}",
            )
            for name in self.names
        )

    def read(self, cell: Any) -> float:
        """Return a cell as a number."""
        return number_or_nan(cell)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return self.numbers_of([source_of(doc).original for doc in docs])

    def numbers_of(self, texts: Sequence[str]) -> FloatArray:
        """The numbers beside texts, (n, n_features); raise where a text comes without any."""
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
    """The group of columns, named ``columns:A,B``."""
    group = ColumnFeatures(name)
    if not all(group.names) or len(set(group.names)) < len(group.names):
        raise NaturalnessError(f"{name[:100]!r} names no columns, or one twice; expected {TABLE_COLUMNS}A,B")
    return group


def with_columns(features: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return names of groups, with one that reads these columns of the table, too."""
    before = [columns_group(name) for name in features if name.startswith(TABLE_COLUMNS)]
    every = dict.fromkeys([*columns_read(before), *names])
    others = [name for name in features if not name.startswith(TABLE_COLUMNS)]
    return [*others, TABLE_COLUMNS + BETWEEN_NAMES.join(every)]


def columns_read(groups: Iterable[FeatureGroup]) -> dict[str, Reader]:
    """Return the columns of a table that groups read, and how each reads a cell."""
    return {
        name: whole.read for whole in map(whole_of, groups) if isinstance(whole, BesideText) for name in whole.names
    }


def columns_needed(groups: Iterable[FeatureGroup]) -> list[str]:
    """Return the columns without which groups refuse a text."""
    return list(columns_read(group for group in groups if isinstance(whole_of(group), ColumnFeatures)))


def numbers_beside(group: FeatureGroup, texts: Sequence[str]) -> FloatArray | None:
    """Return a group's columns of texts, (n, n_features), where it reads what stands beside them; else None."""
    whole = whole_of(group)
    if not isinstance(whole, BesideText):
        return None
    table = whole.numbers_of(texts)
    return table[:, group.positions] if isinstance(group, SelectedFeatures) else table


def numbered_texts(texts: Sequence[str], rows: Iterable[Mapping[str, Any]], readers: Mapping[str, Reader]) -> list[str]:
    """Return texts with the cells of their rows as they are read; one that a row lacks is read as None."""
    return [
        NumberedText(text, {name: read(row.get(name)) for name, read in readers.items()})
        for text, row in zip(texts, rows, strict=True)
    ]


def characters(text: str) -> int:
    """Return how many characters a text has, together with the contexts beside it."""
    beside = text.numbers.values() if isinstance(text, NumberedText) else ()
    return len(text) + sum(len(value) for value in beside if isinstance(value, str))


def numbered(text: str, like: str) -> str:
    """Return a text with the numbers of another, if that has some."""
    return NumberedText(text, like.numbers) if isinstance(like, NumberedText) else text


def with_numbers(batches: Iterable[Batch], groups: Iterable[FeatureGroup]) -> Iterator[Batch]:
    """Yield batches whose texts carry the numbers of the columns that groups read."""
    groups = list(groups)
    readers, needed = columns_read(groups), columns_needed(groups)
    for batch in batches:
        lacking = [name for name in readers if name not in batch.columns]
        if lacking and (batch.fixed or not batch.first_row):
            said = f"the model reads column {lacking[0]!r} beside each text; use a table that has it."
            if lacking[0] in needed:
                raise TableError(f"{said} Found: {listing(batch.columns)}")
            warnings.warn(f"{said} Without it, how a reply goes with its context is not known", NaturalnessWarning, 2)
        if readers:
            batch.texts = numbered_texts(batch.texts, batch.rows, readers)
        yield batch

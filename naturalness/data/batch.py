"""Batches of table rows, and checks of their columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naturalness.data import limits
from naturalness.data.formats import STANDARD
from naturalness.errors import TableError, UnequalRows, advice, excerpt, listing
from naturalness.text.normalisation import INVALID_BYTE, NOT_UTF8

TEXT_COLUMN = "text"
EMPTY = "empty text"
"""The problem of a cell that is missing."""


@dataclass(slots=True)
class Batch:
    """Consecutive rows of a table: all cells as read, and the text and the problem of each row."""

    columns: list[str]
    rows: list[dict[str, Any]]
    texts: list[str]
    problems: list[str]
    """Why each row is unusable; an empty string if it is usable."""
    arrow: Any = None
    """The rows as an Arrow record batch, so that they can be written unconverted; None if the input is not Parquet."""
    first_row: int = 0
    """The index of the first row in the table, from 0."""
    fixed: bool = True
    """Whether all rows of the table have these columns; False for JSON lines, whose rows may differ."""
    size: int = 0
    """The approximate size of the rows in bytes."""

    @property
    def blank(self) -> int:
        """The number of rows without a text: blank lines and empty cells."""
        rows = zip(self.texts, self.problems, strict=True)
        return sum(not text.strip() and problem in ("", EMPTY) for text, problem in rows)


def make_batch(rows: list[dict[str, Any]], problems: list[str], columns: list[str], column: str, first: int) -> Batch:
    """Return a batch of rows; ``problems`` says why each row could not be read, with an empty string if it could."""
    checked = [
        usable_text(row.get(column), column, present=column in row, problem=problem)
        for row, problem in zip(rows, problems, strict=True)
    ]
    return Batch(columns, rows, [text for text, _ in checked], [problem for _, problem in checked], first_row=first)


def usable_text(value: Any, column: str = TEXT_COLUMN, *, present: bool = True, problem: str = "") -> tuple[str, str]:
    """Return the text of a cell and an empty string or, if the cell is unusable, an empty string and the reason.

    ``present`` is whether the row has the column, and ``problem`` is a reason that is known already.
    """
    if problem:
        return "", problem
    if not present:
        return "", f"no column {column!r}"
    if value is None:
        return "", EMPTY
    if not isinstance(value, str):
        return "", f"column {column!r} holds {type(value).__name__}, not text"
    return ("", NOT_UTF8) if INVALID_BYTE.search(value) else (value, "")


# Check for missing, repeated and new columns.


def check_text_column(path: str, columns: list[str], column: str) -> None:
    """Raise an error if a table lacks the text column or repeats a column name."""
    if duplicates := sorted(name for name, count in Counter(columns).items() if count > 1):
        raise TableError(f"{path!r} names a column twice: {listing(duplicates)}; rename one")
    if column not in columns:
        raise TableError(f"{missing_column(path, column, columns)}. Name the column of texts with `text_column`")


def check_columns(names: Iterable[str], columns: Sequence[str], path: str) -> None:
    """Raise an error if the table lacks one of the named columns."""
    for name in names:
        if name not in columns:
            raise missing_column(path, name, columns)


def missing_column(path: str, name: str, columns: Sequence[str]) -> TableError:
    """Return the error to raise if a table lacks a column."""
    shown = "standard input" if path == STANDARD else repr(path)
    return TableError(f"{shown} has no column {name!r}{advice(name, columns, f'it has: {listing(columns)}')}")


def check_new_columns(batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
    """Raise an error if a new column has the same name as an input column."""
    clash = sorted(set(batch.columns) & set(added))
    if clash:
        raise TableError(
            f"the table already has a column {excerpt(clash[0])}, which would be overwritten; "
            "rename it, or give new columns a prefix where the command has `prefix`"
        )


# Batches wait to be written until there are enough to derive the columns and types of the table.

HEAD = 8192
"""The number of rows from which the columns and types of a table are derived; Parquet row groups have the same size."""
HEAD_BYTES = 64 << 20
"""The size in bytes at which waiting rows are enough to derive columns and types, even if fewer than `HEAD`."""
Waiting = Sequence[tuple[Batch, Mapping[str, Sequence[Any]]]]
"""Batches waiting to be written, each with its new columns."""


def is_head(waiting: Waiting) -> bool:
    """Return whether enough batches are waiting to derive the columns and types of the table."""
    n_rows = sum(len(batch.rows) for batch, _ in waiting)
    return n_rows >= HEAD or sum(batch.size for batch, _ in waiting) >= HEAD_BYTES


def columns_of(waiting: Waiting) -> list[str]:
    """Return the names of all columns in the waiting batches, in order of first appearance."""
    names = list(dict.fromkeys(name for batch, _ in waiting for name in batch.columns))
    if len(names) > limits.MAX_COLUMNS:
        raise UnequalRows(
            f"the rows have {len(names):,} columns in total; at most {limits.MAX_COLUMNS:,} are "
            "written: write jsonl, where rows may differ"
        )
    return names


def check_row(row: Mapping[str, Any], names: Container[str]) -> None:
    """Raise an error if a row has a column that is missing from the header, which is derived from the first rows."""
    for name in row:
        if name not in names:
            raise UnequalRows(
                f"column {excerpt(name)} does not appear in the first {HEAD} rows, so the header "
                "lacks it; write jsonl, where rows may differ"
            )

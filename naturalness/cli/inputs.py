"""Texts of the command line, a table, or standard input: as batches of rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import input_table
from naturalness.data.cells import number_or_nan
from naturalness.data.formats import Location
from naturalness.data.reading import Batch, read_batches, usable_text
from naturalness.data.writing import finite
from naturalness.errors import TableError, listing

if TYPE_CHECKING:
    from naturalness.features import FeatureGroup


def add_texts(parser: argparse.ArgumentParser) -> None:
    """The argument that takes texts or a table."""
    parser.add_argument("input", nargs="*", metavar="INPUT", help="texts, or one table")


@dataclass(slots=True)
class Rows:
    """Batches of rows, to be read once; where there was none, standard error says so."""

    batches: Iterator[Batch]
    table: Location | None = None
    """None for texts of the command line."""
    count: int = 0

    def __iter__(self) -> Iterator[Batch]:
        for batch in self.batches:
            self.count += len(batch.rows)
            yield batch
        if not self.count and self.table:
            tell_no_rows(self.table)


def tell_no_rows(table: Location) -> None:
    """Say that a table has no rows."""
    name = "standard input" if table.is_standard else repr(table.path)
    sys.stderr.write(f"no rows in {name}\n")


def input_batches(given: argparse.Namespace) -> Rows:
    """The rows of the table that is named, or of the texts."""
    if not given.input:
        raise TableError("nothing to read; give a text, a table, or - for standard input")
    tables = [input_table(item, given.input_format) for item in given.input]
    table = tables[0]
    if len(tables) > 1 and any(tables):
        raise TableError("give one table at a time, or texts alone")
    if table is None:
        return Rows(iter([typed(given.input)]))
    batches = read_batches(table, text_column=given.text_column, batch_size=given.batch_size)
    return Rows(batches, table)


def with_numbers(batches: Iterable[Batch], groups: Iterable[FeatureGroup]) -> Iterator[Batch]:
    """Batches whose texts bring along the numbers of those columns that groups read."""
    from naturalness.features.columns import NumberedText, columns_read

    names = columns_read(groups)
    for batch in batches:
        lacking = [name for name in names if name not in batch.columns]
        if lacking and (batch.fixed or not batch.first_row):
            raise TableError(
                f"the model reads column {lacking[0]!r} beside each text; give a table that has "
                f"it. Found: {listing(batch.columns)}"
            )
        if names:
            batch.texts = [
                NumberedText(text, {name: number_or_nan(row.get(name)) for name in names})
                for text, row in zip(batch.texts, batch.rows, strict=True)
            ]
        yield batch


def typed(texts: Sequence[str]) -> Batch:
    """Texts of the command line as a batch."""
    checked = [usable_text(text) for text in texts]
    rows = [{"text": text} for text in texts]
    return Batch(["text"], rows, [text for text, _ in checked], [why for _, why in checked])


def show_json(rows: Sequence[dict[str, Any]]) -> None:
    """Rows as one JSON list on standard output."""
    text = json.dumps(finite(list(rows)), ensure_ascii=False, indent=2, default=str)
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")

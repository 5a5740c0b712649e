"""Stream the texts of a corpus from a table; count and skip unreadable rows."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from naturalness.cli.inputs import input_table
from naturalness.data.formats import Location
from naturalness.data.reading import estimate_rows, read_batches
from naturalness.errors import TableError, counted

BATCH = 10_000


@dataclass(slots=True)
class Texts:
    """Iterable over the texts of a table."""

    where: Location
    text_column: str | None
    unreadable: int = 0

    @property
    def total(self) -> int:
        """The approximate number of texts; 0 if counting would take long."""
        return estimate_rows(self.where) or 0

    def __iter__(self) -> Iterator[str]:
        for batch in read_batches(self.where, text_column=self.text_column, batch_size=BATCH):
            for text, problem in zip(batch.texts, batch.problems, strict=True):
                if problem:
                    self.unreadable += 1
                else:
                    yield text


@contextmanager
def corpus(path: str, args: argparse.Namespace) -> Iterator[Texts]:
    """Yield the texts of the table at a path; at the end, also after an error, report how many rows were skipped."""
    where = input_table(path, args.input_format)
    if where is None:
        raise TableError(f"no file {path!r}; expected a table of texts, one sentence each")
    texts = Texts(where, args.text_column)
    try:
        yield texts
    finally:
        if texts.unreadable:
            sys.stderr.write(f"skipped: {counted(texts.unreadable, 'row')} without a readable text\n")

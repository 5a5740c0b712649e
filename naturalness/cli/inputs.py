"""Texts of the command line, a table, or standard input: as batches of rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from naturalness.cli.options import input_table
from naturalness.data.formats import Location
from naturalness.data.reading import Batch, read_batches, usable_text
from naturalness.data.writing import finite
from naturalness.errors import TableError


def add_texts(parser: argparse.ArgumentParser) -> None:
    """The argument that takes texts or a table."""
    parser.add_argument("input", nargs="*", metavar="INPUT", help="texts, or one table")


def input_batches(given: argparse.Namespace) -> tuple[Location | None, Iterator[Batch]]:
    """The table, where one is named, and the rows."""
    if not given.input:
        raise TableError("nothing to read; give a text, a table, or - for standard input")
    tables = [input_table(item, given.input_format) for item in given.input]
    table = tables[0]
    if len(tables) > 1 and any(tables):
        raise TableError("give one table at a time, or texts alone")
    if table is None:
        return None, iter([typed(given.input)])
    return table, read_batches(table, text_column=given.text_column, batch_size=given.batch_size)


def typed(texts: Sequence[str]) -> Batch:
    """Texts of the command line as a batch."""
    checked = [usable_text(text) for text in texts]
    rows = [{"text": text} for text in texts]
    return Batch(["text"], rows, [text for text, _ in checked], [why for _, why in checked])


def show_json(rows: Sequence[dict[str, Any]]) -> None:
    """Rows as one JSON list on standard output."""
    text = json.dumps(finite(list(rows)), ensure_ascii=False, indent=2, default=str)
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")

"""Inputs named by arguments (texts, tables, standard input), and outputs."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from naturalness.cli.parser import as_options
from naturalness.data.batch import TEXT_COLUMN, Batch, check_new_columns, make_batch
from naturalness.data.cells import finite
from naturalness.data.formats import STANDARD, SUFFIXES, Location, is_folder, is_pipe, location, no_file
from naturalness.data.reading import estimate_rows, read_batches
from naturalness.data.writing import open_writer
from naturalness.errors import TableError
from naturalness.files.storage import exists

BATCH_TEXTS = 64
"""The number of texts that are parsed together."""


@dataclass(slots=True)
class Rows:
    """Batches of rows; can be iterated once. An empty input is reported on standard error."""

    batches: Iterator[Batch]
    table: Location | None = None
    """Location of the table; None for texts given on the command line."""
    count: int = 0
    blank: int = 0
    """The number of rows of a table that have no text; they have not failed."""
    failures: int = 0
    """The number of rows that have failed, including blank ones."""

    @property
    def total(self) -> int | None:
        """The number of rows of a table, for progress bars; None if counting takes long."""
        return None if self.table is None else estimate_rows(self.table)

    def __iter__(self) -> Iterator[Batch]:
        for batch in self.batches:
            self.count += len(batch.rows)
            self.blank += batch.blank if self.table else 0
            yield batch
        if not self.count and self.table:
            report_no_rows(self.table)

    @property
    def failed(self) -> bool:
        """Whether a row with a text has failed, or no row has a text."""
        return self.failures > self.blank or self.count == self.blank


def report_no_rows(table: Location) -> None:
    """Report on standard error that a table has no rows."""
    sys.stderr.write(f"no rows in {table.shown}\n")


def input_batches(args: argparse.Namespace) -> Rows:
    """Return the rows of a table, or of texts given on the command line."""
    tables = [input_table(item, args.input_format) for item in args.input]
    table = tables[0]
    if len(tables) > 1 and any(tables):
        raise TableError("give one table at a time, or only texts")
    if table is None:
        rows = [{TEXT_COLUMN: text} for text in args.input]
        return Rows(iter([make_batch(rows, [""] * len(rows), [TEXT_COLUMN], TEXT_COLUMN, 0)]))
    batches = read_batches(table, text_column=args.text_column, batch_size=BATCH_TEXTS)
    return Rows(batches, table)


def print_json(value: Any) -> None:
    """Print rows or figures as JSON."""
    text = json.dumps(finite(value), ensure_ascii=False, indent=2, default=str)
    sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")


def note(lines: Iterable[str]) -> None:
    """Print lines on standard error."""
    sys.stderr.writelines(f"{as_options(line)}\n" for line in lines)


def note_written(count: int, noun: str, args: argparse.Namespace) -> None:
    """Report on standard error what the file given by -o contains."""
    written = args.output not in (None, STANDARD)
    note([f"{count:,} {noun}{'s'[: count != 1]} written to {args.output!r}"] * written)


LOOKS_LIKE_FILE = re.compile(r"\S+(" + "|".join(map(re.escape, SUFFIXES)) + r")(\.gz|\.zst)?$", re.IGNORECASE)


def is_shown(args: argparse.Namespace, style: str) -> bool:
    """Return whether rows are printed rather than written to a table."""
    return args.output in (None, STANDARD) and style in ("text", "json")


def emit(rows: Iterable[tuple[Any, ...]], args: argparse.Namespace, style: str, show: Callable[..., None]) -> None:
    """Print rows, or write them to the table that options name.

    ``rows`` are tuples of a batch, its new columns, and further arguments of ``show``, which prints them as text.
    """
    if not is_shown(args, style):
        count = 0
        with open_writer(output_table(args, style), force=args.force) as writer:
            for batch, added, *_ in rows:
                writer.write(batch, added)
                count += len(batch.rows)
        note_written(count, "row", args)
        return
    objects: list[dict[str, Any]] = []
    for batch, added, *rest in rows:
        check_new_columns(batch, added)
        if style == "text":
            show(batch, added, *rest)
        else:
            objects += [row | {name: values[i] for name, values in added.items()} for i, row in enumerate(batch.rows)]
    if style == "json":
        print_json(objects)


def output_table(args: argparse.Namespace, style: str) -> Location:
    """Return the output location: the file given by -o, or standard output."""
    if args.output in (None, STANDARD):
        return location(STANDARD, style)
    if args.format is not None:
        raise TableError("--format is for standard output; the file name implies the format of a file")
    return location(args.output, written=True)


def table_of(name: str, format_name: str | None) -> Location:
    """Return the table that an argument names; raise if it names none."""
    return input_table(name, format_name) or location(name)


def input_table(name: str, format_name: str | None) -> Location | None:
    """Return the table that an argument names, or None if the argument is a text."""
    if is_folder(name):
        raise TableError(f"{name!r} is a folder; give a table or, if you mean the word, pipe it in (-)")
    if name == STANDARD or format_name is not None or _is_file(name):
        return location(name, format_name)
    if LOOKS_LIKE_FILE.match(name):
        raise no_file(location(name).path)
    return None


def _is_file(name: str) -> bool:
    return exists(name) and (Path(name).is_file() or is_pipe(name))

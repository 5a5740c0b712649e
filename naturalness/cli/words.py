"""`naturalness words`: show the surprisal and likely damage of each word."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import input_batches, show_json
from naturalness.data.batch import Batch

if TYPE_CHECKING:
    from naturalness.models.marks import Mark

BAR, FULL = 20, 15.0
"""Width of a bar of surprisal in characters, and the surprisal, in nats, that fills it."""
HEAD = f"{'surprisal':>9}  {'':<{BAR}}  {'damage':>6}  word"


def run(args: argparse.Namespace) -> int:
    """Show the surprisal of each word; return 1 if a text cannot be read."""
    read = input_batches(args)
    failures = 0
    collected: list[dict[str, Any]] = []
    for text, marks, reason in (row for batch in read for row in _read(batch, args)):
        failures += bool(reason)
        if args.format == "json":
            collected.append({"text": text, "words": list(map(asdict, marks)), "reason": reason})
        else:
            sys.stdout.write(as_text(text, marks, reason))
    if args.format == "json":
        show_json(collected)
    return read.code(failures)


def as_text(text: str, marks: list[Mark], reason: str) -> str:
    """Return a text and a line for each word, with a bar for its surprisal."""
    lines = [" ".join(text.split()), f"({reason})" if reason else HEAD]
    for mark in marks:
        bar = "█" * round(BAR * min(1.0, mark.surprisal / FULL)) if mark.surprisal > 0 else ""
        surprisal, damage = ("–" if number != number else f"{number:.2f}" for number in (mark.surprisal, mark.damage))
        line = f"{surprisal:>9}  {bar:<{BAR}}  {damage:>6}  {mark.text}"
        lines.append(f"{line}  ← {mark.kind}" if mark.kind else line)
    return "\n".join([*lines, "", ""])


def _read(batch: Batch, args: argparse.Namespace) -> Iterator[tuple[str, list[Mark], str]]:
    from naturalness.models.marks import marks
    from naturalness.text.parsing import parse, short_memory, unusable

    with short_memory():
        docs = parse(batch.texts)
        reasons = [p or unusable(doc) for p, doc in zip(batch.problems, docs, strict=True)]
        good = [doc for doc, reason in zip(docs, reasons, strict=True) if not reason]
        word_marks = iter(marks(good))
        rows = [
            (text, [] if reason else next(word_marks), reason)
            for text, reason in zip(batch.texts, reasons, strict=True)
        ]
        del docs, good
    yield from rows

"""`naturalness explain`: why texts have their scores, where, and what would raise them."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import add_texts, input_batches, show_json
from naturalness.cli.options import (
    add_force,
    add_input_options,
    add_model_choice,
    add_page_option,
    add_quiet,
    add_register_option,
    add_shown,
    check_pages,
    is_page,
    positive,
    write_pages,
)
from naturalness.cli.progress import Advance, progress
from naturalness.cli.terminal import paint_for
from naturalness.data.batch import Batch
from naturalness.data.cells import finite
from naturalness.data.formats import estimate_rows
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.explaining.explanation import Explanation
    from naturalness.pipelines.scorer import NaturalnessModel

EDITS = 3
"""Edits to show without a number."""
EDITED = 8
"""Texts that are explained at a time where edits are looked for."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "explain",
        help="explain scores: why, where, and what would raise them",
        description="Explain scores by causes that add up to them, by passages of the text, and by "
        "edits. INPUT is a text, several texts, a table (txt, csv, tsv, jsonl, parquet; also .gz "
        "and .zst) or - for standard input.",
        examples=(
            'naturalness explain "The two brothers was late for dinner."',
            "naturalness explain texts.csv -o causes.html",
            'naturalness explain "Storm closes three airports" --register auto',
        ),
    )
    add_texts(parser)
    add_model_choice(parser)
    add_input_options(parser, nlp=False)
    add_register_option(parser.add_argument)
    add = parser.add_argument
    add(
        "--edits",
        nargs="?",
        type=positive,
        const=EDITS,
        default=0,
        metavar="N",
        help=f"look for small edits that raise the score, and show the best N (default: {EDITS}); takes longer",
    )
    add("--format", choices=("text", "json"), help="output format (default: text)")
    add_page_option(add)
    add_shown(add, "texts on the page, the worst ones (default: as many as 2 MB hold)")
    add_force(add, "overwrite the output file")
    add_quiet(add, "show no progress bar, and do not say what was written")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write explanations; return 1 if a text has no score."""
    from naturalness.features.columns import with_numbers
    from naturalness.pipelines.scorer import load_model

    _check(args)
    rows_read = input_batches(args)
    model = load_model(args.model, changed_assets=args.changed_assets)
    rows_read.batches = with_numbers(rows_read.batches, model.groups)
    collects = bool(args.output) or args.format == "json"
    total = estimate_rows(rows_read.table) if rows_read.table else None
    with progress("explain", total=total, quiet=args.quiet or not collects) as advance:
        explained = explanations(model, rows_read, args, advance)
        results = list(explained if collects else _printed(explained, edits_wanted=bool(args.edits)))
    if args.output:
        _write(args, results, model.name)
        if not args.quiet:
            sys.stdout.write(f"written: {' and '.join(args.output)}\n")
    elif collects:
        show_json(rows(results))
    return int(any(math.isnan(explanation.naturalness) for explanation in results) or not rows_read.count)


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot be done before anything is opened."""
    if not args.output:
        if args.show is not None:
            raise TableError("--show is for a page; name one with -o page.html")
        return
    check_pages(args.output, force=args.force)
    if args.format is not None:
        raise TableError("--format is for standard output; the file name implies the format of a file")
    if args.show is not None and not any(map(is_page, args.output)):
        raise TableError("--show is for a page; JSON holds all texts")


def explanations(
    model: NaturalnessModel, batches: Iterable[Batch], args: argparse.Namespace, advance: Advance
) -> Iterator[Explanation]:
    """Yield the explanation of each row; a problem of a row itself becomes its reason."""
    # Edits of a text take as long as dozens of texts without: progress is to be seen.
    size = min(args.batch_size, EDITED) if args.edits else args.batch_size
    for batch in batches:
        for start in range(0, len(batch.texts), size):
            texts, problems = batch.texts[start : start + size], batch.problems[start : start + size]
            explained = model.explain(texts, edits=args.edits, batch_size=args.batch_size, register=args.register)
            for explanation, problem in zip(explained, problems, strict=True):
                yield replace(explanation, reason=problem) if problem else explanation
            advance(len(texts), sum(math.isnan(explanation.naturalness) for explanation in explained))


def rows(explained: Sequence[Explanation]) -> list[dict[str, Any]]:
    """Return explanations as rows for JSON."""
    from naturalness.explaining.explanation import as_row

    return [as_row(explanation) for explanation in explained]


def _printed(explained: Iterator[Explanation], *, edits_wanted: bool) -> Iterator[Explanation]:
    from naturalness.cli.explained import explained_text
    from naturalness.cli.terminal import page_width

    paint, width = paint_for(sys.stdout), page_width()
    for number, explanation in enumerate(explained):
        sys.stdout.write("\n\n" if number else "")
        sys.stdout.write(explained_text(explanation, paint, width, edits_wanted=edits_wanted))
        sys.stdout.flush()
        yield explanation


def _write(args: argparse.Namespace, explained: Sequence[Explanation], model: str) -> None:
    from naturalness.explaining.page import make_page

    write_pages(args.output, lambda: make_page(explained, model=model, most=args.show), lambda: finite(rows(explained)))

"""`naturalness explain`: explain scores by causes, by the words involved, and by probable edits."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from naturalness.cli.inputs import BATCH_TEXTS, input_batches, print_json
from naturalness.cli.progress import progress
from naturalness.cli.terminal import paint_for
from naturalness.data.batch import Batch
from naturalness.data.cells import finite
from naturalness.errors import TableError
from naturalness.pages.output import check_pages, write_pages

if TYPE_CHECKING:
    from naturalness.explaining.explanation import Explanation
    from naturalness.labelling.tables import Advance
    from naturalness.pipelines.scorer import NaturalnessModel

BATCH_TEXTS_WITH_EDITS = 8
"""Number of texts explained at a time when edits are searched for, which takes long; progress stays visible."""


def run(args: argparse.Namespace) -> int:
    """Print or write explanations; return 1 if a text has no score."""
    from naturalness.explaining.page import make_page
    from naturalness.pipelines.scorer import load_model

    _check_outputs(args)
    rows = input_batches(args)
    model = load_model(args.model, score_anyway=args.score_anyway)
    printed = not args.output and args.format != "json"
    with progress("explain", total=rows.total, quiet=printed) as advance:
        explained = explanations(model, rows, args, advance)
        results = list(_printed(explained, edits_wanted=bool(args.edits)) if printed else explained)
    if args.output:
        pages = partial(make_page, results, model=model.name)
        write_pages(args.output, pages, lambda: finite([*map(asdict, results)]))
        sys.stdout.write(f"written: {' and '.join(args.output)}\n")
    elif not printed:
        print_json([*map(asdict, results)])
    rows.failures = sum(math.isnan(explanation.naturalness) for explanation in results)
    return int(rows.failed)


def _check_outputs(args: argparse.Namespace) -> None:
    """Raise if the options for files and for standard output contradict each other, or if a file cannot be written."""
    check_pages(args.output or (), force=args.force)
    if args.output and args.format is not None:
        raise TableError("--format is for standard output; the file name implies the format of a file")


def explanations(
    model: NaturalnessModel, batches: Iterable[Batch], args: argparse.Namespace, advance: Advance
) -> Iterator[Explanation]:
    """Yield the explanation of each row; if a row cannot be read, its explanation gives that as the reason."""
    size = BATCH_TEXTS_WITH_EDITS if args.edits else BATCH_TEXTS
    for batch in batches:
        for start in range(0, len(batch.texts), size):
            texts, problems = batch.texts[start : start + size], batch.problems[start : start + size]
            explained = model.explain(texts, edits=args.edits, register=args.register)
            for explanation, problem in zip(explained, problems, strict=True):
                yield replace(explanation, reason=problem) if problem else explanation
            advance(len(texts), sum(math.isnan(explanation.naturalness) for explanation in explained))


def _printed(explained: Iterator[Explanation], *, edits_wanted: bool) -> Iterator[Explanation]:
    from naturalness.cli.explained import explained_text
    from naturalness.cli.terminal import page_width

    paint, width = paint_for(sys.stdout), page_width()
    for number, explanation in enumerate(explained):
        sys.stdout.write("\n\n" if number else "")
        sys.stdout.write(explained_text(explanation, paint, width, edits_wanted=edits_wanted))
        sys.stdout.flush()
        yield explanation

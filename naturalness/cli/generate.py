"""`naturalness generate`: unnatural sentences from a corpus, each damage recorded."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import (
    add_input_options,
    add_output_options,
    input_table,
    names,
    output_table,
    positive,
)
from naturalness.cli.progress import progress
from naturalness.data.formats import Location
from naturalness.data.reading import Batch, read_batches
from naturalness.data.writing import open_writer
from naturalness.errors import CorpusError, TableError

if TYPE_CHECKING:
    from naturalness.pipelines.generate import Damaged

FORMATS = ("jsonl", "csv", "tsv")
METHODS = ("errors", "sequence")
SPARE = 4
"""Texts drawn from the corpus for each damaged one."""
POOL = 200_000
"""Sentences of the corpus that sequences are drawn from, at most."""


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "generate",
        help="damage sentences, or glue pieces of sentences",
        description="Make unnatural sentences from the sentences of CORPUS (a table, or - for "
        "standard input). 'errors' damages sentences by kind; 'sequence' glues corpus sequences.",
    )
    parser.add_argument("corpus", metavar="CORPUS", help="table of sentences, or -")
    parser.add_argument("--method", choices=METHODS, required=True,
                        help="damage sentences, or glue sequences of words")  # fmt: skip
    parser.add_argument("-n", type=positive, default=1000, metavar="N", help="texts to make (1000)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="another seed, other texts (0)"
    )
    parser.add_argument("--kinds", type=names, metavar="A,B", help="errors: kinds of damage (all)")
    parser.add_argument("--damages", type=number_range, default=(1, 1), metavar="A-B",
                        help="errors: how many per text, 0-4 for a graded set (1)")  # fmt: skip
    parser.add_argument("--sizes", type=sizes, default=[1, 2, 4, 8], metavar="A,B",
                        help="sequence: tokens per piece (1,2,4,8); n texts for each")  # fmt: skip
    parser.add_argument("--length", type=positive, default=24, metavar="N",
                        help="sequence: tokens per text (24)")  # fmt: skip
    add_input_options(parser)
    add_output_options(parser, FORMATS)
    parser.set_defaults(run=run)


def number_range(value: str) -> tuple[int, int]:
    """``3`` or ``1-4``."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise argparse.ArgumentTypeError(f"expected a number or a range like 1-4, found {value!r}")
    return low, high


def sizes(value: str) -> list[int]:
    """A list of positive numbers."""
    return [positive(part) for part in names(value)]


def run(given: argparse.Namespace) -> int:
    """Run the command."""
    table = input_table(given.corpus, given.input_format)
    if table is None:
        raise TableError(f"no file {given.corpus!r}; give a corpus: txt, csv, tsv, jsonl, parquet")
    out = output_table(given, given.format or "jsonl")
    made = _errors(table, given) if given.method == "errors" else _sequences(table, given)
    total = given.n * (len(given.sizes) if given.method == "sequence" else 1)
    with (
        open_writer(out, force=given.force) as writer,
        progress(given.method, total=total, quiet=given.quiet) as advance,
    ):
        for rows in made:
            columns = list(rows[0])
            if out.format != "jsonl":
                rows = [row | {"damages": json.dumps(row["damages"])} for row in rows]
            writer.write(Batch(columns, rows, [""] * len(rows), []), {})
            advance(len(rows))
    return 0


def sentences(table: Location, given: argparse.Namespace, wanted: int) -> list[str]:
    """An even sample of the corpus's texts in its order, deterministic for a seed."""
    rng = random.Random(given.seed)
    kept: list[tuple[int, str]] = []
    seen = 0
    for batch in read_batches(table, text_column=given.text_column):
        for text in batch.texts:
            if text.count(" ") < 3:
                continue
            seen += 1
            if len(kept) < wanted:
                kept.append((seen, text))
            elif (place := rng.randrange(seen)) < wanted:
                kept[place] = (seen, text)
    return [text for _, text in sorted(kept)]


def _errors(table: Location, given: argparse.Namespace) -> Iterator[list[dict[str, Any]]]:
    from naturalness.parsing import parse
    from naturalness.pipelines.generate import damage_docs

    # Some texts cannot be damaged as asked, so more are drawn than wanted.
    texts = sentences(table, given, given.n * SPARE)
    made = 0
    # Splices are taken from neighbours in these batches, whose size must not change the outcome.
    for start in range(0, len(texts), 256):
        docs = parse(texts[start : start + 256], nlp=given.nlp, batch_size=given.batch_size)
        damaged = damage_docs(docs, kinds=given.kinds, n_damages=given.damages, seed=given.seed)
        rows = [_row(d, "errors") for d in damaged if len(d.damages) >= given.damages[0]]
        rows = rows[: given.n - made]
        made += len(rows)
        if rows:
            yield rows
        if made == given.n:
            return
    raise CorpusError(
        f"only {made} of {given.n} texts were made: the corpus has {len(texts)} texts of four "
        "words or more, and not all can be damaged as asked; add text, ask for fewer, or for more "
        "kinds"
    )


def _sequences(table: Location, given: argparse.Namespace) -> Iterator[list[dict[str, Any]]]:
    from naturalness.parsing import tokenise
    from naturalness.pipelines.generate import SequenceGlue

    pool = tokenise(sentences(table, given, POOL), nlp=given.nlp)
    tokens = [[(t.text, bool(t.whitespace_)) for t in doc] for doc in pool]
    glue = SequenceGlue(tokens, length=given.length)
    for size in given.sizes:
        for chunk in _chunks(glue.generate(given.n, size=size, seed=given.seed)):
            yield [_row(damaged, "sequence") | {"size": size} for damaged in chunk]


def _chunks(items: Iterator[Damaged]) -> Iterator[Sequence[Damaged]]:
    chunk: list[Damaged] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == 256:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _row(damaged: Damaged, method: str) -> dict[str, Any]:
    return {
        "text": damaged.text,
        "original": damaged.original,
        "method": method,
        "kinds": ",".join(dict.fromkeys(damage.kind for damage in damaged.damages)),
        "n_damages": len(damaged.damages) if method == "errors" else max(
            0, len(damaged.damages) - 1
        ),
        "amount": float(f"{damaged.amount:.6g}"),
        "damages": [asdict(damage) for damage in damaged.damages],
    }  # fmt: skip

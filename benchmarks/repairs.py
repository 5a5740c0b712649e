"""Repairs and fixes judged by reading: `python -m benchmarks.repairs CORPORA TABLE [--print]`.

``--print`` lists held-out sentences under one to three damages, and sentences of a table of learners' sentences, each
with its repair. `repair_judgements.json` counts what a reader found in 200 of each, and in all fixes that `naturalness
check --diff` made in 317 files that no rule or threshold had seen, before what was wrong was mended. *Right*: people
would write it so; *better*: each change is right, but faults remain; *wrong*: a change is wrong, or alters the meaning.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.edits import KINDS
from benchmarks.report import context, markdown_table, write
from benchmarks.rule_texts import edited_texts
from naturalness import explain
from naturalness.adapting.kinds import damage_docs
from naturalness.text.parsing import parse
from training.arguments import command_parser
from training.default_model.sets import read_set

JUDGED = Path(__file__).with_name("repair_judgements.json")
N, SEED, MAX_RATING = 200, 19, 3.2


def sentences(corpora: Path, table: Path) -> Iterator[str]:
    """Yield damaged sentences, then learners' sentences."""
    drawn = [text for _, text in edited_texts(corpora, 20 * N, SEED)]
    rated = read_set(table)
    learners = [text for text, rating in zip(rated.texts, rated.ratings, strict=True) if rating <= MAX_RATING]
    for texts in (drawn, learners):
        texts[:] = [text for text in texts if 5 <= len(text.split()) <= 30]
        random.Random(SEED).shuffle(texts)
    yield from (d.text for d in damage_docs(parse(drawn[:N]), kinds=KINDS, n_damages=(1, 3), seed=SEED))
    yield from learners[:N]


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "corpora", "table")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if options.print:
        for one in explain(list(sentences(options.corpora, options.table)), edits=1):
            print(one.text, one.repair and one.repair.text, sep="\n  ")
    judged = json.loads(JUDGED.read_text(encoding="utf-8"))
    header = ["", *next(iter(judged.values()))]
    table = markdown_table(header, [[name, *row.values()] for name, row in judged.items()])
    write(
        "repairs",
        "Repairs and fixes, judged by reading",
        table,
        {"context": context(command="python -m benchmarks.repairs CORPORA TABLE"), "judged": judged},
    )


if __name__ == "__main__":
    main()

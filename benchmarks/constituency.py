"""Labelled brackets of the shipped parser, by EVALB's rules, with bands of sentence length.

`python -m benchmarks.constituency TREEBANKS`: only the words come from the treebank (the parser uses no tags). GUM's
test part is read whole and without its documents under a non-commercial term, of whose kind none was trained on; GENTLE
is GUM's own test outside its genres; the WSJ sample and Natural Stories measure and never train.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from benchmarks.evalb import Brackets
from benchmarks.report import markdown_table, write
from naturalness.models.parsers.chart.kbest import search
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.tree import Span, spans
from training.arguments import command_parser
from training.constituency.treebank import TREES, Sentence, read_trees, training_trees

BANDS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 1000))
CHANGES = {"as written": lambda words: words, "lower case": lambda words: [word.lower() for word in words]}


def best_spans(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
    """Return the spans of the best tree of each sentence; none if it is too long."""
    parser = chart()
    rows: list[list[Span]] = []
    for words, scores in zip(sentences, parser.scores([tuple(words) for words in sentences]), strict=True):
        best = [] if scores.problem else search(len(words), scores.spans, 1, 1)[1]
        spans_of_best = best[0].spans if best else ()
        rows.append([Span(a, b, parser.network.labels[label]) for a, b, label in spans_of_best])
    return rows


def figures(sentences: Iterable[Sentence], change: str = "as written") -> dict[str, Brackets]:
    """Return brackets over all sentences and by band of length."""
    rows = list(sentences)
    counts = {"all": Brackets(), **{f"{a}-{b}": Brackets() for a, b in BANDS}}
    parsed = best_spans([CHANGES[change](row.words) for row in rows])
    for row, ours in zip(rows, parsed, strict=True):
        gold = spans(row.root)
        band = next(f"{a}-{b}" for a, b in BANDS if a <= len(row.words) <= b)
        for name in ("all", band):
            counts[name].add(gold, ours, row.tags)
    return counts


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "treebanks").parse_args()
    gum = list(read_trees(options.treebanks / TREES["gum"]))
    parts = {
        "GUM test": [s for s in gum if s.split == "test"],
        "GUM test, free documents": training_trees(options.treebanks, "gum", "test"),
        "GENTLE": [s for s in gum if s.split == "gentle"],
        "CRAFT, held-out documents": training_trees(options.treebanks, "craft", "dev"),
        "WSJ sample": list(read_trees(options.treebanks / TREES["wsj"])),
        "Natural Stories": list(read_trees(options.treebanks / TREES["stories"])),
    }
    measured = {name: figures(rows) for name, rows in parts.items()}
    for name in ("GUM test", "WSJ sample"):
        measured[f"{name}, in lower case"] = figures(parts[name], "lower case")
    bands = [f"{a}-{b}" for a, b in BANDS]
    rows = [
        [
            name,
            counts["all"].sentences,
            counts["all"].f1,
            100 * counts["all"].exact / counts["all"].sentences,
            *(counts[band].f1 for band in bands),
        ]
        for name, counts in measured.items()
    ]
    header = ["treebank", "sentences", "F1", "whole tree right, %", *(f"F1, {b} words" for b in bands)]
    data = {
        name: {
            band: {"sentences": c.sentences, "f1": None if math.isnan(c.f1) else round(c.f1, 2)}
            for band, c in counts.items()
        }
        for name, counts in measured.items()
    }
    title = "Labelled bracket F1 of the shipped constituency parser"
    write(
        "constituency",
        title,
        markdown_table(header, rows),
        {"figures": data},
        command="python -m benchmarks.constituency TREEBANKS",
    )


if __name__ == "__main__":
    main()

"""The share of our minimal pairs in which the good sentence gets the higher number, by phenomenon.

`python -m benchmarks.minimal_pairs [--detector FOLDER]` reads minimal_pairs.tsv, which was written by hand for this and
trains no model: pairs of a good sentence and a bad one that differ in a word or two, or in their order. A tie counts
one half. Without FOLDER: the numbers of the shipped detector, SLOR of the shipped language models and the score of the
default model, written to results/minimal_pairs.md and .json. With FOLDER: only the numbers of that detector, which are
printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.detector import NUMBERS, opened, table_of
from benchmarks.report import markdown_table, write
from naturalness import load_model
from naturalness.arrays import FloatArray
from naturalness.metrics import resolve
from naturalness.models.detector import detector
from naturalness.statistics.measures import wilson
from naturalness.text.parsing import parse
from training.arguments import command_parser
from training.default_model.sets import read_rows

FILE = Path(__file__).with_suffix(".tsv")
METRICS = {"SLOR, words": "slor", "SLOR, neural": "slor:neural"}
SCORE = "default model"


class Pair(NamedTuple):
    """Two sentences that differ as little as the phenomenon allows."""

    phenomenon: str
    good: str
    bad: str


def read_pairs(path: Path = FILE) -> list[Pair]:
    """Return all pairs in the order of the file."""
    return [Pair(row["phenomenon"], row["good"], row["bad"]) for row in read_rows(path)]


def others(texts: Sequence[str]) -> FloatArray:
    """Return SLOR of two language models and the default model's score, (texts, numbers)."""
    docs = list(parse(texts))
    metrics = [metric.score(docs) for metric in resolve(list(METRICS.values()))]
    return np.column_stack([*metrics, load_model().score(docs).naturalness])


def won(good: FloatArray, bad: FloatArray) -> FloatArray:
    """Return 1 where the good sentence has the higher number, .5 for a tie, else 0."""
    return np.where(good == bad, 0.5, good > bad).astype(np.float64)


def by_phenomenon(pairs: Sequence[Pair], wins: FloatArray) -> dict[str, tuple[int, list[float]]]:
    """Return by phenomenon, and for all, the number of pairs and the share won by each number."""
    named = np.array([pair.phenomenon for pair in pairs])
    out = {}
    for name in dict.fromkeys(named.tolist()):
        rows = wins[named == name]
        out[name] = len(rows), rows.mean(axis=0).tolist()
    return out | {"all": (len(wins), wins.mean(axis=0).tolist())}


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "--detector").parse_args()
    pairs = read_pairs()
    texts = [text for pair in pairs for text in (pair.good, pair.bad)]
    model = opened(options.detector) if options.detector else detector()
    names, table = list(NUMBERS), table_of(texts, model)
    if not options.detector:
        names, table = [*NUMBERS, *METRICS, SCORE], np.hstack([table, others(texts)])
    wins = won(table[::2], table[1::2])
    shares = by_phenomenon(pairs, wins)
    intervals = [wilson(hits, len(pairs)) for hits in wins.sum(axis=0).tolist()]
    rows: list[list[object]] = [[name, n, *figures] for name, (n, figures) in shares.items()]
    rows.append(["95 % interval", None, *(f"{low:.2f} to {high:.2f}" for low, high in intervals)])
    result = markdown_table(["phenomenon", "pairs", *names], rows)
    if options.detector:
        print(result)
        return
    intro = (
        "Share of pairs in which the good sentence has the higher value; a tie counts as one half. "
        "Intervals are Wilson's. The detector's values come first:\n\n"
    )
    data = {"numbers": names, "shares": shares, "intervals": intervals}
    write("minimal_pairs", "Minimal pairs", intro + result, data, command="python -m benchmarks.minimal_pairs")


if __name__ == "__main__":
    main()

"""Sentences per second with 50 trees and their probabilities, on one core; and the longest inputs.

`python -m benchmarks.constituency_speed CORPUS.txt[.xz]`: sentences of exactly 20 tokens, from Docs
that are tagged already: word pieces, the detector's body, network, chart, 50 trees. Set OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from benchmarks.speed import read_sentences, seconds
from naturalness.features import extract, resolve
from naturalness.models.parsers.base import sentences_of
from naturalness.models.parsers.chart.kbest import search_spans
from naturalness.models.parsers.chart.parser import chart
from naturalness.text.parsing import parse

TOKENS = 20


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-n", type=int, default=200, help="sentences (200)")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    candidates = parse(read_sentences(options.corpus, 60 * options.n))
    docs = [doc for doc in candidates if [s.stop - s.start for s in sentences_of(doc)] == [TOKENS]][: options.n]
    model = chart()
    words = [tuple(next(sentences_of(doc)).words) for doc in docs]
    scores = [made.spans for made in model.scores(words)]

    def measured(trees: int) -> float:
        return len(docs) / seconds(lambda: model.nbest(docs, trees, keep=1), options.repeats)

    def features() -> None:
        for doc in docs:
            doc.user_data.clear()
        extract(docs, resolve(["constituency"]))

    networks = seconds(lambda: list(model.scores(words)), options.repeats)
    charts = seconds(lambda: [search_spans(TOKENS, s, 50) for s in scores], options.repeats)
    rows: list[list[object]] = [
        ["body and network alone", len(docs) / networks],
        ["chart and 50 trees alone", len(docs) / charts],
        ["one tree", measured(1)],
        ["50 trees", measured(50)],
        ["all features of the group", len(docs) / seconds(features, options.repeats)],
    ]
    table = markdown_table([f"sentences of {TOKENS} tokens", "per second"], rows)
    long = [[n, *_long(n)] for n in (50, 100, 200, 201, 1000)]
    table += "\n" + markdown_table(["tokens in one sentence", "seconds", "trees"], long)
    about = context(command=f"python -m benchmarks.constituency_speed {options.corpus.name}", sentences=len(docs))
    data = {"context": about, "per_second": {str(row[0]): row[1] for row in rows}, "long": long}
    write("constituency_speed", "Speed of the constituency parser, one core", table, data)


def _long(n: int) -> tuple[float, int]:
    """Seconds and trees for one sentence of so many tokens."""
    from spacy.tokens import Doc

    from naturalness.text.parsing import load_pipeline

    phrase = ["the", "old", "man", "and", "the", "sea", "saw", "that"]
    words = [phrase[i % len(phrase)] for i in range(n)]
    doc = Doc(load_pipeline().vocab, words=words, sent_starts=[True] + [False] * (n - 1))
    started = time.perf_counter()
    (parse,) = chart().nbest([doc])[0]
    return time.perf_counter() - started, len(parse.trees)


if __name__ == "__main__":
    main()

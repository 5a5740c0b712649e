"""N-gram models with and without the kenlm package: `python -m benchmarks.ngram_reader CORPUS [-n 2000]`.

CORPUS: sentences, one a line. Units a second of each shipped model, by KenLM and by our own reader of the same files,
whether their digits are the same, and the time to score texts with the shipped models, the networks included.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from benchmarks.speed import read_sentences
from naturalness.files.resources import locate
from naturalness.judging.opened import installed
from naturalness.models.language import ngram, shipped
from naturalness.models.language.ngram import full_scores, open_kenlm
from naturalness.pipelines.scorer import load_model
from naturalness.text.parsing import parse
from naturalness.text.view import view

FILES = {"words": shipped.words, "pieces": shipped.pieces, "tags": lambda: shipped.tags(5)}
RUNS = 5


def best(run: Callable[[], Any]) -> float:
    """The least time of several runs, in seconds."""
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


def seconds(which: str, texts: list[str], with_kenlm: bool) -> float:
    """Time to score texts with a shipped model; run in a process of its own, since models are opened once."""
    if not with_kenlm:
        ngram.has_package = lambda module: False
    model = load_model(which)
    return best(lambda: model.score(texts))


def _apart(*arguments: Any) -> float:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(seconds, arguments)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-n", type=int, default=400)
    options = parser.parse_args()
    texts = read_sentences(options.corpus, options.n)
    views = [view(doc) for doc in parse(texts)]
    rows = []
    for name, open_model in FILES.items():
        reader = open_model()
        units = [unit for seen in views for stretch in reader.read(seen) for unit in (*stretch.units, "</s>")]
        ends = [i for i, unit in enumerate(units) if unit == "</s>"]
        lines, _, _ = reader._look_up(units, ends)
        path = locate(name) / "order-5.binary"
        theirs, ours = open_kenlm(path, trusted=True), ngram._without_kenlm(path)
        same = all(
            np.array_equal(a, b) for a, b in zip(full_scores(theirs, lines), full_scores(ours, lines), strict=True)
        )
        paces = [len(units) / best(partial(full_scores, model, lines)) for model in (theirs, ours)]
        rows.append([name, *map(round, paces), paces[1] / paces[0], "yes" if same else "no"])
    body = markdown_table(["model", "units/s, KenLM", "units/s, our reader", "share", "same digits"], rows)
    times = {}
    for which in installed():
        times[which] = [_apart(which, texts, with_kenlm) for with_kenlm in (True, False)]
    body += f"\nSeconds to score {len(texts):,} texts:\n\n"
    body += markdown_table(
        ["model", "with KenLM", "without", "times as long"],
        [[which, *pair, pair[1] / pair[0]] for which, pair in times.items()],
    )
    about = context(command="python -m benchmarks.ngram_reader CORPUS", corpus=options.corpus.name, n=len(texts))
    write("ngram_reader", "N-gram models without KenLM", body, {"context": about, "models": rows, "seconds": times})


if __name__ == "__main__":
    main()

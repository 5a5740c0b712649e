"""Language models: units per second on one core, and how long they take to open.

`python -m benchmarks.language_speed CORPUS.txt[.xz] [--models words pieces tags FOLDER ...]`: the
first sentences of 15 to 25 words of a text file. "Views" starts from the views of Docs that are
there already, "Docs" from parsed Docs, so with their views. "Open" is the first opening in a fresh
process whose modules are imported, checksums included. Times are those of the processor, for the
machine may have other work. A shipped model that is not there is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from benchmarks.speed import read_sentences
from naturalness.errors import NaturalnessError
from naturalness.models.language.mixture import Mixture
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import open_language_model
from naturalness.parsing import parse
from naturalness.view import view

OPEN = """
import sys, time, kenlm, sentencepiece
from naturalness.models.language.spec import open_language_model
started = time.process_time()
open_language_model(sys.argv[1])
print(time.process_time() - started)
"""


def seconds(action: Callable[[], object], repeats: int) -> float:
    """The fastest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        started = time.process_time()
        action()
        best = min(best, time.process_time() - started)
    return best


def opening(spec: str, repeats: int) -> float:
    """Milliseconds; the fastest of several processes."""
    runs = [
        subprocess.run(
            [sys.executable, "-c", OPEN, spec], capture_output=True, text=True, check=True
        )
        for _ in range(repeats)
    ]
    return 1000 * min(float(done.stdout) for done in runs)


def rates(model: NgramModel | Mixture, texts: list[str], repeats: int) -> tuple[int, float, float]:
    """Units with ends of sentences, and how many per second: from views, from Docs."""
    docs = parse(texts)
    views = [view(doc) for doc in docs]
    units = sum(len(model.score(seen).units) for seen in views)

    def from_views() -> None:
        for seen in views:
            model.score(seen)

    def from_docs() -> None:
        for doc in docs:
            doc.user_data.clear()
        model.token_logprobs(docs)

    return units, units / seconds(from_views, repeats), units / seconds(from_docs, repeats)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--models", nargs="+", default=["words", "pieces", "tags"])
    parser.add_argument("-n", type=int, default=1000, help="sentences (1000)")
    parser.add_argument("--repeats", type=int, default=40)
    given = parser.parse_args()
    texts = read_sentences(given.corpus, given.n)
    rows: list[list[object]] = []
    for spec in given.models:
        try:
            model = open_language_model(spec)
        except NaturalnessError as error:
            print(f"left out: {error}")
            continue
        units, from_views, from_docs = rates(model, texts, given.repeats)
        rows.append([spec, model.order, units, from_views, from_docs, opening(spec, 9)])
    header = ["model", "order", "units", "views, units/s", "Docs, units/s", "open, ms"]
    command = f"python -m benchmarks.language_speed {given.corpus.name} -n {given.n}"
    made = context(command=command, sentences=len(texts))
    figures = {str(row[0]): dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    title = "Speed of the language models, one core"
    table = markdown_table(header, rows)
    write("language_speed", title, table, {"context": made, "figures": figures})


if __name__ == "__main__":
    main()

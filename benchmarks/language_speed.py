"""Language models: units per second on one core, and how long they take to open.

`python -m benchmarks.language_speed CORPUS.txt[.xz] [--models words pieces tags FOLDER ...]`: the
first sentences of 15 to 25 words of a text file, given to `token_logprobs` together. "Views" starts
from Docs whose views are there already, "Docs" from parsed Docs without. These are times of the
processor, for the machine may have other work. "Open" is the first opening in a fresh process whose
modules are imported, checksums included: by the clock, because a second thread compares them, and
in times of the processor, of both threads together. A shipped model that is not there is left out.
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
from naturalness.text.parsing import parse
from naturalness.text.view import VIEW, view

OPEN = """
import sys, time, kenlm, sentencepiece
from naturalness.models.language.spec import open_language_model
clock, processor = time.perf_counter(), time.process_time()
open_language_model(sys.argv[1])
print(time.perf_counter() - clock, time.process_time() - processor)
"""


def seconds(action: Callable[[], object], before: Callable[[], object], repeats: int) -> float:
    """The fastest of several runs; what comes before each is not counted."""
    best = float("inf")
    for _ in range(repeats):
        before()
        started = time.process_time()
        action()
        best = min(best, time.process_time() - started)
    return best


def opening(spec: str, repeats: int) -> tuple[float, float]:
    """Milliseconds by the clock and of the processor; the least of several processes."""
    runs = [
        subprocess.run([sys.executable, "-c", OPEN, spec], capture_output=True, text=True, check=True)
        for _ in range(repeats)
    ]
    clock, processor = zip(*(map(float, done.stdout.split()) for done in runs), strict=True)
    return 1000 * min(clock), 1000 * min(processor)


def rates(model: NgramModel | Mixture, texts: list[str], repeats: int) -> tuple[int, float, float]:
    """Units with ends of sentences, and how many per second: from views, from Docs."""
    docs = parse(texts)
    units = sum(len(scores.units) for scores in model.token_logprobs(docs))

    def keep_views() -> None:
        for doc in docs:
            seen = view(doc)
            doc.user_data.clear()
            doc.user_data[VIEW] = seen

    def keep_nothing() -> None:
        for doc in docs:
            doc.user_data.clear()

    def score() -> None:
        model.token_logprobs(docs)

    from_views, from_docs = (units / seconds(score, before, repeats) for before in (keep_views, keep_nothing))
    return units, from_views, from_docs


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--models", nargs="+", default=["words", "pieces", "tags"])
    parser.add_argument("-n", type=int, default=1000, help="sentences (1000)")
    parser.add_argument("--repeats", type=int, default=40)
    options = parser.parse_args()
    texts = read_sentences(options.corpus, options.n)
    rows: list[list[object]] = []
    for spec in options.models:
        try:
            model = open_language_model(spec)
        except NaturalnessError as error:
            print(f"left out: {error}")
            continue
        units, from_views, from_docs = rates(model, texts, options.repeats)
        rows.append([spec, model.order, units, from_views, from_docs, *opening(spec, 9)])
    speeds = ["views, units/s", "Docs, units/s", "open, ms", "processor, ms"]
    header = ["model", "order", "units", *speeds]
    command = f"python -m benchmarks.language_speed {options.corpus.name} -n {options.n}"
    about = context(command=command, sentences=len(texts))
    figures = {str(row[0]): dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    title = "Speed of the language models, one core"
    table = markdown_table(header, rows)
    write("language_speed", title, table, {"context": about, "figures": figures})


if __name__ == "__main__":
    main()

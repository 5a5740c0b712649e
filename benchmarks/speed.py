"""Sentences per second of each feature group beside the bare parse, on one core.

`python -m benchmarks.speed CORPUS.txt[.xz]`: the first sentences of 15 to 25 words of a text file.
"Bare parse" is spaCy alone on normalised text; the groups' times include their shared view of the
tokens, which is charged to the group that is measured.
"""

from __future__ import annotations

import argparse
import lzma
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from naturalness.features import GROUPS, extract
from naturalness.normalisation import normalise
from naturalness.parsing import SOURCE, load_pipeline, parse


def read_sentences(path: Path, n: int) -> list[str]:
    """The first sentences of ordinary length."""
    opener = lzma.open if path.suffix == ".xz" else open
    found: list[str] = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            if 15 <= len(line.split()) <= 25:
                found.append(line.strip())
            if len(found) == n:
                break
    return found


def seconds(action: Callable[[], object], repeats: int) -> float:
    """The fastest of several runs: other work on the machine only ever adds time."""
    best = float("inf")
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - started)
    return best


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-n", type=int, default=1000, help="sentences (1000)")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    texts = read_sentences(given.corpus, given.n)
    nlp = load_pipeline()
    clean = [normalise(text).text for text in texts]
    bare = seconds(lambda: list(nlp.pipe(clean, batch_size=64)), given.repeats)
    full = seconds(lambda: parse(texts), given.repeats)
    docs = parse(texts)
    rows: list[list[object]] = [
        ["bare parse", len(texts) / bare, 100.0], ["parse", len(texts) / full, 100 * full / bare],
    ]  # fmt: skip

    def measure(names: list[str]) -> float:
        def run() -> None:
            for doc in docs:
                for key in [key for key in doc.user_data if key != SOURCE]:
                    del doc.user_data[key]  # what groups remember beside a Doc
            extract(docs, [GROUPS[name] for name in names])

        return seconds(run, given.repeats)

    for name in GROUPS:
        took = measure([name])
        rows.append([name, len(texts) / took, 100 * took / bare])
    together = measure(list(GROUPS))
    rows.append(["all groups together", len(texts) / together, 100 * together / bare])
    table = markdown_table(["what", "sentences/s", "time, % of the bare parse"], rows)
    command = f"python -m benchmarks.speed {given.corpus.name} -n {given.n}"
    made = context(command=command, sentences=len(texts), words=sum(len(t.split()) for t in texts))
    figures = {str(row[0]): {"per_second": row[1], "percent": row[2]} for row in rows}
    title = "Speed of the feature groups, one core"
    write("speed", title, table, {"context": made, "figures": figures})


if __name__ == "__main__":
    main()

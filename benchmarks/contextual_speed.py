"""The two networks: sentences of 20 words a second, and how long they take to open.

`python -m benchmarks.contextual_speed CORPORA`: times of the processor, on one core, from words
that are cut already, the best of three rounds; "open" is the first opening in a fresh process that
has onnxruntime imported, checksums included, by the clock.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from benchmarks.untrained import per_second, twenty_words
from naturalness.models.detector import detector
from naturalness.models.language.shipped import neural

OPEN = """
import time
from naturalness.models.networks import load_onnxruntime
from naturalness.models.detector import detector
from naturalness.models.language.shipped import neural, pieces
load_onnxruntime(), pieces()
started = time.perf_counter()
{}()
print(time.perf_counter() - started)
"""
SLOW = 30
"""Sentences whose pieces are hidden one by one."""


def opening(name: str, runs: int = 5) -> float:
    """Seconds; the least of several processes."""
    command = [sys.executable, "-c", OPEN.format(name)]
    done = [subprocess.run(command, capture_output=True, check=True) for _ in range(runs)]
    return min(float(run.stdout) for run in done)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    options = parser.parse_args()
    texts = twenty_words(options.corpora)
    damage, model = detector().network, neural()
    cut = model.read.cut or (lambda word: [word])
    words = [[damage.cut(word.lower()) for word in words] for words in texts]
    rows = [[[model.network.row(u) for u in cut(word)] for word in words] for words in texts]
    flat = [[row for word in words for row in word] for words in rows]
    speeds = {
        "detector": per_second(words, lambda words: damage.read([words])),
        "language model, from the left": per_second(flat, model.network.foretell),
        "language model, each piece hidden in turn": per_second(rows[:SLOW], model.network.pseudo),
    }
    opened = {"detector": opening("detector"), "language model": opening("neural")}
    table = markdown_table(["network", "sentences/s"], [[name, speed] for name, speed in speeds.items()])
    table += "\n" + markdown_table(["network", "open, s"], [[name, f"{took:.2f}"] for name, took in opened.items()])
    about = context(command="python -m benchmarks.contextual_speed CORPORA", sentences=len(texts))
    write(
        "contextual_speed",
        "Speed of the two networks, one core",
        table,
        {"context": about, "per_second": speeds, "open": opened},
    )


if __name__ == "__main__":
    main()

"""Seconds that `naturalness generate` takes for 1,000 texts of 24 words, by method.

`python -m benchmarks.generation CORPUS.txt[.xz]`: from the command line, start-up, reading, tagging
and parsing of the corpus included; wall time and processor time (of the machine's load only the
first depends). Then what the texts are: how many differ, how many are read as 24 tokens, and how
many would be if none were drawn again. Set OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from benchmarks.times import command
from naturalness.cli import build_parser
from naturalness.cli.generate import recipe_of
from naturalness.data.formats import location
from naturalness.generating import corpus as generating

TEXTS = 1000
LENGTH = 24
SIZES = (1, 2, 3, 4, 6, 8, 12, 24)
METHODS = {
    **{f"sequence, size {size}": ("sequence", "--sizes", str(size)) for size in SIZES},
    **{method: (method,) for method in ("pos", "supertag", "cfg")},
}


def measured(corpus: Path, options: tuple[str, ...]) -> tuple[float, float, list[str]]:
    """Wall seconds, processor seconds, and the texts of a command."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "texts.jsonl"
        before, started = _processor(), time.perf_counter()
        subprocess.run(
            command("generate", options[0], str(corpus), *options[1:], "-n", str(TEXTS), "-o", str(out), "--quiet"),
            check=True,
        )
        took, used = time.perf_counter() - started, _processor() - before
        lines = out.read_text(encoding="utf-8").splitlines()
    return took, used, [json.loads(line)["text"] for line in lines]


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_tries(corpus: Path, options: tuple[str, ...]) -> float:
    """Share of the texts as drawn that are read as so many tokens."""
    args = build_parser().parse_args(["generate", options[0], str(corpus), *options[1:], "-n", str(TEXTS), "--quiet"])
    read: list[bool] = []

    def watched(nlp: str = "en") -> Callable[[str], int]:
        count = unwatched(nlp)

        def counted(text: str) -> int:
            n = count(text)
            read.append(n == LENGTH)
            return n

        return counted

    unwatched, generating.token_count = generating.token_count, watched
    try:
        for _ in generating.generate(location(str(corpus)), recipe_of(args)):
            pass
    finally:
        generating.token_count = unwatched
    return sum(read) / len(read) if read else 1.0


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    arguments = parser.parse_args()
    count = generating.token_count()
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        corpus = arguments.corpus
        if corpus.suffix == ".xz":
            corpus = Path(folder) / corpus.stem
            with lzma.open(arguments.corpus) as packed, corpus.open("wb") as plain:
                shutil.copyfileobj(packed, plain)
        with corpus.open("rb") as lines:
            sentences = sum(bool(line.strip()) for line in lines)
        for name, options in METHODS.items():
            took, used, texts = measured(corpus, options)
            again = sum(count(text) == LENGTH for text in texts) / len(texts)
            first = first_tries(corpus, options)
            rows.append([name, took, used, len(set(texts)), again, first])
    about = context(
        command=f"python -m benchmarks.generation {arguments.corpus.name}",
        texts=TEXTS,
        length=LENGTH,
        sentences=sentences,
        pools=generating.POOLS,
        cores=len(os.sched_getaffinity(0)),
        load=round(os.getloadavg()[1], 1),
    )
    header = ["method", "seconds", "of the processor", "different texts", "read as 24 tokens", "at the first try"]
    note = (
        f"\n{TEXTS:,} texts of {LENGTH} tokens from {sentences:,} sentences; mean load of the "
        f"machine's {about['cores']} cores {about['load']}. Bar: 20 seconds.\n"
    )
    data = {"context": about, "methods": [dict(zip(header, row, strict=True)) for row in rows]}
    write("generation", "Speed of generation", markdown_table(header, rows) + note, data)


if __name__ == "__main__":
    main()

"""How long `score`, `train` and `train --thorough` take, from the command line.

`python -m benchmarks.times RATINGS`: `score` of one sentence beside a Python process
that imports spaCy, loads the shipped pipeline and runs it; both training runs on 1,500 rated rows
(GUG's train part) from raw text, with as many processes as there are cores.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.report import context, markdown_table, write
from naturalness.files.resources import locate
from training.arguments import command_parser
from training.english.package import recast

SENTENCE = "The tall woman who lives next door quickly gave the old book to her younger brother."
ROWS = 1500
RUNS = 9


def command(*arguments: str) -> list[str]:
    """Return the command line of this installation."""
    return [sys.executable, "-c", "from naturalness.cli import main; main()", *arguments]


def seconds(arguments: list[str]) -> float:
    """Return the wall time of a process, which must succeed."""
    # What pip installs is compiled; so is a checkout, once it has run, unless this forbids it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run(arguments, check=True, capture_output=True, env=environment)
    return time.perf_counter() - started


def start_up() -> tuple[float, float]:
    """Return the median times of `score` and of bare spaCy, run alternately."""
    with tempfile.TemporaryDirectory() as folder:
        pipeline = Path(shutil.copytree(locate("pipeline"), Path(folder) / "pipeline"))
        recast(pipeline, np.float32)  # which spaCy alone can run
        code = f"import spacy; spacy.load({str(pipeline)!r})({SENTENCE!r})"
        pairs = [(seconds(command("score", SENTENCE)), seconds([sys.executable, "-c", code])) for _ in range(RUNS + 1)]
    ours, bare = zip(*pairs[1:], strict=True)  # the first run writes compiled modules
    return statistics.median(ours), statistics.median(bare)


def main() -> None:
    """Command line."""
    options = command_parser(__doc__, "ratings").parse_args()
    ours, bare = start_up()
    rows: list[list[object]] = [
        ["import spaCy, load the pipeline, one sentence", bare],
        ["`naturalness score`, one sentence", ours],
        ["ratio (bar: 1.5)", ours / bare],
    ]
    lines = (options.ratings / "gug.grammaticality.tsv").read_text(encoding="utf-8").split("\n")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rated.tsv"
        table.write_text("\n".join(lines[: ROWS + 1]) + "\n", encoding="utf-8")
        for name, extra in (("default", ()), ("--thorough", ("--thorough",))):
            output = str(Path(folder) / f"model{name}")
            arguments = ("train", str(table), "-o", output, "--store", "none", *extra)
            took = seconds(command(*arguments))
            rows.append([f"`naturalness train`, {name}, {ROWS:,} rows", took])
    about = context(
        command="python -m benchmarks.times RATINGS",
        cores=len(os.sched_getaffinity(0)),
        runs=RUNS,
        data="gug.grammaticality.tsv",
        seed=0,
    )
    write(
        "times",
        "Seconds from the command line",
        markdown_table(["what", "seconds"], rows),
        {"context": about, "seconds": {str(name): value for name, value in rows}},
    )


if __name__ == "__main__":
    main()

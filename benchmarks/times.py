"""Time of `score` for one sentence, compared with a Python process that loads and runs the shipped pipeline."""

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

from naturalness.files.resources import locate
from training.english.package import recast

SENTENCE = "The tall woman who lives next door quickly gave the old book to her younger brother."
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

"""A small model, tables and processes for tests of labelling."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from naturalness import NaturalnessClassifier
from naturalness.pipelines.saving import save_estimator
from tests.support.rated import sentences

COMMAND = [sys.executable, "-c", "from naturalness.cli import main; main()", "label"]
DEADLY = "xyzzydeadly"
"""A word over which a worker process dies, under `deadly_environment`."""
SITE = f"""
import os, signal, sys
if sys.argv[0] == "-m":  # a worker, not the command
    import naturalness.text.parsing as parsing
    plain = parsing.normalise
    def normalise(text):
        if "{DEADLY}" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(text)
    parsing.normalise = normalise
"""


class LocalWorker:
    """A worker without a process of its own, for tests of anything but workers."""

    def __init__(self, job: Any) -> None:
        self._opened = job.open()

    def work(self, items: Sequence[Any]) -> Any:
        """Return the results for items."""
        return self._opened(list(items))

    def close(self) -> None:
        """Do nothing: there is no process to stop."""


def small_model(folder: Path, features: Sequence[str] = ("surface", "lexical", "repetition")) -> Path:
    """Train a model with quick groups."""
    rows = sentences(60)
    classifier = NaturalnessClassifier(features=list(features), learner="logistic-l2", folds=3)
    save_estimator(classifier.fit([text for text, _, _ in rows], [r >= 4 for _, r, _ in rows]), folder)
    return folder


def texts(n: int) -> list[str]:
    """Return distinct sentences of our own."""
    return [f"{text[:-1]} {number}." for number, (text, _, _) in enumerate(sentences(n))]


def short_texts(n: int) -> list[str]:
    """Return distinct short sentences."""
    return [f"Old boats float {number}." for number in range(n)]


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Write rows as JSON lines, with the byte that \\udce9 represents rather than this escape."""
    path.write_bytes("".join(json.dumps(row) + "\n" for row in rows).encode().replace(rb"\udce9", b"\xe9"))
    return path


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read rows from JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def deadly_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which workers die over texts that contain `DEADLY`."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SITE)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(Path.cwd())])}


def start(arguments: Sequence[str | Path], *, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Start the command in a process group of its own, with the default handling of SIGINT."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        env=environment,
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 90) -> None:
    """Wait until a condition holds while the command runs."""
    last = time.monotonic() + seconds
    while not ready():
        assert process.poll() is None, f"ended too early: {process.communicate()}"
        assert time.monotonic() < last, "nothing happened"
        time.sleep(0.02)


def shards_of(output: Path) -> list[Path]:
    """Return the finished shards of a job."""
    return sorted(output.with_name(output.name + ".parts").glob("shards/[0-9]*"))


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """Return the process ids of the command's workers."""
    listing = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
    )
    return [int(line) for line in listing.stdout.split()]

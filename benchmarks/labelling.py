"""Run the command `label` in a process, and time, monitor or kill it."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.times import command

PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Watched:
    """Observations of a process and its workers."""

    seconds: float = 0.0
    code: int | None = None
    samples: list[tuple[int, int]] = field(default_factory=list)
    """Rows finished, and resident bytes of all processes at that moment."""

    def memory_at(self, rows: int) -> int:
        """Return the median of bytes near a number of rows, a tenth more or fewer.

        The memory of a process varies with the length of the texts that it reads.
        """
        near = [held for done, held in self.samples if 0.9 * rows <= done <= 1.1 * rows]
        return int(statistics.median(near or [held for _, held in self.samples[-1:]]))

    @property
    def memory_at_the_end(self) -> int:
        """Return the median of resident bytes over the last tenth of the rows, before workers exit."""
        done = max(rows for rows, _ in self.samples)
        return int(statistics.median(held for n, held in self.samples if 0.9 * done <= n < done))

    @property
    def most(self) -> int:
        """Return the peak of resident bytes."""
        return max(held for _, held in self.samples)


def labelling(source: Path, target: Path, options: Sequence[str]) -> list[str]:
    """Return the command line that labels a table."""
    return command("label", str(source), "-o", str(target), *options)


def write_table(path: Path, texts: Sequence[str]) -> Path:
    """Write JSON lines with a number and a text."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": number, "text": text}, ensure_ascii=False) + "\n")
    return path


def seconds_of(source: Path, target: Path, options: Sequence[str]) -> float:
    """Return the wall time of a run, which must succeed."""
    target.unlink(missing_ok=True)
    started = time.perf_counter()
    subprocess.run(labelling(source, target, [*options]), check=True, capture_output=True)
    return time.perf_counter() - started


def watch(source: Path, target: Path, options: Sequence[str], *, rows_of_shard: int, kill_at: int = 0) -> Watched:
    """Run the command and sample it every second; kill all its processes after ``kill_at`` rows."""
    shards = target.with_name(target.name + ".parts") / "shards"
    before = len(list(shards.glob("[0-9]*"))) if shards.exists() else 0
    seen = Watched()
    started = time.perf_counter()
    with subprocess.Popen(labelling(source, target, [*options]), start_new_session=True) as process:
        while process.poll() is None:
            time.sleep(1)
            done = len(os.listdir(shards)) - before if shards.exists() else 0  # noqa: PTH208
            held = sum(map(resident, [process.pid, *children(process.pid)]))
            seen.samples.append((done * rows_of_shard, held))
            if kill_at and done * rows_of_shard >= kill_at:
                os.killpg(process.pid, signal.SIGKILL)
        seen.code = process.wait()
    seen.seconds = time.perf_counter() - started
    return seen


def children(number: int) -> list[int]:
    """Return the child processes of a process."""
    try:
        listed = Path(f"/proc/{number}/task/{number}/children").read_text()
    except OSError:
        return []
    # Workers are started by threads, which each have a list of their own.
    pids = {int(child) for child in listed.split()}
    for task in Path(f"/proc/{number}/task").glob("*/children"):
        try:
            pids |= {int(child) for child in task.read_text().split()}
        except OSError:
            continue
    return sorted(pids)


def resident(number: int) -> int:
    """Return the resident bytes of a process; shared pages count for each process."""
    try:
        return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0

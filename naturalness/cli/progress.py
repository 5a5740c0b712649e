"""Progress on standard error: a bar with rate, time and failures on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import Protocol


class Advance(Protocol):
    """Callback that takes the number of newly finished rows and the number of failed rows among them."""

    def __call__(self, rows: int, failed: int = 0) -> None: ...


PAUSE = 10.0
"""The minimum number of seconds between two lines of progress."""


class Lines:
    """Progress as lines, for logs: one after ten seconds or a tenth of the work, whichever is later."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.started = self.last = monotonic()
        self.told = self.done = self.failed = 0
        self.lock = Lock()  # called from several threads

    def add(self, rows: int, failed: int, total: int | None) -> None:
        """Count newly finished rows, and the failed ones among them."""
        with self.lock:
            self.failed += failed
            self.reach(self.done + rows, total)

    def reach(self, done: int, total: int | None) -> None:
        """Tell that so much is done, if it is time for a line."""
        self.done, now = done, monotonic()
        if now - self.last < PAUSE or done == self.told or 10 * (done - self.told) < (total or 0):
            return
        rate = done / (now - self.started)
        parts = [f"{self.label}: {done:,}" + (f" of {total:,}" if total else ""), f"{rate:.3g}/s"]
        if self.failed:
            parts.append(f"{self.failed:,} without values")
        if total and total > done:
            parts.append(f"{timedelta(seconds=round((total - done) / rate))} left")
        sys.stderr.write(", ".join(parts) + "\n")
        sys.stderr.flush()
        self.told, self.last = done, now


@contextmanager
def progress(label: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Advance]:
    """Yield a callback that shows progress over rows: as a bar on a terminal, elsewhere as lines."""
    if quiet:
        yield lambda rows, failed=0: None
        return
    if not sys.stderr.isatty():
        lines = Lines(label)
        yield lambda rows, failed=0: lines.add(rows, failed, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} rows"),
        TextColumn("{task.fields[rate]:.0f}/s"),
        TextColumn("{task.fields[failed]} without values"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
        task = bar.add_task(label, total=total, rate=0.0, failed=0)
        failures = 0
        lock = Lock()  # called from several threads

        def advance(rows: int, failed: int = 0) -> None:
            nonlocal failures
            with lock:
                failures += failed
            bar.update(task, advance=rows, rate=bar.tasks[task].speed or 0.0, failed=failures)

        yield advance


Report = Callable[[str, int, int], None]
"""Callback that takes the name of a stage, the amount done, and the total."""


@contextmanager
def stages(*, quiet: bool = False, announced: bool = True) -> Iterator[Report]:
    """Yield a callback that shows each stage of long work: as a progress bar on a terminal, elsewhere as lines, the
    first when the stage starts if ``announced``."""
    if quiet:
        yield lambda stage, done, total: None
        return
    if not sys.stderr.isatty():
        seen: dict[str, Lines] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in seen:
                seen[stage] = Lines(stage)
                if announced:
                    sys.stderr.write(f"{stage} ({total})\n" if total > 1 else f"{stage}\n")
                    sys.stderr.flush()
            seen[stage].reach(done, total)

        yield tell
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:24}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show

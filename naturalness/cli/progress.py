"""Progress on standard error: rate, time, failures; silent if standard error is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Protocol


def _console() -> Any:
    """Return a console on standard error without its guard, because a progress bar moves the cursor."""
    from rich.console import Console

    return Console(file=getattr(sys.stderr, "stream", None), stderr=True)


class Advance(Protocol):
    """Callback that takes the number of newly finished rows and the number of failed rows among them."""

    def __call__(self, rows: int, failed: int = 0) -> None: ...


@contextmanager
def progress(label: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Advance]:
    """Yield a callback that shows progress over rows; show nothing if ``quiet`` or if there is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda rows, failed=0: None
        return
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
    with Progress(*columns, console=_console(), transient=False) as bar:
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
def stages(*, quiet: bool = False) -> Iterator[Report]:
    """Yield a callback that shows each stage of long work: as a progress bar on a terminal, elsewhere as a line when
    the stage starts."""
    if quiet:
        yield lambda stage, done, total: None
        return
    if not sys.stderr.isatty():
        seen: set[str] = set()

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in seen:
                seen.add(stage)
                sys.stderr.write(f"{stage} ({total})\n" if total > 1 else f"{stage}\n")
                sys.stderr.flush()

        yield tell
        return
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
    with Progress(*columns, console=_console()) as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show

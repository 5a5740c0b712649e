"""A progress bar on standard error: rate, time, failures; silent where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    """Told how many more rows are done and how many of them failed."""

    def __call__(self, rows: int, failed: int = 0) -> None: ...


@contextmanager
def progress(label: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Advance]:
    """Show progress while rows are worked on; off with ``quiet`` or without a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda rows, failed=0: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

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

        def advance(rows: int, failed: int = 0) -> None:
            nonlocal failures
            failures += failed
            bar.update(task, advance=rows, rate=bar.tasks[task].speed or 0.0, failed=failures)

        yield advance

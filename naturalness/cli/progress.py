"""Progress on standard error: a bar with rate, time and failures on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from naturalness.labelling.tables import Advance


def _console() -> Any:
    """Return a console on standard error without its guard, because a progress bar moves the cursor."""
    from rich.console import Console

    return Console(file=getattr(sys.stderr, "stream", None), stderr=True)


PAUSE = 10.0
"""The minimum number of seconds between two lines of progress."""


def lines(label: str) -> Callable[..., None]:
    """Return a function that logs the amount done, the total and the number of failures in a line.

    It logs at most once in `PAUSE` seconds, and at most once per tenth of the work.
    """
    started = last = monotonic()
    reported = 0

    def log(done: int, total: int | None, failed: int = 0) -> None:
        nonlocal last, reported
        now = monotonic()
        if now - last < PAUSE or 10 * (done - reported) < (total or 1):
            return
        rate = done / (now - started)
        of = f" of {total:,}" if total else ""
        without = f", {failed:,} without values" if failed else ""
        left = f", {timedelta(seconds=round((total - done) / rate))} left" if total and total > done else ""
        sys.stderr.write(f"{label}: {done:,}{of}, {rate:.3g}/s{without}{left}\n")
        last, reported = now, done

    return log


@contextmanager
def progress(label: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Advance]:
    """Yield a callback that shows progress over rows: as a bar on a terminal, elsewhere as lines. Rows that an earlier
    run has finished are not counted.
    """
    if quiet:
        yield lambda rows, failed=0, stored=False: None
        return
    done = failures = 0
    lock = Lock()  # called from several threads
    with _bar(label, total) if sys.stderr.isatty() else nullcontext(lines(label)) as show:

        def advance(rows: int, failed: int = 0, stored: bool = False) -> None:
            nonlocal done, failures, total
            with lock:
                if stored:
                    total = total and total - rows
                    return
                done += rows
                failures += failed
                show(done, total, failures)

        yield advance


@contextmanager
def _bar(label: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Yield a function that moves a progress bar."""
    fields = "{task.completed}", "{task.fields[rate]:.0f}/s", "{task.fields[failed]} without values"
    with _bars(*fields) as bar:
        task = bar.add_task(label, total=total, rate=0.0, failed=0)
        yield lambda done, total, failed: bar.update(
            task, completed=done, total=total, rate=bar.tasks[task].speed or 0.0, failed=failed
        )


def _bars(*fields: str) -> Progress:
    """Return progress bars with a description, fields and times."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # On a narrow terminal, rich shortens the columns that may wrap: only the bar.
    whole = Column(no_wrap=True)
    columns = TextColumn("{task.description}"), BarColumn(), *map(TextColumn, fields)
    return Progress(*columns, TimeElapsedColumn(whole), TimeRemainingColumn(table_column=whole), console=_console())


Report = Callable[[str, int, int], None]
"""Callback that takes the name of a stage, the amount done, and the total."""


@contextmanager
def stages(*, announced: bool = True) -> Iterator[Report]:
    """Yield a callback that shows each stage of long work: as a progress bar on a terminal, elsewhere as lines, the
    first when the stage starts if ``announced``."""
    if not sys.stderr.isatty():
        seen: dict[str, Callable[..., None]] = {}

        def log(stage: str, done: int, total: int) -> None:
            if stage not in seen:
                seen[stage] = lines(stage)
                if announced:
                    sys.stderr.write(f"{stage} ({total})\n" if total > 1 else f"{stage}\n")
            seen[stage](done, total)

        yield log
        return
    with _bars("{task.completed}/{task.total}") as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show

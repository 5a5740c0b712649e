"""Progress on standard error: a bar with rate, time and failures on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Advance(Protocol):
    """Callback that takes the number of newly finished rows and the number of failed rows among them."""

    def __call__(self, rows: int, failed: int = 0) -> None: ...


PAUSE = 10.0
"""The minimum number of seconds between two lines of progress."""


def lines(label: str) -> Callable[..., None]:
    """Return a function that takes the amount done, the total and the number of failures, and tells them in a line for
    logs: one after ten seconds or a tenth of the work, whichever is later."""
    started = last = monotonic()
    before = 0

    def tell(done: int, total: int | None, failed: int = 0) -> None:
        nonlocal last, before
        now = monotonic()
        if now - last < PAUSE or 10 * (done - before) < (total or 1):
            return
        rate = done / (now - started)
        of = f" of {total:,}" if total else ""
        without = f", {failed:,} without values" if failed else ""
        left = f", {timedelta(seconds=round((total - done) / rate))} left" if total and total > done else ""
        sys.stderr.write(f"{label}: {done:,}{of}, {rate:.3g}/s{without}{left}\n")
        last, before = now, done

    return tell


@contextmanager
def progress(label: str, *, total: int | None = None, quiet: bool = False) -> Iterator[Advance]:
    """Yield a callback that shows progress over rows: as a bar on a terminal, elsewhere as lines."""
    if quiet:
        yield lambda rows, failed=0: None
        return
    done = failures = 0
    lock = Lock()  # called from several threads
    with _bar(label, total) if sys.stderr.isatty() else nullcontext(lines(label)) as show:

        def advance(rows: int, failed: int = 0) -> None:
            nonlocal done, failures
            with lock:
                done += rows
                failures += failed
                show(done, total, failures)

        yield advance


@contextmanager
def _bar(label: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Yield a function that moves a progress bar."""
    fields = "{task.completed} rows", "{task.fields[rate]:.0f}/s", "{task.fields[failed]} without values"
    with _bars(*fields) as bar:
        task = bar.add_task(label, total=total, rate=0.0, failed=0)
        yield lambda done, total, failed: bar.update(
            task, completed=done, rate=bar.tasks[task].speed or 0.0, failed=failed
        )


def _bars(*fields: str) -> Progress:
    """Return progress bars with a description, fields and times."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:24}"), BarColumn(), *map(TextColumn, fields))
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))


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
        seen: dict[str, Callable[..., None]] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in seen:
                seen[stage] = lines(stage)
                if announced:
                    sys.stderr.write(f"{stage} ({total})\n" if total > 1 else f"{stage}\n")
            seen[stage](done, total)

        yield tell
        return
    with _bars("{task.completed}/{task.total}") as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show

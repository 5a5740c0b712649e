"""Progress on standard error: bars on a terminal, lines elsewhere, with rate, failures and time left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from naturalness.labelling.tables import Advance


def _console() -> Any:
    """Return a console on standard error without its guard, because a progress bar moves the cursor."""
    from rich.console import Console

    return Console(file=getattr(sys.stderr, "stream", None), stderr=True)


PAUSE = 10.0
"""The minimum number of seconds between two lines of progress."""


@contextmanager
def progress(label: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Advance]:
    """Yield a callback that shows progress over rows. Rows that an earlier run has finished are not counted."""
    if quiet:
        yield lambda rows, failed=0, stored=False: None
        return
    done = failures = 0
    lock = Lock()  # called from several threads
    with stages(announced=False) as report:
        report(label, 0, total)

        def advance(rows: int, failed: int = 0, stored: bool = False) -> None:
            nonlocal done, failures, total
            with lock:
                if stored:
                    total = total and total - rows
                    return
                done += rows
                failures += failed
                report(label, done, total, failures)

        yield advance


class Report(Protocol):
    """A callback that takes the name of a stage, the amount done, the total, and the number of failures."""

    def __call__(self, stage: str, done: int, total: int | None, failed: int = 0) -> None: ...


@contextmanager
def stages(*, announced: bool = True) -> Iterator[Report]:
    """Yield a callback that shows each stage of long work: as a progress bar on a terminal, elsewhere as lines, the
    first when the stage starts if ``announced``, then at most one in `PAUSE` seconds and per tenth of the work.
    """
    tasks: dict[str, TaskID] = {}
    started: dict[str, float] = {}
    shown: dict[str, tuple[float, int]] = {}
    with _bars() if sys.stderr.isatty() else nullcontext() as bars:

        def report(stage: str, done: int, total: int | None, failed: int = 0) -> None:
            now = monotonic()
            if stage not in started:
                started[stage], shown[stage] = now, (now, 0)
                if bars:
                    tasks[stage] = bars.add_task(stage, total=total, figures="")
                elif announced:
                    sys.stderr.write(f"{stage} ({total})\n" if total and total > 1 else f"{stage}\n")
            rate = done / max(now - started[stage], 1e-9)
            figures = f"{rate:,.1f}/s" + (f", {failed:,} without values" if failed else "")
            if bars:
                bars.update(tasks[stage], completed=done, total=total, figures=f"{done:,}, {figures}" * (done > 0))
                return
            last, before = shown[stage]
            if now - last >= PAUSE and 10 * (done - before) >= (total or 1):
                of = f" of {total:,}" if total else ""
                left = f", {timedelta(seconds=round((total - done) / rate))} left" if total and total > done else ""
                sys.stderr.write(f"{stage}: {done:,}{of}, {figures}{left}\n")
                shown[stage] = now, done

        yield report


def _bars() -> Progress:
    """Return progress bars with a description, figures and times."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # On a narrow terminal, rich shortens the columns that may wrap: only the bar.
    whole = Column(no_wrap=True)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}")
    return Progress(*columns, TimeElapsedColumn(whole), TimeRemainingColumn(table_column=whole), console=_console())

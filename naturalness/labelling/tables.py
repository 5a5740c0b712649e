"""Label tables as streams of rows, adding columns. Unfinished work can be resumed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import STANDARD, Location, facts, location
from naturalness.data.reading import estimate_rows, read_batches
from naturalness.data.writing import check_writable, open_writer
from naturalness.errors import TableError, UnequalRows, counted
from naturalness.files.unfinished import lock_of, unlock
from naturalness.judging.fields import NATURALNESS, REASON, typed
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.labelling.parts import SHARD_ROWS, Parts
from naturalness.labelling.pool import label_shards
from naturalness.labelling.scorer import Columns, OpenedScorer, Scorer, with_problems
from naturalness.pipelines.planning import cores

PARTS_SUFFIX = ".parts"


class Advance(Protocol):
    """A callback that receives the number of rows finished since the last call, how many of them have no score, and
    whether an earlier run had finished them.
    """

    def __call__(self, rows: int, failed: int = 0, stored: bool = False) -> None: ...


Watch = Callable[[str, int | None], AbstractContextManager[Advance]]
"""A function that receives the name of a stage and its number of rows, if known. It returns a context manager that
yields an `Advance`.
"""


@dataclass(slots=True)
class Totals:
    """Numbers of rows written and of rows without a score."""

    target: Location
    reasons: str = ""
    """Name of the written column with the reasons; empty if there is none."""
    rows: int = 0
    failures: int = 0
    blank: int = 0
    """The number of rows without a text, which count among ``failures``, but have not failed."""

    @property
    def failed(self) -> bool:
        """Whether a row with a text has no score, or no row has a text."""
        return self.failures > self.blank or self.rows == self.blank

    def __str__(self) -> str:
        """Return a summary in one line."""
        target = self.target
        name = "standard output" if target.is_standard else repr(target.path)
        line = f"{counted(self.rows, 'row')} written to {name}"
        if self.failures:
            why = f": column {self.reasons!r} says why" if self.reasons else ""
            line += f"; {self.failures:,} of them without a score{why}"
        return line


def label(
    source: str | Path | Location,
    target: str | Path | Location,
    *,
    model: str | Path = DEFAULT_MODEL,
    fields: Sequence[str] | None = None,
    metrics: Sequence[str] = (),
    register: str | None = None,
    score_anyway: bool = False,
    changed_assets: bool = False,
    text_column: str | None = None,
    prefix: str = "",
    batch_size: int = 64,
    jobs: int | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Watch = lambda stage, total: nullcontext(lambda rows, failed=0, stored=False: None),
    note: Callable[[Iterable[str]], object] = lambda lines: None,
) -> Totals:
    """Score every row of a table and write a table with the new columns, as the command ``naturalness label`` does.

    ``source`` and ``target`` are names of tables (``-`` for standard input and output). The new columns are ``fields``
    (default: naturalness, voice, label and reason) and ``metrics``. The other arguments are the options of the command;
    ``jobs`` is the number of worker processes, each of which parses ``batch_size`` texts together. The output depends
    neither on these nor on whether unfinished work was resumed.

    ``watch`` shows progress, and ``note`` receives lines about resuming. The result is printed as a sentence.
    """
    source = source if isinstance(source, Location) else location(str(source))
    if not isinstance(target, Location):
        target = location(str(target), "jsonl" if str(target) == STANDARD else None, written=True)
    if isinstance(fields, str):
        raise TypeError(f"fields is {fields!r}; expected a list, such as [{fields!r}]")
    if jobs is not None and jobs < 1:
        raise TableError(f"found {jobs} jobs; expected 1 or more")
    # These columns are needed to count failures, even if they are not written.
    missing = [name for name in (NATURALNESS, REASON) if fields and name not in fields]
    scorer = Scorer(
        model,
        (*fields, *missing) if fields else (),
        register or None,
        metrics=metrics,
        score_anyway=score_anyway,
        changed_assets=changed_assets,
        batch_size=batch_size,
    )
    opened = OpenedScorer(scorer)
    columns = [name for name in opened.columns if name not in missing]
    totals = Totals(target, "" if REASON in missing else prefix + REASON)
    run = _Labelling(source, target, opened, columns, totals, watch, jobs or cores(), text_column, prefix, force)
    if not (source.is_stream or target.is_standard):
        run.label_file(note, resume=resume)
    elif resume:
        raise TableError("`resume` needs files: a stream cannot be read or written again")
    else:
        run.label()
    return totals


@dataclass(slots=True)
class _Labelling:
    """The labelling of the rows of a table."""

    source: Location
    target: Location
    opened: OpenedScorer
    columns: list[str]
    """Names of the new columns to write, without the prefix."""
    totals: Totals
    watch: Watch
    workers: int
    text_column: str | None
    prefix: str
    force: bool

    def label_file(self, note: Callable[[Iterable[str]], object], *, resume: bool) -> None:
        """Label a file and write a file, storing finished shards until all are done."""
        check_writable(Path(self.target.path), force=self.force)
        before = facts(self.source)
        plan = {  # everything that the output depends on
            "format_version": 2,
            "rows_of_a_shard": SHARD_ROWS,
            "input": {**before, "format": self.source.format, "text_column": self.text_column},
            "prefix": self.prefix,
            **self.opened.identity(),
        }
        with _locked(Path(self.target.path + PARTS_SUFFIX)) as folder:
            parts = Parts(folder, self.opened.columns)
            _begin(parts, plan, resume=resume, force=self.force)
            if len(parts):
                note([f"resuming: {len(parts):,} shards are done"])
            try:
                self.label(parts, before)
            except BaseException as error:
                if len(parts):
                    todo = "run again with `resume` to continue"
                    if isinstance(error, UnequalRows):  # the same output would fail again
                        table = f"{self.target.path}.jsonl"
                        todo = f"rename it to {table + PARTS_SUFFIX!r} and write {table!r} with `resume`"
                    note([f"finished work is stored in {str(folder)!r}; {todo}"])
                else:
                    parts.clear()
                raise
            parts.clear()

    def label(self, parts: Parts | None = None, before: object = None) -> None:
        """Label all rows and write them in order.

        Finished shards are stored in ``parts``. ``before`` are the `facts` of the input, to detect changes.
        """
        totals = self.totals

        # Progress counts finished shards, even while they wait for earlier shards to be written.
        def count(columns: Columns, stored: bool) -> None:
            values = columns[NATURALNESS]
            advance(len(values), sum(map(math.isnan, values)), stored)

        with (
            open_writer(self.target, force=self.force) as writer,
            self.watch("label", estimate_rows(self.source)) as advance,
        ):
            for batch, labelled in label_shards(self._batches(), self.opened, self.workers, parts, count):
                columns = with_problems(labelled, batch.problems)
                totals.failures += sum(map(math.isnan, columns[NATURALNESS]))
                totals.rows += len(batch.rows)
                totals.blank += batch.blank
                writer.write(batch, {self.prefix + name: typed(name, columns[name]) for name in self.columns})
            if before and facts(self.source) != before:
                raise TableError(
                    f"{self.source.path!r} changed while it was being read; nothing was written: start over with "
                    "`force`"
                )

    def _batches(self) -> Iterator[Batch]:
        for batch in read_batches(self.source, text_column=self.text_column, batch_size=SHARD_ROWS):
            # Check before labelling that the columns can be written.
            check_new_columns(batch, dict.fromkeys(map(self.prefix.__add__, self.columns), ()))
            yield batch


def _begin(parts: Parts, plan: Mapping[str, object], *, resume: bool, force: bool) -> None:
    """Begin or resume a job; raise `TableError` if there is unfinished work that must not be resumed."""
    folder = str(parts.folder)
    if force and not resume:
        parts.clear()
    if not parts.planned:
        parts.begin(plan)
    elif not resume:
        raise TableError(
            f"there is unfinished work in {folder!r} ({len(parts):,} shards are done); resume it with "
            "`resume`, or start over with `force`"
        )
    elif not parts.has_plan(plan):
        raise TableError(
            f"the unfinished work in {folder!r} has another input, model, option or release; resume it with those it "
            "was begun with, or start over with `force`"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    """Yield the folder while no other process works in it; remove it in the end if it is empty."""
    if folder.is_symlink() or folder.is_file():
        raise TableError(f"{str(folder)!r} is a {'link' if folder.is_symlink() else 'file'}; move it away")
    folder.mkdir(exist_ok=True)
    lock = lock_of(folder, wait=False)
    if lock is None and os.name == "posix":
        raise TableError(f"another process is working in {str(folder)!r}; wait for it, or stop it")
    try:
        yield folder
    finally:
        with suppress(OSError):
            folder.rmdir()
        unlock(lock)

"""Label tables as streams of rows, adding columns. Unfinished work can be resumed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import STANDARD, Location, estimate_rows, facts, location
from naturalness.data.reading import read_batches
from naturalness.data.writing import ADVICE, check_writable, open_writer
from naturalness.errors import NaturalnessError, TableError, WorkerLost, advice, listing
from naturalness.files.unfinished import is_full
from naturalness.judging.fields import NATURALNESS, REASON, VOICE
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.labelling.best import Best
from naturalness.labelling.job import Columns, Job, Labeller, with_problems
from naturalness.labelling.parts import LOCK, SHARD_ROWS, Parts
from naturalness.labelling.pool import label_shards
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
    """Numbers of rows written, of rows without a score, and of rows below a requested minimum."""

    target: Location
    minima: Mapping[str, float] = field(default_factory=dict)
    """Minima of numeric columns, keyed by column."""
    reasons: str = ""
    """Name of the written column with the reasons; empty if there is none."""
    rows: int = 0
    failures: int = 0
    blank: int = 0
    """The number of rows without a text, which count among ``failures``, but have not failed."""
    below: int = 0

    @property
    def failed(self) -> bool:
        """Whether a row with a text has no score or is below a minimum, or no row has a text."""
        return self.failures > self.blank or self.below > 0 or self.rows == self.blank

    def __str__(self) -> str:
        """Return the numbers in words."""
        target = self.target
        line = f"{self.rows:,} rows written to {'standard output' if target.is_standard else repr(target.path)}"
        if self.minima:
            said = [f"below {x:.3g}" + f" in {name}" * (name != NATURALNESS) for name, x in self.minima.items()]
            line += f"; {self.below:,} of them {' or '.join(said)}"
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
    best_of: str | None = None,
    min_score: float | None = None,
    false_alarms: float | None = None,
    min_voice: float | None = None,
    batch_size: int = 64,
    jobs: int | None = None,
    parts: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Watch = lambda stage, total: nullcontext(lambda rows, failed=0, stored=False: None),
    note: Callable[[str], object] = lambda line: None,
) -> Totals:
    """Score every row of a table and write a table with the new columns, as the command ``naturalness label`` does.

    ``source`` and ``target`` are names of tables (``-`` for standard input and output). The new columns are ``fields``
    (default: naturalness, voice, label and reason) and ``metrics``. The other arguments are the options of the command:
    ``best_of`` writes only the best row for each value of a column; rows below ``min_score`` (or its equivalent for a
    rate of ``false_alarms``) or ``min_voice`` are counted, and written all the same; ``jobs`` is the number of worker
    processes, each of which parses ``batch_size`` texts together. The output depends neither on these nor on whether
    unfinished work in ``parts`` was resumed.

    ``watch`` shows the progress of each stage, and ``note`` receives lines about resuming. The result is printed as a
    sentence.
    """
    source = source if isinstance(source, Location) else location(str(source))
    if not isinstance(target, Location):
        target = location(str(target), "jsonl" if str(target) == STANDARD else None, written=True)
    # Some columns are needed to count failures and to choose rows, even if they are not written.
    needed = [NATURALNESS, REASON, *([] if min_voice is None else [VOICE])]
    missing = [name for name in needed if fields and name not in fields]
    labeller = Labeller(
        Job(
            str(model),
            changed_assets,
            (*fields, *missing) if fields else None,
            tuple(metrics),
            register or None,
            score_anyway,
            batch_size,
        )
    )
    limits = {NATURALNESS: labeller.model.minimum(min_score, false_alarms, register), VOICE: min_voice}
    minima = {name: minimum for name, minimum in limits.items() if minimum is not None}
    totals = Totals(target, minima, "" if REASON in missing else prefix + REASON)
    columns = [name for name in labeller.columns if name not in missing]
    folder = str(parts or target.path + PARTS_SUFFIX)
    run = _Labelling(source, target, labeller, columns, totals, watch, jobs, text_column, prefix, best_of, folder)
    run.label(note, resume=resume, force=force)
    return totals


@dataclass(slots=True)
class _Labelling:
    """The passes over a table that label its rows and write them."""

    source: Location
    target: Location
    labeller: Labeller
    columns: list[str]
    """Names of the new columns to write, without the prefix."""
    totals: Totals
    watch: Watch
    workers: int | None
    text_column: str | None
    prefix: str
    best_of: str | None
    folder: str
    """The folder for unfinished work."""
    parts: Parts | None = None
    """Finished shards; None if nothing is stored, because the input or the output is a stream."""
    before: Mapping[str, object] = field(default_factory=dict)
    """Size and checksum of the input at the start, to detect changes."""
    complete: bool = False
    """Whether all shards have been labelled and only have to be written to the target."""

    def label(self, note: Callable[[str], object], *, resume: bool, force: bool) -> None:
        """Label a table; store finished shards if it and the output are files."""
        source, target = self.source, self.target
        if not target.is_standard:
            check_writable(Path(target.path), force=force, advice=self._advice(resume))
            if _same_file(source, target):
                raise TableError(f"input and output are both {target.path!r}; name another output")
        if source.is_stream or target.is_standard:
            if resume:
                raise TableError("`resume` needs files: a stream cannot be read or written again")
            if self.best_of:
                raise TableError(
                    "`best_of` reads the table twice and stores unfinished work beside the output; name files for both "
                    "(input, and -o)"
                )
            self._run(force)
            return
        with self.watch("check", None):  # computing the checksum of a large file takes time
            self.before = facts(source)
        with _locked(Path(self.folder)):
            self.parts = parts = self._parts(note, resume=resume, force=force)
            try:
                with _advice_to_resume(self.folder, note):
                    self._run(force)
            except BaseException:
                if not len(parts):  # there is nothing to resume
                    parts.clear()
                raise
            parts.clear()

    def _run(self, force: bool) -> None:
        """Label all rows and write them in order."""
        totals, chosen = self.totals, self._choose(self.best_of) if self.best_of else None
        with (
            open_writer(self.target, force=force) as writer,
            self._stage("write" if self.complete else "label") as advance,
        ):
            for batch, columns in self._labelled(advance):
                indices = [i for i in range(len(batch.rows)) if chosen is None or batch.first_row + i in chosen]
                scores = columns[NATURALNESS]
                totals.failures += sum(math.isnan(scores[i]) for i in indices)
                minima = [(columns[name], minimum) for name, minimum in totals.minima.items()]
                totals.below += sum(any(values[i] < minimum for values, minimum in minima) for i in indices)
                totals.rows += len(indices)
                added = {self.prefix + name: [columns[name][i] for i in indices] for name in self.columns}
                written = batch if chosen is None else batch.keeping(indices)
                totals.blank += written.blank
                writer.write(written, added)
            if self.before and facts(self.source) != self.before:
                raise TableError(
                    f"{self.source.path!r} changed while it was being read; nothing was written: start over with "
                    "`force`"
                )

    def _stage(self, stage: str) -> AbstractContextManager[Advance]:
        return self.watch(stage, estimate_rows(self.source))

    def _batches(self) -> Iterator[Batch]:
        best_of = self.best_of
        for batch in read_batches(self.source, text_column=self.text_column, batch_size=SHARD_ROWS):
            # Check before labelling that the columns can be written.
            check_new_columns(batch, dict.fromkeys(map(self.prefix.__add__, self.columns), ()))
            if best_of and batch.fixed and best_of not in batch.columns:
                known = advice(best_of, batch.columns, f"the table has: {listing(batch.columns)}")
                raise TableError(f"no column {best_of!r} for `best_of`{known}")
            yield batch

    def _labelled(self, advance: Advance) -> Iterator[tuple[Batch, Columns]]:
        """Yield each batch with its columns; if a row cannot be read, its reason says why.

        Progress counts finished shards, even while they wait for earlier shards to be written.
        """

        def count(columns: Columns, stored: bool) -> None:
            values = columns[NATURALNESS]
            advance(len(values), sum(map(math.isnan, values)), stored and not self.complete)

        empty = True
        for batch, columns in label_shards(
            self._batches(), self.labeller.job, workers=self.workers or cores(), parts=self.parts, advance=count
        ):
            empty = False
            yield batch, with_problems(columns, batch.problems)
        if empty:  # a table without rows keeps its header
            for batch in self._batches():
                yield batch, {name: [] for name in self.labeller.columns}

    def _choose(self, column: str) -> set[int]:
        """Label all rows; return the numbers of the rows to write, the best for each value of a column."""
        best = Best()
        with self._stage("label") as advance:
            for batch, columns in self._labelled(advance):
                best.see(batch.first_row, [row.get(column) for row in batch.rows], columns[NATURALNESS])
        self.complete = True
        return best.rows()

    def _advice(self, resume: bool) -> str:
        """Return advice on what to do if the output exists."""
        if Path(self.folder).is_dir() and Parts(self.folder).planned:
            return "add `resume` `force` to finish the unfinished work and overwrite it at the end"
        if resume:
            return f"nothing to resume: there is no unfinished work in {self.folder!r}; use `force` to start over"
        return ADVICE

    def _parts(self, note: Callable[[str], object], *, resume: bool, force: bool) -> Parts:
        """Return the folder of finished shards: a new one, or the one to resume."""
        plan = {  # everything that the output depends on
            "format_version": 1,
            "rows_of_a_shard": SHARD_ROWS,
            "input": {**self.before, "format": self.source.format, "text_column": self.text_column},
            "prefix": self.prefix,
            "best_of": self.best_of,
            **self.labeller.identity(),
        }
        folder = self.folder
        parts = Parts(folder, self.labeller.columns)
        if force and not resume:
            parts.clear()
        if not parts.planned:
            if parts.strange or len(parts):
                raise TableError(
                    f"{folder!r} exists and holds no unfinished work; move it away, or name another folder with `parts`"
                )
            parts.begin(plan)
            return parts
        if not resume:
            raise TableError(
                f"there is unfinished work in {folder!r} ({len(parts):,} shards are done); resume it with "
                "`resume`, or start over with `force`"
            )
        if changed := parts.differences(plan):
            raise TableError(
                f"{folder!r} was begun with something else: {'; '.join(changed)}. Resume it with the "
                "same input, model and options, or start over with `force`"
            )
        note(f"resuming: {len(parts):,} shards are done")
        return parts


def _same_file(source: Location, target: Location) -> bool:
    if source.is_stream:
        return source.path == target.path
    return Path(target.path).exists() and Path(source.path).resolve() == Path(target.path).resolve()


@contextmanager
def _advice_to_resume(folder: str, advise: Callable[[str], object]) -> Iterator[None]:
    """Tell the user how to resume if the work is interrupted."""
    how = f"finished work is stored in {folder!r}; run the same command with --resume to continue"
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        advise(how)
        raise
    except WorkerLost as error:
        raise NaturalnessError(f"{error}; {how}") from error
    except OSError as error:
        if not is_full(error):
            raise
        raise TableError(f"no space left on the disk for {error.filename!r}; free some, then: {how}") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder so that no other process works in it."""
    try:
        import fcntl
    except ImportError:  # the module does not exist on Windows
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TableError(f"another process is working in {str(folder)!r}; wait for it, or stop it") from None
        yield
    finally:
        with suppress(OSError):  # remove the folder if it contains nothing else
            if [file.name for file in folder.iterdir()] == [LOCK]:
                (folder / LOCK).unlink()
                folder.rmdir()
        os.close(handle)

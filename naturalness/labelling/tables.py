"""Label tables as streams of rows, adding columns. Unfinished work can be resumed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import Location, estimate_rows, facts
from naturalness.data.reading import read_batches
from naturalness.data.writing import ADVICE, check_writable, open_writer
from naturalness.errors import NaturalnessError, TableError, WorkerLost, advice, listing
from naturalness.files.unfinished import is_full
from naturalness.judging.fields import NATURALNESS, REASON
from naturalness.labelling.best import Best
from naturalness.labelling.job import Columns, Job, Opened, identity, open_job, with_problems
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


@dataclass(frozen=True, slots=True)
class Request:
    """A table to label, the location of the output, and the options."""

    source: Location
    target: Location
    job: Job
    text_column: str | None = None
    prefix: str = ""
    """Prepended to the names of new columns."""
    best_of: str | None = None
    """Name of a column; of all rows with the same value in it, only the most natural one is written."""
    on_cluster: bool = False
    workers: int | None = None
    """Number of worker processes; by default one per core."""
    minima: Mapping[str, float] = field(default_factory=dict)
    """Minima of numeric columns, keyed by column; rows below one are counted in `Totals`, and written all the same."""
    parts: str | None = None
    """The folder for unfinished work; by default a folder beside the target."""
    resume: bool = False
    force: bool = False
    """Whether to overwrite the target and, unless ``resume`` is true, discard unfinished work."""

    @property
    def parts_folder(self) -> str:
        """The folder for unfinished work."""
        return self.parts or self.target.path + PARTS_SUFFIX


@dataclass(slots=True)
class Totals:
    """Numbers of rows written, of rows without a score, and of rows below a requested minimum."""

    rows: int = 0
    failures: int = 0
    blank: int = 0
    """The number of rows without a text, which count among ``failures``, but have not failed."""
    below: int = 0


def label_table(
    request: Request, watch: Watch, *, note: Callable[[str], None], advise: Callable[[str], None]
) -> Totals:
    """Label a table. The output depends neither on the number of workers nor on whether work was resumed.

    ``note`` receives a line about resumed work, and ``advise`` the advice on how to resume after an interruption.
    """
    # Some columns are needed to count failures and to choose rows, even if they are not written.
    needed = dict.fromkeys([NATURALNESS, REASON, *request.minima])
    missing = [name for name in needed if name not in request.job.fields]
    opened = open_job(replace(request.job, fields=(*request.job.fields, *missing)))
    columns = [name for name in opened.columns() if name not in missing]
    source, target = request.source, request.target
    if not target.is_standard:
        check_writable(Path(target.path), force=request.force, advice=_advice(request))
        if _same_file(source, target):
            raise TableError(f"input and output are both {target.path!r}; name another output")
    if source.is_stream or target.is_standard:
        if request.resume:
            raise TableError("`resume` needs files: a stream cannot be read or written again")
        if request.best_of or request.on_cluster:
            raise TableError(
                f"{'`best_of`' if request.best_of else '`engine=ray`'} reads the table twice and stores unfinished "
                "work beside the output; name files for both (input, and -o)"
            )
        return _Labelling(request, opened.job, watch, columns, None, {}).run()
    with watch("check", None):  # computing the checksum of a large file takes time
        before = facts(source)
    folder = request.parts_folder
    with _locked(Path(folder)):
        parts = _parts(request, before, opened, note)
        try:
            with _advice_to_resume(folder, advise):
                totals = _Labelling(request, opened.job, watch, columns, parts, before).run()
        except BaseException:
            if not len(parts):  # there is nothing to resume
                parts.clear()
            raise
        parts.clear()
    return totals


@dataclass(slots=True)
class _Labelling:
    """The passes over a table that label its rows and write them."""

    request: Request
    job: Job
    watch: Watch
    columns: list[str]
    """Names of the new columns to write, without the prefix."""
    parts: Parts | None
    """Finished shards; None if nothing is stored, because the input or the output is a stream."""
    before: Mapping[str, object]
    """Size and checksum of the input at the start, to detect changes."""
    complete: bool = False
    """Whether all shards have been labelled and only have to be written to the target."""

    def run(self) -> Totals:
        """Label all rows and write them in order."""
        request, chosen = self.request, None
        if request.on_cluster:
            self._send_to_cluster()
        if request.best_of:
            chosen = self._choose(request.best_of)
        totals = Totals()
        with (
            open_writer(request.target, force=request.force) as writer,
            self._stage("write" if self.complete else "label") as advance,
        ):
            for batch, columns in self._labelled(advance):
                indices = [i for i in range(len(batch.rows)) if chosen is None or batch.first_row + i in chosen]
                scores = columns[NATURALNESS]
                totals.failures += sum(math.isnan(scores[i]) for i in indices)
                minima = [(columns[name], minimum) for name, minimum in request.minima.items()]
                totals.below += sum(any(values[i] < minimum for values, minimum in minima) for i in indices)
                totals.rows += len(indices)
                added = {request.prefix + name: [columns[name][i] for i in indices] for name in self.columns}
                written = batch if chosen is None else batch.keeping(indices)
                totals.blank += written.blank
                writer.write(written, added)
            if self.before and facts(request.source) != self.before:
                raise TableError(
                    f"{request.source.path!r} changed while it was being read; nothing was written: start over with "
                    "`force`"
                )
        return totals

    def _stage(self, stage: str) -> AbstractContextManager[Advance]:
        return self.watch(stage, estimate_rows(self.request.source))

    def _batches(self) -> Iterator[Batch]:
        request, best_of = self.request, self.request.best_of
        for batch in read_batches(request.source, text_column=request.text_column, batch_size=SHARD_ROWS):
            # Check before labelling that the columns can be written.
            check_new_columns(batch, dict.fromkeys(map(request.prefix.__add__, self.columns), ()))
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
            self._batches(), self.job, workers=self.request.workers or cores(), parts=self.parts, advance=count
        ):
            empty = False
            yield batch, with_problems(columns, batch.problems)
        if empty:  # a table without rows keeps its header
            for batch in self._batches():
                yield batch, {name: [] for name in [*self.columns, NATURALNESS, *self.request.minima]}

    def _choose(self, column: str) -> set[int]:
        """Label all rows; return the numbers of the rows to write, the best for each value of a column."""
        best = Best()
        with self._stage("label") as advance:
            for batch, columns in self._labelled(advance):
                best.see(batch.first_row, [row.get(column) for row in batch.rows], columns[NATURALNESS])
        self.complete = True
        return best.rows()

    def _send_to_cluster(self) -> None:
        """Label the missing shards on a cluster; later passes read the results from the parts folder."""
        from naturalness.labelling.cluster import label_on_cluster

        parts = self.parts
        assert parts is not None
        todo = {}
        with self._stage("read") as advance:
            for number, batch in enumerate(self._batches()):
                if batch.texts and number not in parts:
                    parts.write_texts(number, batch.texts)
                    todo[number] = len(batch.texts)
                advance(len(batch.texts))
        with self.watch("label", sum(todo.values())) as advance:
            label_on_cluster(parts, self.job, todo, workers=self.request.workers, advance=advance)
        self.complete = True


def _advice(request: Request) -> str:
    """Return advice on what to do if the output exists."""
    folder = request.parts_folder
    if Path(folder).is_dir() and Parts(folder).planned:
        return "add `resume` `force` to finish the unfinished work and overwrite it at the end"
    if request.resume:
        return f"nothing to resume: there is no unfinished work in {folder!r}; use `force` to start over"
    return ADVICE


def _same_file(source: Location, target: Location) -> bool:
    if source.is_stream:
        return source.path == target.path
    return Path(target.path).exists() and Path(source.path).resolve() == Path(target.path).resolve()


def _parts(request: Request, before: Mapping[str, object], opened: Opened, note: Callable[[str], None]) -> Parts:
    """Return the folder of finished shards: a new one, or the one to resume."""
    folder = request.parts_folder
    plan = {  # everything that the output depends on
        "format_version": 1,
        "rows_of_a_shard": SHARD_ROWS,
        "input": {**before, "format": request.source.format, "text_column": request.text_column},
        "prefix": request.prefix,
        "best_of": request.best_of,
        **identity(opened),
    }
    parts = Parts(folder, opened.columns())
    if request.force and not request.resume:
        parts.clear()
    if not parts.planned:
        if parts.strange or len(parts):
            raise TableError(
                f"{folder!r} exists and holds no unfinished work; move it away, or name another folder with `parts`"
            )
        parts.begin(plan)
        return parts
    if not request.resume:
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


@contextmanager
def _advice_to_resume(folder: str, advise: Callable[[str], None]) -> Iterator[None]:
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

"""Tables labelled in a stream: rows in, rows with new columns out; unfinished work can be resumed."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import Location, estimate_rows, facts, open_bytes
from naturalness.data.reading import read_batches
from naturalness.data.writing import ADVICE, check_output, clear_unfinished, open_writer
from naturalness.errors import NaturalnessError, TableError, WorkerLost, advice, listing
from naturalness.features import resolve
from naturalness.features.columns import with_numbers
from naturalness.files.storage import beside, is_full, is_remote
from naturalness.judging.fields import NATURALNESS, REASON
from naturalness.judging.folder import read_description
from naturalness.judging.opened import model_folder
from naturalness.labelling.best import Best
from naturalness.labelling.job import Columns, Job, Opened, empty_row, identity, open_job
from naturalness.labelling.parts import LOCK, SHARD_ROWS, Parts
from naturalness.labelling.pool import label_shards
from naturalness.pipelines.planning import cores

PARTS_SUFFIX = ".parts"


class Advance(Protocol):
    """Gets how many more rows are done, and how many of them have no score."""

    def __call__(self, rows: int, failed: int = 0) -> None: ...


Watch = Callable[[str, int | None], AbstractContextManager[Advance]]
"""Gets the name of a stage and its number of rows, if that is known."""


@dataclass(frozen=True, slots=True)
class Request:
    """A table to label, where the result goes, and how."""

    source: Location
    target: Location
    job: Job
    text_column: str | None = None
    prefix: str = ""
    """Put before the names of new columns."""
    best_of: str | None = None
    """Column whose values are shared by rows of which only the most natural one is written."""
    on_cluster: bool = False
    workers: int | None = None
    """Processes; None for one per core."""
    min_score: float | None = None
    """Rows with a lower score are counted; it changes nothing that is written."""
    parts: str | None = None
    """Folder of unfinished work; None for one beside the target."""
    resume: bool = False
    force: bool = False
    """Overwrite the target and, without ``resume``, discard unfinished work."""

    @property
    def parts_folder(self) -> str:
        """The folder of unfinished work."""
        return self.parts or beside(self.target.path, PARTS_SUFFIX)


@dataclass(slots=True)
class Totals:
    """Rows written, those of them without a score, and those below the minimum that was asked for."""

    rows: int = 0
    failures: int = 0
    below: int = 0


def label_table(
    request: Request, watch: Watch, *, note: Callable[[str], None], advise: Callable[[str], None]
) -> Totals:
    """Label a table; the output does not depend on the workers, nor on whether work was resumed.

    ``note`` gets a line about resumed work, and ``advise`` what to do where work breaks off.
    """
    # Scores are needed to count failures and to choose rows, whether they are asked for or not.
    missing = [name for name in (NATURALNESS, REASON) if name not in request.job.fields]
    opened = open_job(replace(request.job, fields=(*request.job.fields, *missing)))
    with _open_work(request, opened, watch, note, advise) as work:
        work.columns = [name for name in opened.columns() if name not in missing]
        return _Labelling(request, opened.job, work, watch).run()


@dataclass(slots=True)
class _Work:
    """A table to label, and what is already done."""

    source: Location
    """What is read: the input, or a copy of standard input."""
    parts: Parts | None
    """None where nothing is stored: a stream in or out."""
    before: dict[str, object]
    """Size and checksum of the input when the work began."""
    columns: list[str] = field(default_factory=list)
    """New columns to write, without the prefix."""
    complete: bool = False
    """Whether all shards are done, and only remain to be written."""

    def check_unchanged(self) -> None:
        """Refuse to finish where the input changed meanwhile."""
        if self.before and facts(self.source) != self.before:
            raise TableError(
                f"{self.source.path!r} changed while it was being read; nothing was written: start over with --force"
            )


@dataclass(slots=True)
class _Labelling:
    """The passes over a table."""

    request: Request
    job: Job
    work: _Work
    watch: Watch

    def run(self) -> Totals:
        """Label all rows and write them in order."""
        chosen, min_score = None, self.request.min_score or 0.0
        if self.request.on_cluster:
            self._send_to_cluster()
        if self.request.best_of:
            chosen = self._choose()
        totals = Totals()
        with (
            open_writer(self.request.target, force=self.request.force) as writer,
            self._stage("write" if self.work.complete else "label") as advance,
        ):
            for batch, columns in self._labelled(advance):
                indices = [i for i in range(len(batch.rows)) if chosen is None or batch.first_row + i in chosen]
                scores = columns[NATURALNESS]
                totals.failures += sum(math.isnan(scores[i]) for i in indices)
                totals.below += sum(scores[i] < min_score for i in indices)
                totals.rows += len(indices)
                added = {self.request.prefix + name: [columns[name][i] for i in indices] for name in self.work.columns}
                writer.write(batch if chosen is None else batch.keeping(indices), added)
            self.work.check_unchanged()
        return totals

    def _stage(self, stage: str) -> AbstractContextManager[Advance]:
        return self.watch(stage, estimate_rows(self.work.source))

    def _batches(self) -> Iterator[Batch]:
        groups = resolve(read_description(model_folder(self.request.job.model)).groups)
        batches = read_batches(self.work.source, text_column=self.request.text_column, batch_size=SHARD_ROWS)
        best_of = self.request.best_of
        for batch in with_numbers(batches, groups):
            # What cannot be written is refused before anything is labelled.
            check_new_columns(batch, dict.fromkeys(map(self.request.prefix.__add__, self.work.columns), ()))
            if best_of and batch.fixed and best_of not in batch.columns:
                known = advice(best_of, batch.columns, f"the table has: {listing(batch.columns)}")
                raise TableError(f"no column {best_of!r} for --best-of{known}")
            yield batch

    def _labelled(self, advance: Advance) -> Iterator[tuple[Batch, Columns]]:
        """Yield each batch with its columns; a problem of a row itself becomes its reason.

        Progress counts shards that are done, which is before those in front of them are written.
        """

        def count(columns: Columns) -> None:
            values = columns[NATURALNESS]
            advance(len(values), sum(map(math.isnan, values)))

        empty = True
        for batch, columns in label_shards(
            self._batches(), self.job, workers=self.request.workers or cores(), parts=self.work.parts, advance=count
        ):
            empty = False
            for i, problem in enumerate(batch.problems):
                if problem:
                    row = empty_row(list(columns), problem)
                    for values, value in zip(columns.values(), row, strict=True):
                        values[i] = value
            yield batch, columns
        if empty:  # a table without rows keeps its header
            for batch in self._batches():
                yield batch, {name: [] for name in [*self.work.columns, NATURALNESS]}

    def _choose(self) -> set[int]:
        """Label all rows; return the numbers of the best of those that share a value."""
        best = Best()
        with self._stage("label") as advance:
            for batch, columns in self._labelled(advance):
                shared = [row.get(self.request.best_of or "") for row in batch.rows]
                best.see(batch.first_row, shared, columns[NATURALNESS])
        self.work.complete = True
        return best.rows()

    def _send_to_cluster(self) -> None:
        """Have a cluster make the shards that are not done; the later passes find them all."""
        from naturalness.labelling.cluster import label_on_cluster

        parts = self.work.parts
        assert parts is not None
        todo = []
        with self._stage("read") as advance:
            for number, batch in enumerate(self._batches()):
                if batch.texts and number not in parts:
                    parts.write_texts(number, batch.texts)
                    todo.append((number, len(batch.texts)))
                advance(len(batch.texts))
        with self.watch("label", sum(n for _, n in todo)) as advance:
            label_on_cluster(parts, self.job, dict(todo), workers=self.request.workers, advance=advance)
        self.work.complete = True


@contextmanager
def _open_work(
    request: Request, opened: Opened, watch: Watch, note: Callable[[str], None], advise: Callable[[str], None]
) -> Iterator[_Work]:
    """Open what is to be done; clear what was stored on the way once it is."""
    source, target = request.source, request.target
    if not target.is_standard:
        check_output(target, force=request.force, advice=_advice(request))
        if _same_file(source, target):
            raise TableError(f"input and output are both {target.path!r}; name another output")
    if source.is_stream or target.is_standard:
        if request.resume:
            raise TableError("--resume needs files: a stream cannot be read or written again")
        if not (request.best_of or request.on_cluster):
            yield _Work(source, None, {})
            return
        with _temporary(source) as work:
            yield work
        return
    folder = request.parts_folder
    with watch("check", None):  # the checksum of a large file takes long
        before = facts(source)
    with _locked(folder):
        parts = _parts(request, _plan(request, before, opened), opened.columns(), note)
        if not target.is_remote:
            clear_unfinished(Path(target.path))
        try:
            with _advice_to_resume(folder, advise):
                yield _Work(source, parts, before)
        except BaseException:
            if not len(parts):  # nothing was done that could be resumed
                parts.clear()
            raise
        parts.clear()


def _advice(request: Request) -> str:
    """Return what to do where the output exists."""
    folder = request.parts_folder
    # In a store nothing is looked for only to word an error.
    begun = request.resume if is_remote(folder) else Path(folder).is_dir() and Parts(folder).planned
    if begun:
        return "add --resume --force to finish the unfinished work and overwrite it at the end"
    if request.resume:
        return f"nothing to resume: there is no unfinished work in {folder!r}; use --force to start over"
    return ADVICE


def _same_file(source: Location, target: Location) -> bool:
    if source.is_remote or target.is_remote or source.is_stream:
        return source.path == target.path
    return Path(target.path).exists() and Path(source.path).resolve() == Path(target.path).resolve()


@contextmanager
def _temporary(source: Location) -> Iterator[_Work]:
    """Allow two passes over streams: standard input is copied to a file meanwhile."""
    with tempfile.TemporaryDirectory(prefix="naturalness-") as folder:
        if source.is_stream:
            copy = Path(folder) / "input"
            with copy.open("wb") as file, open_bytes(source) as stream:
                shutil.copyfileobj(stream, file, 1 << 20)
            source = replace(source, path=str(copy), compression=None, called=source.shown)
        yield _Work(source, Parts(str(Path(folder) / "parts")), {})


def _plan(request: Request, before: dict[str, object], opened: Opened) -> dict[str, Any]:
    """Return all that the output depends on."""
    return {
        "format_version": 1,
        "rows_of_a_shard": SHARD_ROWS,
        "input": {**before, "format": request.source.format, "text_column": request.text_column},
        "prefix": request.prefix,
        "best_of": request.best_of,
        **identity(opened),
    }


def _parts(request: Request, plan: dict[str, Any], columns: list[str], note: Callable[[str], None]) -> Parts:
    """Return the folder of what is done, empty or to be resumed."""
    folder = request.parts_folder
    parts = Parts(folder, columns)
    if request.force and not request.resume:
        parts.clear()
    if not parts.planned:
        if parts.strange or len(parts):
            raise TableError(
                f"{folder!r} exists and holds no unfinished work; move it away, or name another folder with --parts"
            )
        parts.begin(plan)
        return parts
    if not request.resume:
        raise TableError(
            f"there is unfinished work in {folder!r} ({len(parts):,} shards are done); resume it with "
            "--resume, or start over with --force"
        )
    if changed := parts.differences(plan):
        raise TableError(
            f"{folder!r} was begun with something else: {'; '.join(changed)}. Resume it with the "
            "same input, model and options, or start over with --force"
        )
    note(f"resuming: {len(parts):,} shards are done")
    return parts


@contextmanager
def _advice_to_resume(folder: str, advise: Callable[[str], None]) -> Iterator[None]:
    """Say how to resume, however the work ends."""
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
        raise TableError(f"no space left on the disk; free some, then: {how}") from error


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Keep other processes from the same work; a folder elsewhere cannot be locked."""
    if is_remote(path):
        yield
        return
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TableError(f"another process is working in {path!r}; wait for it, or stop it") from None
        yield
    finally:
        with suppress(OSError):  # a folder without anything else goes
            if [file.name for file in folder.iterdir()] == [LOCK]:
                (folder / LOCK).unlink()
                folder.rmdir()
        os.close(handle)

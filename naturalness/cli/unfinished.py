"""Work that was broken off: what is kept of it, who may go on with it, and how one is told."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.progress import progress
from naturalness.data.formats import Location, facts, open_bytes
from naturalness.data.writing import ADVICE, check_output, clear_unfinished
from naturalness.errors import NaturalnessError, TableError, WorkerLost
from naturalness.files.storage import beside, is_full, is_remote

if TYPE_CHECKING:
    from naturalness.labelling.job import Opened
    from naturalness.labelling.parts import Parts

SUFFIX = ".parts"


@dataclass(slots=True)
class Work:
    """A table to label, and what is kept of the work on it."""

    source: Location
    """What is read: the input, or a copy of standard input."""
    parts: Parts | None
    """None where nothing is kept: a stream in or out."""
    before: dict[str, object]
    """Size and checksum of the input when the work began."""
    columns: list[str] = field(default_factory=list)
    """New columns that are written, without the prefix."""
    complete: bool = False
    """Whether all shards are done, and only remain to be written."""

    def check_unchanged(self) -> None:
        """Refuse to finish where the input changed meanwhile."""
        if self.before and facts(self.source) != self.before:
            raise TableError(
                f"{self.source.path!r} has changed while it was read; nothing was written: start anew with --force"
            )


@contextmanager
def open_work(args: argparse.Namespace, source: Location, target: Location, opened: Opened) -> Iterator[Work]:
    """What is to be done; when it was done, what was kept on the way is cleared away."""
    if not target.is_standard:
        check_output(target, force=args.force, advice=_advice(args, target))
        if _same_file(source, target):
            raise TableError(f"input and output are both {target.path!r}; name another output")
    twice = bool(args.best_of) or args.engine == "ray"
    if source.is_stream or target.is_standard:
        if args.resume:
            raise TableError("--resume needs files: a stream cannot be read or written again")
        if not twice:
            yield Work(source, None, {})
            return
        with _temporary(source) as work:
            yield work
        return
    place = _place(args, target)
    with progress("check", quiet=args.quiet):  # a checksum of much takes long
        before = facts(source)
    with _locked(place):
        parts = _parts(args, place, _plan(args, source, before, opened), opened.columns())
        if not target.is_remote:
            clear_unfinished(Path(target.path))
        try:
            with _told(place):
                yield Work(source, parts, before)
        except BaseException:
            if not len(parts):  # nothing was done that could be gone on with
                parts.clear()
            raise
        parts.clear()


def _place(args: argparse.Namespace, target: Location) -> str:
    """The folder of what is done."""
    place: str = args.parts or beside(target.path, SUFFIX)
    return place


def _advice(args: argparse.Namespace, target: Location) -> str:
    """What to do where the output is there already."""
    from naturalness.labelling.parts import Parts

    place = _place(args, target)
    begun = not is_remote(place) and Path(place).is_dir() and Parts(place).planned
    if args.resume or begun:
        return "add --resume --force to go on with what is unfinished and overwrite it at the end"
    return ADVICE


def _same_file(source: Location, target: Location) -> bool:
    if source.is_remote or target.is_remote or source.is_stream:
        return source.path == target.path
    return Path(target.path).exists() and Path(source.path).resolve() == Path(target.path).resolve()


@contextmanager
def _temporary(source: Location) -> Iterator[Work]:
    """Work on streams that takes two passes: standard input is kept in a file meanwhile."""
    from naturalness.labelling.parts import Parts

    with tempfile.TemporaryDirectory(prefix="naturalness-") as folder:
        if source.is_stream:
            copy = Path(folder) / "input"
            with copy.open("wb") as file, open_bytes(source) as stream:
                shutil.copyfileobj(stream, file, 1 << 20)
            source = replace(source, path=str(copy), compression=None)
        yield Work(source, Parts(str(Path(folder) / "parts")), {})


def _plan(args: argparse.Namespace, source: Location, before: dict[str, object], opened: Opened) -> dict[str, Any]:
    """All that the output depends on."""
    from naturalness.labelling.job import identity
    from naturalness.labelling.parts import ROWS

    return {
        "format_version": 1,
        "rows_of_a_shard": ROWS,
        "input": {**before, "format": source.format, "text_column": args.text_column},
        "prefix": args.prefix,
        "best_of": args.best_of,
        **identity(opened),
    }


def _parts(args: argparse.Namespace, place: str, plan: dict[str, Any], columns: list[str]) -> Parts:
    """The folder of what is done, empty or to be gone on with."""
    from naturalness.labelling.parts import Parts

    parts = Parts(place, columns)
    if args.force and not args.resume:
        parts.clear()
    if not parts.planned:
        if parts.strange or len(parts):
            raise TableError(
                f"{place!r} is there and is no work of ours; move it away, or name another folder with --parts"
            )
        parts.begin(plan)
        return parts
    if not args.resume:
        raise TableError(
            f"there is unfinished work in {place!r} ({len(parts):,} shards are done); go on with "
            "--resume, or start anew with --force"
        )
    if changed := parts.differences(plan):
        raise TableError(
            f"{place!r} was begun with something else: {'; '.join(changed[:3])}. Go on with the "
            "same input, model and options, or start anew with --force"
        )
    if not args.quiet:
        sys.stderr.write(f"going on: {len(parts):,} shards are done\n")
    return parts


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Say how to go on, however the work ends."""
    how = f"what is done is kept in {place!r}: the same command with --resume goes on"
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        sys.stderr.write(f"{how}\n")
        raise
    except WorkerLost as error:
        raise NaturalnessError(f"{error}; {how}") from error
    except OSError as error:
        if not is_full(error):
            raise
        raise TableError(f"no space left on the disk; free some, then: {how}") from error


@contextmanager
def _locked(place: str) -> Iterator[None]:
    """Keep a second process from the same work; a folder elsewhere cannot be locked."""
    if is_remote(place):
        yield
        return
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    from naturalness.labelling.parts import LOCK

    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TableError(f"another process is at work in {place!r}; wait for it, or stop it") from None
        yield
    finally:
        with suppress(OSError):  # where nothing else is left, nothing is
            if [path.name for path in folder.iterdir()] == [LOCK]:
                (folder / LOCK).unlink()
                folder.rmdir()
        os.close(handle)

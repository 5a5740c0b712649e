"""Errors that a user can fix, all derived from `NaturalnessError`.

::

    NaturalnessError
    ├── UnknownName       no such feature group, model, asset or format
    ├── MissingPackage    an optional package is not installed, or fails to import
    ├── AssetError        a shipped file is missing, damaged or of another version
    ├── PipelineError     a spaCy pipeline cannot be opened or lacks a component, or a Doc lacks tags or arcs
    ├── TableError        a table cannot be read or written, or lacks a column
    │   └── UnequalRows   rows differ in columns or types, and only JSON lines can hold them
    ├── CorpusError       a corpus has too little text to generate from
    ├── TrainingError     nothing can be learned from the rated data (also a ValueError)
    ├── ModelError        a saved model is missing, damaged, or made with other assets
    ├── ProjectError      an annotation project is damaged, too new, or lacks what was requested
    └── WorkerLost        a worker process was killed

Programming mistakes raise `TypeError` and `ValueError`. Caveats about a valid result are `NaturalnessWarning`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

SHOWN = 60
"""The largest number of characters of a value that a message shows."""
LISTED = 20
"""The largest number of names that a message lists."""
REASON = 200
"""The largest number of characters quoted from another package's message."""


def excerpt(value: object, length: int = SHOWN) -> str:
    """Return a value as shown in messages: quoted, on one line, truncated, and without control characters."""
    if isinstance(value, str | bytes):
        cut = repr(value[:length])
        return cut if len(value) <= length else f"{cut}…"
    text = printable(repr(value))
    return text if len(text) <= length else f"{text[:length]}…"


def printable(text: str) -> str:
    """Return a text in which control characters are escaped, so that it can be shown safely."""
    return (
        text
        if text.isprintable()
        else "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    )


def counted(n: int, noun: str) -> str:
    """Return a number with a noun: ``1 row``, ``1,200 rows``."""
    return f"{n:,} {noun}{'s'[: n != 1]}"


def listing(names: Sequence[str]) -> str:
    """Return a list of names, such as columns, for a message; a long list is truncated."""
    shown = [name if _plain(name) else excerpt(name) for name in names[:LISTED]]
    more = [f"and {len(names) - LISTED:,} more"] if len(names) > LISTED else []
    return ", ".join([*shown, *more]) or "no columns"


def _plain(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= SHOWN and name.isprintable()


class NaturalnessError(Exception):
    """Base class of errors that the user can fix; messages say what was found, what was expected, and what to do."""

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker process sends the message, since constructors have different arguments.
        return _restored, (type(self), str(self)), self.__dict__


def _restored(kind: type[NaturalnessError], message: str) -> NaturalnessError:
    return kind.__new__(kind, message)


class NaturalnessWarning(UserWarning):
    """A warning about a result that is still valid."""


def close_name(name: str, choices: Iterable[str]) -> str:
    """Return the choice most similar to a name, ignoring case; empty if none is similar."""
    known = {str(choice).lower(): choice for choice in reversed(list(choices))}  # pandas names columns by number, too
    close = difflib.get_close_matches(str(name).lower(), known, n=1)
    return known[close[0]] if close else ""


def guess(name: str, choices: Iterable[str], start: str = "; ") -> str:
    """Return "did you mean ...?" with the choice most similar to a name; empty if none is similar."""
    close = close_name(name, choices)
    return f"{start}did you mean {close!r}?" if close else ""


def advice(name: str, choices: Iterable[str], rest: str) -> str:
    """Return the end of a message: "did you mean ...?" if a choice is similar, then ``rest``."""
    meant = guess(name, choices)
    return f"{meant} {rest[:1].upper()}{rest[1:]}" if meant else f"; {rest}"


def suggestion(name: str, choices: Iterable[str]) -> str:
    """Return "did you mean ...?" with the most similar choice, or a list of all choices if none is similar."""
    known = list(choices)
    return guess(name, known, "") or f"choose from: {', '.join(known)}"


class UnknownName(NaturalnessError):
    """A given name is not among the known choices."""

    def __init__(self, kind: str, name: str, choices: Iterable[str], hint: str = "") -> None:
        known = sorted(choices)
        super().__init__(f"unknown {kind} {name!r}; {hint or suggestion(name, known)}")


def installing(extra: str) -> str:
    """Return the commands that install an extra: the one for a clone, and the one for a package index."""
    return (
        f"pip install '.[{extra}]' (in a clone of the project; from an index that has it: "
        f"pip install 'naturalness[{extra}]')"
    )


REPLICATION = "a part of the replications of papers: in a clone of naturalness, run `pip install ./replication`"
"""A hint for what the core of 0.3 had."""
REINSTALLING = (
    "pip install --force-reinstall --no-deps . (in a clone of the project; from an index that has "
    "it: pip install --force-reinstall --no-deps naturalness)"
)
"""The commands that restore the package's files if one is damaged."""


class MissingPackage(NaturalnessError):
    """A required optional package is missing or, if ``problem`` says why, is installed but fails to import."""

    def __init__(self, user: str, package: str, extra: str, problem: str = "") -> None:
        broken = f", which fails to import ({problem}); install what it lacks, or another version of it"
        super().__init__(f"{user} needs package {package!r}" + (broken if problem else f"; run: {installing(extra)}"))
        self.asked = (user, package, extra, problem)


class AssetError(NaturalnessError):
    """A shipped file is missing, damaged, or differs from the manifest."""


class PipelineError(NaturalnessError):
    """A spaCy pipeline cannot be opened, or it or a Doc lacks what the features need."""


class TableError(NaturalnessError):
    """A table cannot be read or written, or a column is missing."""


class UnequalRows(TableError):
    """Rows differ in columns or types, and only JSON lines can hold them."""


class CorpusError(NaturalnessError):
    """A corpus has too little text for the request."""


class TrainingError(NaturalnessError, ValueError):
    """Nothing can be learned from the rated data: there is one class, rows are too few, or values are not numbers.

    It is also a `ValueError`, which scikit-learn's tools expect from an estimator.
    """


class ModelError(NaturalnessError):
    """A saved model is missing, damaged, of an unknown format, or made with other assets."""


class ProjectError(NaturalnessError):
    """An annotation project is missing, damaged, or newer than this release, or lacks what was requested."""


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, truncated if it is long."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:REASON]


@contextmanager
def damage_as(error: type[NaturalnessError], file: object, advice: str, *, what: str = "is damaged") -> Iterator[None]:
    """Turn any exception raised while a file is read into an error that names the file and says what to do.

    Damaged bytes can cause any exception, so all are caught. `NaturalnessError` passes unchanged, and so does
    `MemoryError`: readers themselves must refuse a forged size before they allocate memory for it.
    """
    try:
        yield
    except (NaturalnessError, MemoryError):
        raise
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno is not None:
            raise error(f"{file} cannot be read ({problem.strerror}); {advice}") from problem
        lines = [line for line in str(problem).splitlines() if line.strip()]
        reason = f"no {problem}" if isinstance(problem, KeyError) else (lines or [""])[0]
        reason = printable(reason)[:REASON] or type(problem).__name__
        raise error(f"{file} {what} ({reason}); {advice}") from problem


class WorkerLost(NaturalnessError):
    """A worker process died, usually because memory ran out."""

    def __init__(self) -> None:
        super().__init__("a worker process was killed, perhaps because memory ran out; use fewer (`jobs`)")

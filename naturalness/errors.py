"""Everything a user can fix is raised as a child of `NaturalnessError`.

::

    NaturalnessError
    ├── UnknownName       no such feature group, model, asset or format
    ├── MissingPackage    an optional package is not installed
    ├── AssetError        a shipped file is missing, damaged or of another version
    ├── PipelineError     a spaCy pipeline cannot be opened or lacks a component
    ├── TableError        a table cannot be read or written, or lacks a column
    ├── CorpusError       a corpus holds too little to generate from
    ├── TrainingError     rated data cannot teach what was asked (also a ValueError)
    ├── ModelError        a saved model is missing, damaged, or made with other assets
    ├── ProjectError      a project of annotation is damaged or newer, or cannot do what was asked
    └── WorkerLost        a worker process was killed

Programming mistakes stay `TypeError` and `ValueError`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class NaturalnessError(Exception):
    """Something the user can fix; the message says what was found, expected and what to do."""


class UnknownName(NaturalnessError):
    """A name that is not among the known ones."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        known = sorted(choices)
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"choose from: {', '.join(known)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")
        self.asked = (kind, name, known)

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, list[str]]]:
        return UnknownName, self.asked  # so that it comes back from a worker process


class MissingPackage(NaturalnessError):
    """An optional package is needed and absent."""

    def __init__(self, user: str, package: str, extra: str) -> None:
        super().__init__(
            f"{user} needs package {package!r}; run: pip install 'naturalness[{extra}]'"
        )
        self.asked = (user, package, extra)

    def __reduce__(self) -> tuple[type[MissingPackage], tuple[str, str, str]]:
        return MissingPackage, self.asked


class AssetError(NaturalnessError):
    """A shipped file is missing, damaged or not what the manifest says."""


class PipelineError(NaturalnessError):
    """A spaCy pipeline cannot be opened, or lacks what the features need."""


class TableError(NaturalnessError):
    """A table cannot be read or written, or a column is missing."""


class CorpusError(NaturalnessError):
    """A corpus holds too little text for what was asked."""


class TrainingError(NaturalnessError, ValueError):
    """Rated data cannot teach what was asked: one class, too few rows, values that are no numbers.

    Also a `ValueError`, which scikit-learn's own tools expect of an estimator.
    """


class ModelError(NaturalnessError):
    """A saved model is missing, damaged, of an unknown format, or made with other assets."""


class ProjectError(NaturalnessError):
    """A project of annotation is missing, damaged or newer, or does not hold what was asked for."""


class WorkerLost(NaturalnessError):
    """A worker process was killed, most often for want of memory."""

    def __init__(self) -> None:
        super().__init__(
            "a worker process was killed, perhaps for want of memory; use fewer (--workers, --jobs)"
        )

"""Open constituency parsers by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from naturalness.errors import REPLICATION, UnknownName
from naturalness.files.resources import file_checksum
from naturalness.models.huggingface import State, checksum_by, path_after, state_of
from naturalness.models.parsers import benepar
from naturalness.models.parsers.base import ConstituencyParser

PREFIX = "benepar:"
REPLICATED = "bllip:"
"""The prefix of parsers in the package of replications."""


def open_parser(spec: str) -> ConstituencyParser:
    """Open a parser once per process, and again only if its files have changed.

    ``spec`` can be ``benepar:NAME`` for a downloaded model such as ``benepar_en3``, or ``benepar:PATH`` for a model in
    a file or folder.
    """
    path = _path(spec)
    return _open(path, _state(path))


def parser_checksum(spec: str) -> str:
    """Return a short checksum of a parser's files."""
    path = _path(spec)
    return _checksum(path, _state(path))


def path_in(spec: str) -> str | None:
    """Return the path in a spec; None if the parser was downloaded by name."""
    return path_after(PREFIX, spec) if spec.startswith(PREFIX) else None


def _path(spec: str) -> Path:
    """Return the path of a parser's files."""
    name = spec.removeprefix(PREFIX)
    if name in ("", spec):
        hint = REPLICATION if spec.startswith(REPLICATED) else ""
        raise UnknownName("parser", spec, (f"{PREFIX}NAME_OR_PATH",), hint)
    return benepar.path_of(name).resolve()


@cache
def _open(path: Path, state: State) -> ConstituencyParser:
    return benepar.open_model(path, _checksum(path, state))


def _state(path: Path) -> State:
    """Return the name, modification time and size of each of a model's files, except hidden files."""
    if path.is_file():
        return state_of(path.parent, [path])
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return state_of(path, [f for f in files if not any(n.startswith(".") for n in f.relative_to(path).parts)])


@cache
def _checksum(path: Path, state: State) -> str:
    return file_checksum(path)[:12] if path.is_file() else checksum_by(path, state)

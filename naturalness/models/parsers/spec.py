"""Open constituency parsers by name: the shipped one, benepar models, BLLIP models."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from naturalness.errors import UnknownName
from naturalness.extensions import extension
from naturalness.files.resources import file_checksum, load_manifest, locate
from naturalness.models.huggingface import path_after
from naturalness.models.parsers.base import ConstituencyParser
from naturalness.models.parsers.chart.parser import ASSET, chart

KINDS = ("benepar", "bllip")
PARSERS = (ASSET, "benepar:NAME_OR_PATH", "bllip:DIRECTORY")

State = tuple[tuple[str, int, int], ...]
"""Path, modification time and size of each file of a model."""


def open_parser(spec: str) -> ConstituencyParser:
    """Open a parser, once per process; again when its files have changed.

    ``spec``: ``chart`` is shipped; ``benepar:benepar_en3`` is a model downloaded by that name,
    ``benepar:PATH`` a file or folder; ``bllip:DIRECTORY`` holds a unified BLLIP model.
    """
    if spec == ASSET:
        return chart()
    kind, path = _located(spec)
    return _open(kind, path, _state(path))


def parser_checksum(spec: str) -> str:
    """Return a short checksum of a parser's files; shipped files are verified."""
    if spec == ASSET:
        locate(ASSET)
        return load_manifest()[ASSET].checksum
    _, path = _located(spec)
    return _checksum(path, _state(path))


def path_in(spec: str) -> str | None:
    """Return the path at the end of a spec; None for a parser that is shipped or downloaded."""
    kind = spec.partition(":")[0]
    return path_after(f"{kind}:", spec) if kind in KINDS else None


def _located(spec: str) -> tuple[str, Path]:
    """Return the kind and path of a parser that is not shipped."""
    kind, _, name = spec.partition(":")
    if not name or kind not in KINDS:
        raise UnknownName("parser", spec, PARSERS)
    return kind, extension(kind).path_of(name).resolve()


@cache
def _open(kind: str, path: Path, state: State) -> ConstituencyParser:
    parser: ConstituencyParser = extension(kind).open_model(path, _checksum(path, state))
    return parser


def _state(path: Path) -> State:
    """Return the state of a model's files, without hidden ones."""
    if path.is_file():
        files = [path]
    else:
        parts = ((p, p.relative_to(path).parts) for p in path.rglob("*"))
        files = sorted(p for p, names in parts if p.is_file() and not _hidden(names))
    stats = ((file, file.stat()) for file in files)
    return tuple((str(file), stat.st_mtime_ns, stat.st_size) for file, stat in stats)


def _hidden(names: tuple[str, ...]) -> bool:
    """Return whether a path within a folder leads to a hidden file or through a hidden folder."""
    return any(name.startswith(".") for name in names)


@cache
def _checksum(path: Path, state: State) -> str:
    if path.is_file():
        return file_checksum(path)[:12]
    files = [(Path(name).relative_to(path), file_checksum(Path(name))) for name, _, _ in state]
    joined = "".join(f"{name.as_posix()}:{sha};" for name, sha in files)
    return hashlib.sha256(joined.encode()).hexdigest()[:12]

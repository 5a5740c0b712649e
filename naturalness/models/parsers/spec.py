"""Open constituency parsers by name: the shipped parser, benepar models and BLLIP models."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from naturalness.errors import UnknownName
from naturalness.extensions import extension
from naturalness.files.resources import file_checksum, load_manifest, locate
from naturalness.models.huggingface import State, checksum_by, path_after, state_of
from naturalness.models.parsers.base import ConstituencyParser
from naturalness.models.parsers.chart.parser import ASSET, chart

KINDS = ("benepar", "bllip")
PARSERS = (ASSET, "benepar:NAME_OR_PATH", "bllip:DIRECTORY")


def open_parser(spec: str) -> ConstituencyParser:
    """Open a parser once per process, and again only if its files have changed.

    ``spec`` can be ``chart`` for the shipped parser, ``benepar:NAME`` for a downloaded model such as ``benepar_en3``,
    ``benepar:PATH`` for a model in a file or folder, or ``bllip:DIRECTORY`` for the folder of a unified BLLIP model.
    """
    if spec == ASSET:
        return chart()
    kind, path = _located(spec)
    return _open(kind, path, _state(path))


def parser_checksum(spec: str) -> str:
    """Return a short checksum of a parser's files; the files of the shipped parser are verified."""
    if spec == ASSET:
        locate(ASSET)
        return load_manifest()[ASSET].checksum
    _, path = _located(spec)
    return _checksum(path, _state(path))


def path_in(spec: str) -> str | None:
    """Return the path in a spec; None if the parser is shipped or was downloaded by name."""
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
    """Return the name, modification time and size of each of a model's files, except hidden files."""
    if path.is_file():
        return state_of(path.parent, [path])
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return state_of(path, [f for f in files if not any(n.startswith(".") for n in f.relative_to(path).parts)])


@cache
def _checksum(path: Path, state: State) -> str:
    return file_checksum(path)[:12] if path.is_file() else checksum_by(path, state)

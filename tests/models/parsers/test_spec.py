"""Parsers of benepar by name, and their checksums."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from naturalness.errors import MissingPackage, ModelError, UnknownName
from naturalness.models.parsers import benepar
from naturalness.models.parsers.spec import open_parser, parser_checksum


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a folder with the names of a benepar model's files."""
    path = tmp_path / "models" / "benepar_en9"
    path.mkdir(parents=True)
    (path / "config.json").write_bytes(b"{}")
    (path / "benepar_model.bin").write_bytes(b"weights")
    return path


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("benepar:", UnknownName, "choose from: benepar:NAME_OR_PATH"),
        ("bllip:WSJ", UnknownName, r"pip install \./replication"),
        ("benepar:\0", ModelError, r"benepar\.download"),
        ("benepar:.", ModelError, r"config\.json"),
    ],
)
def test_unknown_parsers_are_refused(
    name: str, error: type[Exception], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown parser raises an error that says which form of name is expected."""
    monkeypatch.chdir(tmp_path)
    for act in (open_parser, parser_checksum):
        with pytest.raises(error, match=message):
            act(name)


def test_a_parser_is_opened_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser is opened again only if its files, except hidden ones, change; the checksum covers names and bytes."""
    opened: list[tuple[Path, str]] = []
    monkeypatch.setattr(benepar, "open_model", lambda *arguments: opened.append(arguments))
    name, weights = f"benepar:{folder}", folder / "benepar_model.bin"
    before = sha(f"benepar_model.bin:{sha(b'weights')};config.json:{sha(b'{}')};".encode())[:12]
    open_parser(name)
    (folder / ".hidden").write_bytes(b"x")
    open_parser(f"{name}/../{folder.name}/")
    assert opened == [(folder, before)]
    weights.write_bytes(b"others")
    open_parser(name)
    assert opened[1:] == [(folder, parser_checksum(name))] and opened[1] != opened[0]
    assert parser_checksum(f"benepar:{weights}") == sha(b"others")[:12]


def test_a_downloaded_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A downloaded model is found by name in nltk's data folders; a path with that name takes precedence."""
    data = pytest.importorskip("nltk.data", reason="nltk is in the extra 'test'")
    monkeypatch.setattr(benepar, "require_package", lambda *_, **__: None)
    monkeypatch.setattr(data, "path", ["/nowhere", str(folder.parents[1])])
    assert parser_checksum("benepar:benepar_en9") == parser_checksum(f"benepar:{folder}")
    with pytest.raises(ModelError, match=r"no benepar model 'benepar_en3'.*download\('benepar_en3'"):
        parser_checksum("benepar:benepar_en3")
    monkeypatch.chdir(folder.parents[1])
    Path("benepar_en9").write_bytes(b"a")
    assert parser_checksum("benepar:benepar_en9") == sha(b"a")[:12]


def test_a_missing_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra that installs it; the checksum of a path needs no package."""
    monkeypatch.setitem(sys.modules, "benepar", None)
    for name in (f"benepar:{folder}", "benepar:benepar_en3"):
        with pytest.raises(MissingPackage, match=r"'benepar' .*naturalness\[benepar\]"):
            open_parser(name)
    assert parser_checksum(f"benepar:{folder}")

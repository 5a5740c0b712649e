"""Parsers by name: shipped, benepar's, BLLIP's; what a saved model remembers of them."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from naturalness.errors import AssetError, MissingPackage, ModelError, UnknownName
from naturalness.files.resources import ASSETS_VARIABLE, load_manifest
from naturalness.models.parsers import benepar, spec
from naturalness.models.parsers.spec import open_parser, parser_checksum
from naturalness.research import bllip

BLLIP_FILES = (
    "parser/terms.txt",
    "parser/headInfo.txt",
    "parser/pSgT.txt",
    "reranker/features.gz",
    "reranker/weights.bz2",
)


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What looks like a benepar model."""
    path = tmp_path / "models" / "benepar_en9"
    path.mkdir(parents=True)
    (path / "config.json").write_bytes(b"{}")
    (path / "benepar_model.bin").write_bytes(b"weights")
    return path


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, str]]:
    """Place and checksum of each model that is opened; none is."""
    seen: list[tuple[Path, str]] = []

    def note(path: Path, checksum: str) -> int:
        seen.append((path, checksum))
        return len(seen)

    monkeypatch.setattr(benepar, "open_model", note)
    monkeypatch.setattr(bllip, "open_model", note)
    return seen


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chrat", "did you mean 'chart'"),
        ("benepar", "benepar:NAME_OR_PATH, bllip:DIRECTORY, chart"),
        ("benepar:", "choose from"),
        ("bllip:", "choose from"),
        ("chart:2", "unknown parser 'chart:2'"),
        ("/a/path", "choose from"),
        ("", "choose from"),
    ],
)
def test_unknown_names_say_what_there_is(name: str, message: str) -> None:
    """Whoever asks."""
    for act in (open_parser, parser_checksum):
        with pytest.raises(UnknownName, match=message):
            act(name)


@pytest.mark.parametrize("name", ["nothing/here", "two words", "\0", "x" * 5000, "."])
@pytest.mark.parametrize("kind", ["benepar", "bllip"])
def test_models_that_are_not_there(kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what is expected."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(benepar, "require_package", lambda *_, **__: None)
    for act in (open_parser, parser_checksum):
        with pytest.raises(ModelError, match=r"benepar\.download|config\.json|ModelFetcher"):
            act(f"{kind}:{name}")


def test_the_shipped_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is the asset `chart`, with its checksum, which is verified; it stands on the asset `detector`."""
    content = b"no network"
    (tmp_path / "network.json").write_bytes(content)
    entry = {
        "name": "chart",
        "kind": "parser",
        "description": "",
        "licence": "CC0",
        "sources": [],
        "command": "make",
        "date": "2026-01-01",
        "files": [{"path": "network.json", "bytes": len(content), "sha256": sha(content)}],
    }
    entries = [entry, entry | {"name": "detector"}]
    (tmp_path / "manifest.json").write_text(json.dumps({"manifest_version": 1, "assets": entries}))
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    assert parser_checksum("chart") == load_manifest()["chart"].checksum
    with pytest.raises(AssetError, match="holds no network of the parser"):
        open_parser("chart")
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "manifest.json").write_bytes((tmp_path / "manifest.json").read_bytes())
    monkeypatch.setenv(ASSETS_VARIABLE, str(damaged))
    for act in (open_parser, parser_checksum):
        with pytest.raises(AssetError, match=r"network\.json is missing"):
            act("chart")


def test_checksum_of_a_file(tmp_path: Path) -> None:
    """Is that of its bytes, whatever its name."""
    for name, content in (("one.pt", b"a"), ("two.pt", b"a"), ("three.pt", b"b")):
        (tmp_path / name).write_bytes(content)
        assert parser_checksum(f"benepar:{tmp_path / name}") == sha(content)[:12]


def test_checksum_of_a_folder(folder: Path) -> None:
    """Is over names and bytes; hidden files are not the model's."""
    lines = f"benepar_model.bin:{sha(b'weights')};config.json:{sha(b'{}')};"
    checksum = parser_checksum(f"benepar:{folder}")
    assert checksum == sha(lines.encode())[:12]
    (folder / ".git").mkdir()
    (folder / ".git" / "index").write_bytes(b"x")
    assert parser_checksum(f"benepar:{folder}/") == checksum
    (folder / "spiece.model").write_bytes(b"x")
    assert parser_checksum(f"benepar:{folder}") != checksum


def test_parsers_are_opened_once(folder: Path, opened: list[tuple[Path, str]]) -> None:
    """But again when another was put in its place."""
    name = f"benepar:{folder}"
    assert open_parser(name) is open_parser(f"benepar:{folder}/../{folder.name}")
    assert opened == [(folder, parser_checksum(name))]
    (folder / "benepar_model.bin").write_bytes(b"others")
    open_parser(name)
    assert [checksum for _, checksum in opened] == [opened[0][1], parser_checksum(name)]
    assert opened[0][1] != opened[1][1]


def test_a_bllip_directory(tmp_path: Path, opened: list[tuple[Path, str]]) -> None:
    """Has the files without which its package would end the process."""
    for file in BLLIP_FILES:
        with pytest.raises(ModelError, match=r"lacks .*ModelFetcher"):
            open_parser(f"bllip:{tmp_path}")
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    open_parser(f"bllip:{tmp_path}")
    assert opened == [(tmp_path, parser_checksum(f"bllip:{tmp_path}"))]


def test_a_downloaded_benepar_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is found by name where nltk keeps its data; a path of that name goes first."""
    data = pytest.importorskip("nltk.data", reason="nltk is in the extra 'test'")
    monkeypatch.setattr(benepar, "require_package", lambda *_, **__: None)
    monkeypatch.setattr(data, "path", ["/nowhere", str(folder.parents[1])])
    assert parser_checksum("benepar:benepar_en9") == parser_checksum(f"benepar:{folder}")
    with pytest.raises(ModelError, match=r"no benepar model 'benepar_en3'.*download\('benepar_en3'"):
        parser_checksum("benepar:benepar_en3")
    here = folder.parents[1]
    (here / "benepar_en9").write_bytes(b"a")
    monkeypatch.chdir(here)
    assert parser_checksum("benepar:benepar_en9") == sha(b"a")[:12]


def test_missing_packages_are_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that has them; a checksum of a path needs none."""
    for name in ("benepar", "bllipparser"):
        monkeypatch.setitem(sys.modules, name, None)
    for file in BLLIP_FILES:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    for name in (f"benepar:{folder}", "benepar:benepar_en3"):
        with pytest.raises(MissingPackage, match=r"'benepar' .*naturalness\[benepar\]"):
            open_parser(name)
    with pytest.raises(MissingPackage, match=r"'bllipparser'.*naturalness\[bllip\]"):
        open_parser(f"bllip:{tmp_path}")
    assert parser_checksum(f"benepar:{folder}") and parser_checksum(f"bllip:{tmp_path}")


def test_names_are_those_of_the_modules() -> None:
    """The table of what there is and the modules agree."""
    assert [name.partition(":")[0] for name in spec.PARSERS] == ["chart", benepar.KIND, bllip.KIND]

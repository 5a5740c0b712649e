"""Folders of language models: opening, copying and damage."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import ModelError
from naturalness.files.resources import file_checksum
from naturalness.models.language.store import MANIFEST, open_model, read_manifest
from tests.support.damage import MISSING, entries, flip
from tests.support.language_models import doc_of, train


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model."""
    return train(tmp_path_factory.mktemp("store") / "harbour")


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """Return a copy of the model that a test can damage."""
    return Path(shutil.copytree(original, tmp_path / "copy"))


def test_a_copy_is_the_same_model(folder: Path, original: Path) -> None:
    """The signature depends neither on the location nor on the optional ARPA file."""
    signature = open_model(original).signature
    (folder / "model.arpa").unlink()
    assert open_model(folder).signature == signature


@pytest.mark.parametrize("name", ["order-3.binary", "units-by-count.tsv.gz", "capitals.txt.gz"])
def test_changed_and_missing_files_are_named(folder: Path, name: str) -> None:
    """A missing file and a single changed bit are detected, and the error names the file."""
    flip(name)(folder)
    with pytest.raises(ModelError, match=rf"{name} differs from the manifest in its checksum"):
        open_model(folder)
    (folder / name).unlink()
    with pytest.raises(ModelError, match=rf"{name} is missing; copy the whole folder again"):
        open_model(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format_version": 3}, "format version 3; this release reads 2"),
        ({"format_version": True}, "format version True"),
        ({"format_version": MISSING}, "damaged"),
        ({"files": MISSING}, "damaged"),
        ({"orders": {"three": "order-3.binary"}}, "damaged"),
        ({"orders": {}}, "does not describe a language model"),
        ({"units": "letters"}, "does not describe a language model"),
        ({"files": {}}, "does not describe a language model"),
    ],
)
def test_damaged_manifests_are_refused(folder: Path, change: dict[str, Any], message: str) -> None:
    """The manifest is checked before any file is opened."""
    entries(MANIFEST, **change)(folder)
    with pytest.raises(ModelError, match=message):
        open_model(folder)


@pytest.mark.parametrize("name", ["../other.binary", "sub/x.binary", ".."])
def test_files_outside_the_folder_are_refused(folder: Path, name: str) -> None:
    """A path outside the folder is refused even if the file exists and its checksum matches."""
    outside = folder.parent / "other.binary"
    shutil.copy(folder / "order-3.binary", outside)
    (folder / "sub").mkdir()
    shutil.copy(outside, folder / "sub" / "x.binary")

    files = read_manifest(folder).files
    entries(MANIFEST, orders={"3": name}, files={**files, name: files["order-3.binary"]})(folder)
    with pytest.raises(ModelError, match="is missing"):
        open_model(folder)


def test_models_of_pieces_keep_the_pieces(tmp_path: Path) -> None:
    """The folder contains the SentencePiece model, whose checksum identifies the reader."""
    folder = train(tmp_path / "m", kind="pieces")
    model = open_model(folder)
    assert model.read.kind == "pieces"
    assert model.read.encoder == file_checksum(folder / "pieces.model")
    scores = model.token_logprobs([doc_of("The harbour .")])[0]
    assert "".join(scores.units[:-2]).replace("▁", " ").split() == ["The", "harbour"]
    (folder / "pieces.model").write_bytes(b"")
    with pytest.raises(ModelError, match=r"pieces\.model differs from the manifest in its checksum"):
        open_model(folder)

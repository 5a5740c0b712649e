"""Assets are located and verified; damaged ones are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from naturalness.errors import AssetError, MissingPackage, UnknownName
from naturalness.files.resources import ASSETS_VARIABLE, assets_folder, load_manifest, locate, problems, require_package
from naturalness.models.detector import detector
from naturalness.models.language.shipped import neural
from tests.support.manifest import write_manifest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of assets with one small file."""
    (tmp_path / "words.txt").write_text("a b c")
    write_manifest(tmp_path, words="words.txt")
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    return tmp_path


def test_a_changed_asset_is_refused(folder: Path) -> None:
    """A file with other bytes is refused, even if it has the same size."""
    (folder / "words.txt").write_text("a b d")
    with pytest.raises(AssetError, match="differs from the manifest in its checksum"):
        locate("words")


@pytest.mark.parametrize("name", ["detector", "neural"])
def test_a_network_with_one_flipped_bit_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged network is refused before it is opened."""
    source = assets_folder()
    for file in load_manifest()[name].files:
        copy = tmp_path / file.path
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(source / file.path, copy)
    shutil.copyfile(source / "manifest.json", tmp_path / "manifest.json")
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    assert problems(load_manifest()[name]) == []
    path = tmp_path / name / f"{name}.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    opened = {"detector": detector, "neural": neural}[name]
    with pytest.raises(AssetError, match="differs from the manifest in its checksum"):
        opened()


def test_a_file_outside_the_folder_is_refused(folder: Path) -> None:
    """A manifest cannot refer to a file outside its folder."""
    text = (folder / "manifest.json").read_text().replace("words.txt", "../words.txt")
    (folder / "manifest.json").write_text(text)
    assert "outside" in problems(load_manifest()["words"])[0]


def test_an_unknown_asset_is_named_with_a_guess(folder: Path) -> None:
    """A misspelt name gets a suggestion."""
    with pytest.raises(UnknownName, match="did you mean 'words'"):
        locate("wordz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "damaged"),
        ('{"manifest_version": 99, "assets": []}', "manifest version 99"),
        ("[]", "manifest version None"),
        ('{"manifest_version": 1, "assets": [{"name": "x"}]}', "incomplete"),
    ],
)
def test_a_bad_manifest_is_one_clear_error(folder: Path, content: str, message: str) -> None:
    """A damaged manifest, another version and incomplete entries raise different errors."""
    (folder / "manifest.json").write_text(content)
    with pytest.raises(AssetError, match=message):
        load_manifest()


def test_shipped_assets_are_complete() -> None:
    """Every file of the manifest exists with its checksum."""
    for asset in load_manifest().values():
        assert problems(asset) == []
        assert asset.licence
        assert asset.sources


def test_shipped_assets_are_within_the_budget() -> None:
    """No file is above 60 MB, the pipeline at most 12 MB, everything at most 95 MB."""
    manifest = load_manifest()
    assert max(file.bytes for asset in manifest.values() for file in asset.files) <= 60_000_000
    assert manifest["pipeline"].size <= 12_000_000
    assert sum(asset.size for asset in manifest.values()) <= 95_000_000


def test_a_missing_package_says_what_to_install() -> None:
    """The error about a missing package contains the pip command that installs it."""
    with pytest.raises(MissingPackage, match=r"pip install 'naturalness\[ray\]'"):
        require_package("no_such_module", user="a test", extra="ray")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise OSError('libfoo.so: cannot open shared object file')", "libfoo.so: cannot open shared object file"),
        ("from json import no_such_name", "cannot import name 'no_such_name' from 'json'"),
    ],
)
def test_a_package_that_fails_to_import_says_why(
    code: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error contains the reason, and does not advise installing a package that is installed."""
    (tmp_path / "broken_package.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingPackage) as caught:
        require_package("broken_package", user="a test", extra="ray")
    assert str(caught.value).startswith(f"a test needs package 'broken_package', which fails to import ({reason}")
    assert str(caught.value).endswith("); install what it lacks, or another version of it")
    assert "pip install" not in str(caught.value)


def test_errors_can_be_pickled() -> None:
    """A pickled error keeps its message."""
    import pickle

    from naturalness.errors import NaturalnessError, TrainingError

    errors: list[NaturalnessError] = [
        UnknownName("learner", "xgbost", ["xgboost"]),
        UnknownName("metric", "gleu", ["gleu-link"], "it is called 'gleu-structure'"),
        MissingPackage("parser 'x'", "benepar", "benepar"),
        MissingPackage("parser 'x'", "benepar", "benepar", "No module named 'torch'"),
        TrainingError("too few"),
    ]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)

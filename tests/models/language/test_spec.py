"""Language models by name: shipped ones, folders and files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from naturalness.errors import AssetError, ModelError, NaturalnessError
from naturalness.files.resources import ASSETS_VARIABLE
from naturalness.models.language.spec import checksum_of, open_language_model
from naturalness.models.language.store import MANIFEST, manifest_bytes, manifest_data, read_manifest, write_manifest
from tests.support.language_models import HARBOUR, KITCHEN, doc_of, train
from tests.support.manifest import write_manifest as write_assets


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train two models."""
    folder = tmp_path_factory.mktemp("spec")
    train(folder / "harbour", HARBOUR)
    train(folder / "kitchen", KITCHEN, arpa=False)
    return folder


@pytest.fixture
def folder(originals: Path, tmp_path: Path) -> Path:
    """Return a copy of the two models."""
    return Path(shutil.copytree(originals, tmp_path / "models"))


@pytest.fixture
def assets(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of assets with a model of words, and a model of two orders named tags."""
    root = tmp_path / "assets"
    shutil.copytree(originals / "harbour", root / "words")
    shutil.copytree(originals / "kitchen", root / "tags")
    shutil.copy(train(tmp_path / "short", KITCHEN, order=2) / "order-2.binary", root / "tags")
    manifest = read_manifest(root / "tags")
    orders = {2: "order-2.binary", 3: "order-3.binary"}
    write_manifest(root / "tags", "tags", manifest.kind, orders, {})
    write_assets(root, words="words", tags="tags")
    monkeypatch.setenv(ASSETS_VARIABLE, str(root))
    return root


def test_shipped_models_have_names(assets: Path) -> None:
    """The name of a shipped model may include an order; all orders of a folder share a checksum."""
    models = {name: open_language_model(name) for name in ("words", "tags", "tags:2")}
    assert {name: model.kenlm.order for name, model in models.items()} == {"words": 3, "tags": 3, "tags:2": 2}
    assert models["words"].signature.endswith(checksum_of("words"))
    assert checksum_of("tags") == checksum_of("tags:2") == checksum_of(str(assets / "tags"))
    with pytest.raises(ModelError, match="no model of order 4; it has 2, 3"):
        open_language_model("tags:4")
    with pytest.raises(NaturalnessError, match="unknown asset 'pieces'"):
        open_language_model("pieces")


@pytest.mark.parametrize("name", ["order-3.binary", "units-by-count.tsv.gz", "manifest.json"])
def test_damaged_shipped_models_are_refused(assets: Path, name: str) -> None:
    """A single changed bit in a shipped model is detected; the error says what to do."""
    data = bytearray((assets / "words" / name).read_bytes())
    data[len(data) // 2] ^= 1
    (assets / "words" / name).write_bytes(data)
    with pytest.raises(AssetError, match=rf"words/{name} differs from the manifest in its checksum.*pip install"):
        open_language_model("words")


def test_a_forged_manifest_of_a_shipped_model_is_refused(assets: Path) -> None:
    """The manifest of the assets contains the checksum of the folder's manifest."""
    (assets / "words" / "order-3.binary").write_bytes(b"forged")
    manifest = read_manifest(assets / "tags")
    write_manifest(assets / "words", "words", manifest.kind, {3: "order-3.binary"}, {})
    with pytest.raises(AssetError, match=r"order-3\.binary has"):
        open_language_model("words")


def test_a_folder_may_have_the_name_of_a_shipped_model(
    assets: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`words` names the shipped model, and `./words` the folder."""
    (folder / "kitchen").rename(folder / "words")
    monkeypatch.chdir(folder)
    assert open_language_model("words").name == "harbour"
    assert open_language_model("./words").name == "kitchen"


def test_a_folder_and_its_file_have_the_same_scores(folder: Path) -> None:
    """A folder and its binary file give the same probabilities, under different checksums."""
    specs = [str(folder / "harbour"), str(folder / "harbour/order-3.binary")]
    doc = doc_of("The boat came back .")
    one, other = (open_language_model(spec).token_logprobs([doc])[0].logprobs.tolist() for spec in specs)
    assert one == other
    assert checksum_of(specs[0]) != checksum_of(specs[1])


def test_models_are_opened_once(folder: Path) -> None:
    """A model is opened again only if its folder has been replaced."""
    spec = str(folder / "harbour")
    first = open_language_model(spec)
    assert open_language_model(spec) is first
    assert open_language_model(f"{spec}/../harbour") is first
    shutil.rmtree(spec)
    shutil.copytree(folder / "kitchen", spec)
    assert open_language_model(spec).name == "kitchen"


@pytest.mark.parametrize("spec", ["nothing", "tags:two", "\0", "x" * 5000, ""])
def test_unknown_names_are_errors(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error lists the shipped models, and the kinds of folders and files that are accepted."""
    monkeypatch.chdir(tmp_path)
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=r"language model.*[Ee]xpected words|has no manifest"):
            act(spec)


@pytest.mark.parametrize(
    ("key", "message"), [("mixture", "name one of its models"), ("neural", r"LSTM.*pip install \./replication")]
)
def test_former_kinds_of_models_are_refused(folder: Path, key: str, message: str) -> None:
    """The error of a mixture or an LSTM, which 0.3 could open, says what to do."""
    path = folder / "harbour"
    (path / MANIFEST).write_bytes(manifest_bytes(manifest_data(path) | {key: []}))
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=message):
            act(str(path))

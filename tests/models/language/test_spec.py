"""Language models by name: shipped ones, folders, files, mixtures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from naturalness.errors import AssetError, ModelError, NaturalnessError
from naturalness.files.resources import ASSETS_VARIABLE, file_checksum
from naturalness.models.language.mixture import Mixture
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import checksum_of, location, open_language_model, open_single
from naturalness.models.language.store import NamedModel, Part, read_manifest, write_manifest, write_mixture
from naturalness.text.view import view
from tests.support.language_models import HARBOUR, KITCHEN, doc_of, train


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models."""
    folder = tmp_path_factory.mktemp("spec")
    train(folder / "harbour", HARBOUR)
    train(folder / "kitchen", KITCHEN, arpa=False)
    return folder


@pytest.fixture
def folder(originals: Path, tmp_path: Path) -> Path:
    """A copy of them with a mixture, which names them as seen from itself."""
    root = Path(shutil.copytree(originals, tmp_path / "models"))
    mix(root / "both", ("../harbour", "../kitchen"))
    return root


def mix(folder: Path, paths: tuple[str, ...], weights: tuple[float, ...] = (0.75, 0.25)) -> None:
    folder.mkdir()
    parts = [
        Part(NamedModel(path, False, checksum_of(str(folder / path))), weight)
        for path, weight in zip(paths, weights, strict=True)
    ]
    write_mixture(folder, "both", "words", parts, {})


@pytest.fixture
def assets(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Assets with a model of words and one of two orders under the name of tags."""
    root = tmp_path / "assets"
    shutil.copytree(originals / "harbour", root / "words")
    shutil.copytree(originals / "kitchen", root / "tags")
    shutil.copy(train(tmp_path / "short", KITCHEN, order=2) / "order-2.binary", root / "tags")
    manifest = read_manifest(root / "tags")
    orders = {2: "order-2.binary", 3: "order-3.binary"}
    write_manifest(root / "tags", "tags", manifest.kind, orders, {})
    entries = [
        {
            "name": name,
            "kind": "language model",
            "description": "",
            "licence": "CC0",
            "sources": [],
            "command": "make",
            "date": "2026-01-01",
            "files": [
                {"path": f"{name}/{path.name}", "bytes": path.stat().st_size, "sha256": file_checksum(path)}
                for path in sorted((root / name).iterdir())
            ],
        }
        for name in ("words", "tags")
    ]
    (root / "manifest.json").write_text(json.dumps({"manifest_version": 1, "assets": entries}))
    monkeypatch.setenv(ASSETS_VARIABLE, str(root))
    return root


def test_shipped_models_have_names(assets: Path) -> None:
    """With an order where a folder has several."""
    models = {name: open_language_model(name) for name in ("words", "tags", "tags:2")}
    assert {name: model.order for name, model in models.items()} == {"words": 3, "tags": 3, "tags:2": 2}
    assert models["words"].signature.endswith(checksum_of("words"))
    assert checksum_of("tags") == checksum_of("tags:2") == checksum_of(str(assets / "tags"))
    with pytest.raises(ModelError, match="no model of order 4; it has 2, 3"):
        open_language_model("tags:4")
    with pytest.raises(NaturalnessError, match="unknown asset 'pieces'"):
        open_language_model("pieces")


@pytest.mark.parametrize("name", ["order-3.binary", "units-by-count.tsv.gz", "manifest.json"])
def test_damaged_shipped_models_are_refused(assets: Path, name: str) -> None:
    """One bit is enough; the message says how to mend it."""
    data = bytearray((assets / "words" / name).read_bytes())
    data[len(data) // 2] ^= 1
    (assets / "words" / name).write_bytes(data)
    with pytest.raises(AssetError, match=rf"words/{name} has another checksum.*pip install"):
        open_language_model("words")


def test_a_manifest_that_vouches_for_other_files_is_refused(assets: Path) -> None:
    """Checksums in a shipped folder count only where the assets' manifest knows the folder's."""
    (assets / "words" / "order-3.binary").write_bytes(b"forged")
    manifest = read_manifest(assets / "tags")
    write_manifest(assets / "words", "words", manifest.kind, {3: "order-3.binary"}, {})
    with pytest.raises(AssetError, match=r"order-3\.binary has"):
        open_language_model("words")


def test_a_folder_may_have_the_name_of_a_shipped_model(
    assets: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`./words` is the folder."""
    (folder / "kitchen").rename(folder / "words")
    monkeypatch.chdir(folder)
    assert open_language_model("words").name == "harbour"
    assert open_language_model("./words").name == "kitchen"


def test_folders_and_files(folder: Path) -> None:
    """A folder, its ARPA file, its KenLM file: the same probabilities."""
    specs = [folder / "harbour", folder / "harbour/model.arpa", folder / "harbour/order-3.binary"]
    seen = view(doc_of("The boat came back ."))
    scores = [open_language_model(str(spec)).score(seen) for spec in specs]
    assert scores[0].logprobs.tolist() == scores[2].logprobs.tolist()
    assert scores[0].logprobs.tolist() == pytest.approx(scores[1].logprobs.tolist(), abs=1e-5)
    assert len({checksum_of(str(spec)) for spec in specs}) == 3


def test_models_are_opened_once(folder: Path) -> None:
    """But again when another was put in its place."""
    spec = str(folder / "harbour")
    first = open_language_model(spec)
    assert open_language_model(spec) is first
    assert open_language_model(f"{spec}/../harbour") is first
    shutil.rmtree(spec)
    shutil.copytree(folder / "kitchen", spec)
    assert open_language_model(spec).name == "kitchen"


def test_a_mixture_is_opened_with_its_models(folder: Path) -> None:
    """Weights and checksum; the same in another place, where its models come along."""
    spec = str(folder / "both")
    mixture = open_language_model(spec)
    assert isinstance(mixture, Mixture)
    assert open_language_model(spec) is mixture
    assert (mixture.weights, [m.name for m in mixture.models]) == ((0.75, 0.25), ["harbour", "kitchen"])
    assert mixture.signature == f"both:{checksum_of(spec)}"
    moved = folder.rename(folder.with_name("moved"))
    assert checksum_of(str(moved / "both")) == mixture.signature.removeprefix("both:")
    assert open_language_model(str(moved / "both")).signature == mixture.signature


def test_shipped_models_in_a_mixture(assets: Path, folder: Path) -> None:
    """By their names; the order makes another mixture of it."""
    signatures = set()
    for i, spec in enumerate(("tags", "tags:2")):
        parts = [Part(NamedModel(name, True, checksum_of(name)), 0.5) for name in ("words", spec)]
        (folder / str(i)).mkdir()
        write_mixture(folder / str(i), "m", "words", parts, {})
        model = open_language_model(str(folder / str(i)))
        assert model.signature.removeprefix("m:") == checksum_of(str(folder / str(i)))
        signatures.add(model.signature)
    assert len(signatures) == 2


def test_places_of_models(assets: Path, folder: Path, tmp_path: Path) -> None:
    """Of shipped ones as of others; links are followed."""
    (tmp_path / "link").symlink_to(folder / "harbour")
    assert location("tags:2") == assets.resolve() / "tags"
    assert location(str(tmp_path / "link")) == (folder / "harbour").resolve()
    with pytest.raises(ModelError, match="no language model 'nothing'"):
        location("nothing")


def test_a_mixture_of_other_models_is_refused(folder: Path) -> None:
    """One was trained again, one is gone."""
    spec = str(folder / "both")
    shutil.rmtree(folder / "kitchen")
    train(folder / "kitchen", HARBOUR)
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=r"another '\.\./kitchen' .*build the model again"):
            act(spec)
    shutil.rmtree(folder / "kitchen")
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=r"no language model .*kitchen"):
            act(spec)


def test_mixtures_are_not_mixed_again(folder: Path) -> None:
    """Nor opened where a single model is needed, so that none can name itself."""
    with pytest.raises(ModelError, match="is a mixture of models; expected a single one"):
        open_single(str(folder / "both"))
    parts = [Part(NamedModel(path, False, "0" * 12), 0.5) for path in ("../both", "../harbour")]
    write_mixture(folder / "both", "both", "words", parts, {})
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match="is a mixture of models"):
            act(str(folder / "both"))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"path": "../harbour", "weight": 1.0}, "damaged"),
        ({"weight": 1.0, "checksum": "0"}, "damaged"),
        ({"path": "../harbour", "weight": "much", "checksum": "0"}, "damaged"),
        ({"path": "../harbour", "weight": float("nan"), "checksum": "0"}, "damaged"),
        ({"path": "../harbour", "weight": 10**400, "checksum": "0"}, "damaged"),
        ("../harbour", "damaged"),
        ({"shipped": "../harbour", "weight": 1.0, "checksum": "0"}, "which is not shipped"),
    ],
)
def test_damaged_mixtures_are_refused(folder: Path, entry: object, message: str) -> None:
    """The manifest is named."""
    path = folder / "both" / "manifest.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "mixture": [entry, *data["mixture"]]}))
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=rf"manifest\.json.*{message}"):
            act(str(folder / "both"))


def test_weights_of_a_folder_must_sum_to_one(folder: Path) -> None:
    """They are read before anything is scored."""
    mix(folder / "odd", ("../harbour", "../kitchen"), (0.75, 0.5))
    with pytest.raises(ModelError, match=r"weights are 0\.75, 0\.5"):
        open_language_model(str(folder / "odd"))


@pytest.mark.parametrize("spec", ["nothing", "words:", "tags:two", "\0", "x" * 5000, "", "lm/../x"])
def test_unknown_names_say_what_there_is(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped names, folders, files."""
    monkeypatch.chdir(tmp_path)
    for act in (open_language_model, checksum_of):
        with pytest.raises(ModelError, match=r"language model.*[Ee]xpected words|has no manifest"):
            act(spec)


def test_a_single_model_keeps_its_class(folder: Path) -> None:
    """What opens is an n-gram model where nothing is mixed."""
    assert isinstance(open_language_model(str(folder / "harbour")), NgramModel)

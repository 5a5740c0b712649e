"""Folders of mixtures: written, opened with the models that they name, refused if these have changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from naturalness.errors import ModelError
from naturalness.models.language.spec import checksum_of, open_single
from naturalness_replication.language.folders import NamedModel, Part, open_language_model, write_mixture
from naturalness_replication.language.mixture import Mixture
from tests.support.language_models import HARBOUR, KITCHEN, train


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


def test_a_mixture_is_opened_with_its_models(folder: Path) -> None:
    """Weights and checksum; the same in another place, where its models come along."""
    spec = str(folder / "both")
    mixture = open_language_model(spec)
    assert isinstance(mixture, Mixture)
    assert open_language_model(spec) is mixture
    assert (mixture.weights, [m.name for m in mixture.models]) == ((0.75, 0.25), ["harbour", "kitchen"])
    moved = folder.rename(folder.with_name("moved"))
    assert open_language_model(str(moved / "both")).signature == mixture.signature


def test_shipped_models_in_a_mixture(folder: Path) -> None:
    """The order in a shipped model's name makes another mixture of it."""
    signatures = set()
    for i, spec in enumerate(("tags:2", "tags:3")):
        parts = [Part(NamedModel(name, True, checksum_of(name)), 0.5) for name in ("tags", spec)]
        (folder / str(i)).mkdir()
        write_mixture(folder / str(i), "m", "tags", parts, {})
        signatures.add(open_language_model(str(folder / str(i))).signature)
    assert len(signatures) == 2


def test_a_mixture_of_other_models_is_refused(folder: Path) -> None:
    """One was trained again, one is gone."""
    spec = str(folder / "both")
    shutil.rmtree(folder / "kitchen")
    train(folder / "kitchen", HARBOUR)
    with pytest.raises(ModelError, match=r"another '\.\./kitchen' .*build the model again"):
        open_language_model(spec)
    shutil.rmtree(folder / "kitchen")
    with pytest.raises(ModelError, match=r"no language model .*kitchen"):
        open_language_model(spec)


def test_mixtures_are_not_mixed_again(folder: Path) -> None:
    """Nor opened where a single model is needed, so that none can name itself."""
    with pytest.raises(ModelError, match="is a mixture or an LSTM"):
        open_single(str(folder / "both"))
    parts = [Part(NamedModel(path, False, "0" * 12), 0.5) for path in ("../both", "../harbour")]
    write_mixture(folder / "both", "both", "words", parts, {})
    with pytest.raises(ModelError, match="is a mixture or an LSTM"):
        open_language_model(str(folder / "both"))


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
    with pytest.raises(ModelError, match=rf"manifest\.json.*{message}"):
        open_language_model(str(folder / "both"))


def test_weights_of_a_folder_must_sum_to_one(folder: Path) -> None:
    """They are read before anything is scored."""
    mix(folder / "odd", ("../harbour", "../kitchen"), (0.75, 0.5))
    with pytest.raises(ModelError, match=r"weights are 0\.75, 0\.5"):
        open_language_model(str(folder / "odd"))

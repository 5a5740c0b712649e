"""The large model, with and without its package."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from naturalness.cli import run
from naturalness.errors import AssetError, ModelError, NaturalnessError, UnknownName
from naturalness.features import LARGE, check_requirements, resolve
from naturalness.files import resources
from naturalness.files.resources import assets_folder, load_manifest, locate, problems
from naturalness.judging.model import LARGE_MODEL, installed
from naturalness.models.detector import LARGE_ASSET
from naturalness.pipelines.scorer import load_model
from tests.support.manifest import write_manifest
from training.default_model.card import card
from training.default_model.products import PRODUCTS
from training.licences import FOLDER, licence_page

NATURAL, DAMAGED = "She has lived in this town for five years.", "She have lived in town this since five years."


def test_missing_package(capfd: pytest.CaptureFixture[str]) -> None:
    """Without its package, the model and its features are errors that say how to install it."""
    assert installed() == ("default", "fast", "prose")
    with pytest.raises(ModelError, match=r"the model 'large' is not installed; it comes .* pip install \./large"):
        load_model(LARGE_MODEL)
    with pytest.raises(NaturalnessError, match="asset 'large_detector' is not here; it comes in a package of its own"):
        check_requirements(resolve(["damage_large"]))
    assert run(["score", NATURAL, "--model", "large"]) == 2
    assert "pip install ./large" in capfd.readouterr().err
    assert run(["doctor"]) == 0
    assert "absent   large" in capfd.readouterr().out
    with pytest.raises(UnknownName, match="unknown asset 'large_detector'; it comes in a package of its own"):
        locate(LARGE_ASSET)


def test_files(large: Path) -> None:
    """The package has intact files below the size limit, with their licences and attributions."""
    manifest = load_manifest(large)
    assert manifest.keys() == {LARGE_MODEL, LARGE_ASSET}
    for asset in manifest.values():
        assert problems(asset) == []
        assert max(file.bytes for file in asset.files) <= 60_000_000
        assert (large / FOLDER / f"{asset.name}.md").read_text("utf-8") == licence_page(asset)
    for name in ("CC-BY-SA-4.0.txt", "Apache-2.0.txt", "attribution.tsv"):
        assert (large / FOLDER / name).read_bytes() == (assets_folder() / FOLDER / name).read_bytes()


def test_card(large: Path) -> None:
    """The card is current; if not, run `python -m training.default_model RATINGS CORPORA TREEBANKS --large --card`."""
    product = PRODUCTS[LARGE_MODEL]
    sources = json.loads((product.folder / "manifest.json").read_text("utf-8"))["training"]["sources"]
    names = [source["name"] for source in sources if "texts" in source]
    figures = dict(load_manifest()[product.asset].figures["sets"])
    assert (product.folder / "card.md").read_text("utf-8") == card(product, names, sources, figures)


def test_scores(large: Path) -> None:
    """The large model gives damaged sentences low scores, the same alone and in a batch."""
    model = load_model(LARGE_MODEL)
    assert [group.name for group in model.groups] == [group.name for group in resolve(LARGE)]
    together = model.score([NATURAL, DAMAGED, ""]).naturalness
    assert together[0] > 0.5 > together[1]
    assert math.isnan(together[2])
    assert model.score([DAMAGED]).naturalness[0] == together[1]


def test_explanations_name_causes_in_words(large: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`explain` names causes in words, not columns of the large detector."""
    assert run(["explain", DAMAGED, "--model", "large"]) == 0
    assert "damage_large__" not in capfd.readouterr().out


def test_assets_of_both_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assets that the large package adds are in its folder; assets that it repeats are ignored; damage is refused."""
    for name in ("words", "more"):
        (tmp_path / f"{name}.txt").write_text("a b c")
    write_manifest(tmp_path, words="words.txt", more="more.txt")
    monkeypatch.setattr(resources, "large_folder", lambda: tmp_path)
    assert load_manifest()["words"].kind != "table"
    assert list(load_manifest())[-1] == "more"
    assert load_manifest()["words"].folder == assets_folder()
    assert locate("more") == tmp_path / "more.txt"
    (tmp_path / "more.txt").write_text("a b d")
    assert problems(load_manifest()["more"]) == ["more.txt differs from the manifest in its checksum"]
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(AssetError, match=r"is damaged .*; reinstall it: it comes in a package of its own"):
        load_manifest()

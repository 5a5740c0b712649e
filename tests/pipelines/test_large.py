"""The large model, which comes in a package of its own: there, and not there."""

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

LARGE_FOLDER = resources.large_folder  # as it is, before tests hide the package
NATURAL, DAMAGED = "She has lived in this town for five years.", "She have lived in town this since five years."


def test_without_its_package_the_large_model_says_how_it_is_installed(capfd: pytest.CaptureFixture[str]) -> None:
    """In Python and on the command line; its features too."""
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


def test_a_folder_named_large_is_not_taken_for_the_model_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says how it is reached."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "manifest.json").write_text("{}")
    with pytest.raises(ModelError, match=r"write \./large for the folder of that name"):
        load_model(LARGE_MODEL)


def test_its_files_are_whole_and_licensed(large: Path) -> None:
    """Checksums, a page for each asset, the full texts, and sizes."""
    manifest = load_manifest(large)
    assert manifest.keys() == {LARGE_MODEL, LARGE_ASSET}
    for asset in manifest.values():
        assert problems(asset) == []
        assert max(file.bytes for file in asset.files) <= 60_000_000
        assert (large / FOLDER / f"{asset.name}.md").read_text("utf-8") == licence_page(asset)
    for name in ("CC-BY-SA-4.0.txt", "Apache-2.0.txt", "attribution.tsv"):
        assert (large / FOLDER / name).read_bytes() == (assets_folder() / FOLDER / name).read_bytes()


def test_its_card_tells_what_was_measured(large: Path) -> None:
    """Run `python -m training.default_model RATINGS CORPORA TREEBANKS --large --card` if this fails."""
    product = PRODUCTS[LARGE_MODEL]
    sources = json.loads((product.folder / "manifest.json").read_text("utf-8"))["training"]["sources"]
    names = [source["name"] for source in sources if "texts" in source]
    figures = dict(load_manifest()[product.asset].figures["sets"])
    assert (product.folder / "card.md").read_text("utf-8") == card(product, names, sources, figures)


def test_it_scores_alone_as_in_company_and_knows_damage(large: Path) -> None:
    """By its own detector and the cheap groups."""
    model = load_model(LARGE_MODEL)
    assert [group.name for group in model.groups] == [group.name for group in resolve(LARGE)]
    together = model.score([NATURAL, DAMAGED, ""]).naturalness
    assert together[0] > 0.5 > together[1]
    assert math.isnan(together[2])
    assert model.score([DAMAGED]).naturalness[0] == together[1]


def test_commands_know_it(large: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An explanation names causes in words."""
    assert run(["explain", DAMAGED, "--model", "large"]) == 0
    assert "damage_large__" not in capfd.readouterr().out


def test_its_package_is_looked_for_where_packages_are(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One without a manifest, such as what is left of one that was removed, is none."""
    look = LARGE_FOLDER.__wrapped__
    monkeypatch.syspath_prepend(large.parents[1])
    assert look() == large
    (tmp_path / "naturalness_large").mkdir()
    (tmp_path / "naturalness_large" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert look() is None


def test_an_asset_of_both_packages_is_the_own_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the large package adds is looked up in its folder; what it repeats is not read; damage is refused."""
    for name in ("words", "more"):
        (tmp_path / f"{name}.txt").write_text("a b c")
    write_manifest(tmp_path, words="words.txt", more="more.txt")
    monkeypatch.setattr(resources, "large_folder", lambda: tmp_path)
    assert load_manifest()["words"].kind != "table"
    assert list(load_manifest())[-1] == "more"
    assert load_manifest()["words"].folder == assets_folder()
    assert locate("more") == tmp_path / "more.txt"
    (tmp_path / "more.txt").write_text("a b d")
    assert problems(load_manifest()["more"]) == ["more.txt has another checksum than the manifest"]
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(AssetError, match=r"is damaged .*; reinstall it: it comes in a package of its own"):
        load_manifest()

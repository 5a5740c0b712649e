"""Citations and licence files agree with the manifest of assets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from naturalness import __version__
from naturalness.citing import ORIGINS, PAPERS, RELEASED, as_bibtex, as_text, cite
from naturalness.cli import run
from naturalness.files.resources import assets_folder, load_manifest
from training.licences import FOLDER, licence_page

ROOT = Path(__file__).parents[1]
SAVED = ROOT / "tests" / "assets" / "models" / "v2" / "linear"


def test_every_source_of_the_assets_has_its_makers_and_place() -> None:
    """Every source has a line in `ORIGINS`; without one it would be used without attribution."""
    for asset in load_manifest().values():
        for source in asset.sources:
            assert all(ORIGINS[source["name"]]), source["name"]


def test_the_text_names_papers_assets_and_sources() -> None:
    """Each is named with its address, licence and author."""
    text = " ".join(as_text(cite()).split())
    assert f"(version {__version__}). Computer software, Apache-2.0." in text
    assert len(PAPERS) == 4
    for paper in PAPERS:
        assert f"({paper.year}). {paper.title}" in text
        assert f"https://aclanthology.org/{paper.anthology}/" in text
    for asset in load_manifest().values():
        assert asset.name in text
    assert "Wikipedia (CC BY-SA 3.0). By contributors to Wikipedia;" in text
    assert "CRAFT 5 treebank (CC BY 3.0)." in text
    assert "Taught: chart, pcfg." in text


def test_bibtex_has_an_entry_for_each_with_a_key_of_its_own() -> None:
    """Braces match, keys differ, and special characters are escaped."""
    citation = cite()
    entries = as_bibtex(citation).strip().split("\n\n")
    assert len(entries) == 1 + len(PAPERS) + len(citation.data)
    keys = [re.match(r"@\w+\{([a-z0-9-]+),\n", entry) for entry in entries]
    assert len({key[1] for key in keys if key}) == len(entries)
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert not re.search(r"(?<!\\)[&%$#_]", entry)
    assert "author    = {Zhu, Wanzheng and Bhat, Suma}," in entries[4]


@pytest.mark.parametrize(
    ("model", "keys"),
    [("default", ["groves2018", "kann2018"]), ("fast", ["groves2018", "kann2018"]), (str(SAVED), ["groves2018"])],
)
def test_a_model_is_cited_with_what_it_reads(model: str, keys: list[str]) -> None:
    """A model's citation names the papers of its groups and the assets of its manifest, and itself if it ships."""
    citation = cite(model)
    assert [paper.key for paper in citation.papers] == keys
    names = {asset.name for asset in citation.assets}
    read = json.loads((SAVED / "manifest.json").read_text())["assets"]
    if model == str(SAVED):
        assert names == ({*read} | {"pipeline"}) & set(load_manifest())
    else:
        assert {"pipeline", {"default": "model"}.get(model, model)} <= names
        assert ("detector" in names) == (model == "default")
    taught = {data.name for data in citation.data}
    assert taught == {s["name"] for asset in citation.assets for s in asset.sources}


def test_the_command_prints_both_shapes(capfd: pytest.CaptureFixture[str]) -> None:
    """The command prints text by default; a folder that is not a model is one error."""
    assert run(["cite"]) == 0
    assert capfd.readouterr().out.startswith("The package\n  The naturalness developers (2026)")
    assert run(["cite", "--format", "bibtex", "--model", "fast"]) == 0
    assert capfd.readouterr().out.startswith("@misc{naturalness,\n")
    assert run(["cite", "--model", "nowhere"]) == 2
    assert "no model at 'nowhere'" in capfd.readouterr().err


def test_version_and_day_are_the_same_everywhere() -> None:
    """The package, pyproject.toml, the newest release of the changelog and CITATION.cff agree."""
    assert f'\nversion = "{__version__}"\n' in (ROOT / "pyproject.toml").read_text()
    (heading, *_) = re.findall(r"^## \d.* - .*$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading == f"## {__version__} - {RELEASED}"
    for package in ("large", "replication"):
        other = (ROOT / package / "pyproject.toml").read_text()
        assert f'\nversion = "{__version__}"\n' in other
        assert f'"naturalness=={__version__}"' in other
    citation = (ROOT / "CITATION.cff").read_text()
    assert f'\nversion: "{__version__}"\n' in citation
    assert f'\ndate-released: "{RELEASED}"\n' in citation


def test_each_asset_has_its_licence_file() -> None:
    """Run `python -m training.licences` when this fails."""
    folder = assets_folder() / FOLDER
    manifest = load_manifest(assets_folder())
    assert {page.stem for page in folder.glob("*.md")} == set(manifest)
    for asset in manifest.values():
        page = (folder / f"{asset.name}.md").read_text(encoding="utf-8")
        assert page == licence_page(asset)
        assert f"**{asset.licence}**" in page
        for source in asset.sources:
            assert f"| {source['name']} | {source['licence']} |" in page
        for text in re.findall(r"text.* is in `([^`]+)`", page):
            assert (folder / text).is_file()


def test_full_texts_and_works_are_there() -> None:
    """The licences are as published, and each corpus of the package lists its works."""
    folder = assets_folder() / FOLDER
    by_sa = (folder / "CC-BY-SA-4.0.txt").read_text(encoding="utf-8")
    assert by_sa.startswith("Attribution-ShareAlike 4.0 International")
    assert "Section 8 -- Interpretation." in by_sa
    assert (folder / "Apache-2.0.txt").read_text() == (ROOT / "LICENSE").read_text()
    works = (folder / "attribution.tsv").read_text(encoding="utf-8").splitlines()
    assert works[0] == "file\ttitle\tfrom\tlicence\tnote"
    assert all(row.count("\t") == 4 and row.split("\t")[3] for row in works)

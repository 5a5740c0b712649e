"""Licences of dependencies, assets and rated sets; the version and release date of the package."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from naturalness import __version__
from naturalness.files.resources import assets_folder, load_manifest
from training.default_model.sets import OF_MORE, SETS
from training.licences import FOLDER, ORIGINS, licence_page

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
GPL = re.compile(r"GPL|General Public Licen[cs]e", re.IGNORECASE)
TOOLS = ("test", "dev")
"""Extras whose packages only developers install."""


def dependencies(root: str) -> Iterator[str]:
    """Yield each distribution that a requirement installs, once; only the requested extras count."""
    waiting = [Requirement(root)]
    seen: set[tuple[str, str]] = set()
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        for extra in ("", *need.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            if not extra:
                yield name
            further = [Requirement(line) for line in requires(name) or ()]
            waiting += [one for one in further if one.marker is None or one.marker.evaluate({"extra": extra})]


def is_copyleft(name: str) -> bool:
    """Return whether a distribution is under the GPL, the LGPL or the AGPL, with no alternative licence."""
    about = metadata(name)
    # A run-time library of GCC in a wheel puts nothing else under its licence.
    expression = re.sub(r"\S+ WITH GCC-exception-\S+", "", about.get("License-Expression") or "")
    choices = [expression] if " AND " in expression else expression.split(" OR ")
    # The old field may hold a whole licence, and with it those of libraries in the wheel.
    field = (about.get("License") or "").strip().partition("\n")[0]
    classifiers = [line for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    return all(map(GPL.search, choices)) or any(map(GPL.search, [field, *classifiers]))


def test_the_default_install_has_no_gpl() -> None:
    """The package depends on no distribution under the GPL or the LGPL, as language-tool-python is."""
    names = set(dependencies("naturalness"))
    assert {"naturalness", "numpy", "spacy", "thinc"} <= names
    assert not list(filter(is_copyleft, sorted(names)))
    with contextlib.suppress(PackageNotFoundError):
        assert is_copyleft("language-tool-python")


def test_the_page_names_each_package_of_each_extra() -> None:
    """The table has every package that an extra installs, and no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if lines and name not in TOOLS}
    named: dict[str, set[str]] = {}
    extra = ""
    for row in re.findall(r"^\| (\S*) ?\| (.+) \| .+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[2:]:
        extra = row[0].strip("`") or extra
        named.setdefault(extra, set()).update(map(canonicalize_name, row[1].split(", ")))
    wanted = {"none": project["dependencies"], **extras}
    assert named == {
        name: {canonicalize_name(Requirement(line).name) for line in lines} for name, lines in wanted.items()
    }


@pytest.mark.parametrize("name", SETS)
def test_the_page_names_each_set_by_its_licence(name: str) -> None:
    """Each rated set is in the row of its licence; a star marks the sets that trained only heads."""
    table = PAGE.read_text(encoding="utf-8").partition("## Ratings")[2]
    word = re.escape(f"{name}\\*" if name in OF_MORE else name)
    terms = [
        row[0]
        for row in re.findall(r"^\| (.+) \| (.+) \|$", table, re.MULTILINE)
        if re.search(rf"(^|, ){word}(,|$| \()", row[1])
    ]
    wanted = (
        SETS[name].licence if SETS[name].licensed else "not stated" if SETS[name].share else "not used for training"
    )
    assert len(terms) == 1 and wanted in terms[0]


def test_every_source_of_an_asset_has_an_origin() -> None:
    """`ORIGINS` names the authors and the place of every source, so none is used without attribution."""
    for asset in load_manifest().values():
        for source in asset.sources:
            assert ORIGINS[source["name"]]["by"] and ORIGINS[source["name"]]["where"], source["name"]


def test_version_and_release_date_agree() -> None:
    """The package, every pyproject.toml, the latest entry of the changelog and CITATION.cff agree."""
    assert f'\nversion = "{__version__}"\n' in (ROOT / "pyproject.toml").read_text()
    (heading, *_) = re.findall(r"^## \d.* - .*$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    version, _, released = heading.removeprefix("## ").partition(" - ")
    assert version == __version__
    replication = (ROOT / "replication" / "pyproject.toml").read_text()
    assert f'\nversion = "{__version__}"\n' in replication
    assert re.search(rf'"naturalness(\[\w+\])?=={re.escape(__version__)}"', replication)
    citation = (ROOT / "CITATION.cff").read_text()
    assert f'\nversion: "{__version__}"\n' in citation
    assert f'\ndate-released: "{released}"\n' in citation


def test_each_asset_has_its_licence_file() -> None:
    """The licence file of each asset matches the manifest; `python -m training.licences` writes the files."""
    folder = assets_folder() / FOLDER
    manifest = load_manifest()
    assert {page.stem for page in folder.glob("*.md")} == set(manifest)
    for asset in manifest.values():
        page = (folder / f"{asset.name}.md").read_text(encoding="utf-8")
        assert page == licence_page(asset)
        assert f"**{asset.licence}**" in page
        for source in asset.sources:
            assert f"| {source['name']} | {source['licence']} |" in page
        for text in re.findall(r"text.* is in `([^`]+)`", page):
            assert (folder / text).is_file()


def test_licence_texts_and_attributions() -> None:
    """The licence texts are complete, and `attribution.tsv` has a licence in each row."""
    folder = assets_folder() / FOLDER
    by_sa = (folder / "CC-BY-SA-4.0.txt").read_text(encoding="utf-8")
    assert by_sa.startswith("Attribution-ShareAlike 4.0 International")
    assert "Section 8 -- Interpretation." in by_sa
    assert (folder / "Apache-2.0.txt").read_text() == (ROOT / "LICENSE").read_text()
    works = (folder / "attribution.tsv").read_text(encoding="utf-8").splitlines()
    assert works[0] == "file\ttitle\tfrom\tlicence\tnote"
    assert all(row.count("\t") == 4 and row.split("\t")[3] for row in works)

"""Cite the package, the papers behind it, and the data behind the assets that a model reads, as text or BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import TextWrapper
from typing import Any, NamedTuple

from naturalness import __version__
from naturalness.files.resources import Asset, load_manifest
from naturalness.files.toml import read_beside
from naturalness.judging.folder import Description
from naturalness.judging.model import SHIPPED, model_folder, read_description
from naturalness.pages.templating import render
from naturalness.text.parsing import DEFAULT_PIPELINE, PIPELINE

TITLE = "naturalness"
SUBTITLE = "How natural an English sentence sounds, and why"
AUTHORS = "The naturalness developers"
RELEASED = "2026-11-28"
"""The release date of this version; CHANGELOG.md and CITATION.cff state it too."""
CODE_LICENCE = "Apache-2.0"
ANTHOLOGY = "https://aclanthology.org"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper whose methods the package implements."""

    key: str
    authors: tuple[tuple[str, str], ...]
    """The given and family name of each author."""
    title: str
    venue: str
    year: int
    anthology: str
    """The identifier in the ACL Anthology."""
    gives: str
    """A description of the methods that the package takes from the paper."""
    groups: tuple[str, ...] = ()
    """The feature groups based on the paper; empty if every model is based on it."""

    @property
    def names(self) -> list[str]:
        """The full name of each author."""
        return [f"{first} {family}" for first, family in self.authors]

    @property
    def url(self) -> str:
        """The web address of the paper."""
        return f"{ANTHOLOGY}/{self.anthology}/"

    def taken_by(self, groups: Sequence[str]) -> bool:
        """Return whether a model with these feature groups is based on the paper."""
        return not self.groups or any(group.startswith(self.groups) for group in groups)


class DataOrigin(NamedTuple):
    """The authors of a data source, and the place where it can be found."""

    by: str
    where: str


def _read() -> tuple[tuple[Paper, ...], dict[str, DataOrigin]]:
    data = read_beside(__file__, "citations")
    papers = tuple(
        Paper(**(entry | {"authors": tuple(map(tuple, entry["authors"])), "groups": tuple(entry.get("groups", ()))}))
        for entry in data["papers"]
    )
    origins = {name: DataOrigin(entry["by"], entry["where"]) for entry in data["origins"] for name in entry["names"]}
    return papers, origins


PAPERS, ORIGINS = _read()
"""The papers, and the origin of each data source, keyed by the source's name in the asset manifest."""


@dataclass(frozen=True, slots=True)
class Data:
    """A data source from which shipped assets are made."""

    name: str
    licences: tuple[str, ...]
    """The licences that the asset manifest gives; several if assets use parts of the source with different licences."""
    origin: DataOrigin | None
    assets: tuple[str, ...]
    """The names of the assets made from this source."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything to cite in work that uses this package."""

    version: str
    released: str
    papers: tuple[Paper, ...]
    assets: tuple[Asset, ...]
    data: tuple[Data, ...]
    model: str = ""
    """The cited model; empty if everything that ships is cited."""
    learner: str = ""
    external: tuple[str, ...] = ()
    """The language models, parsers and encoders that the model reads and that are not shipped."""


def cite(model: str | None = None) -> Citation:
    """Return the citation for everything that ships or, if a model (shipped, or a folder) is named, for that model."""
    manifest = load_manifest()
    if model is None:
        assets = tuple(manifest.values())
        return Citation(__version__, RELEASED, PAPERS, assets, sources_of(assets))
    description = read_description(model_folder(model))
    assets = tuple(manifest[name] for name in _assets_of(model, description) if name in manifest)
    return Citation(
        __version__,
        RELEASED,
        tuple(paper for paper in PAPERS if paper.taken_by(description.groups)),
        assets,
        sources_of(assets),
        model,
        description.learner,
        _external(description, manifest),
    )


def _assets_of(model: str, description: Description) -> list[str]:
    """Return the names of the assets that a model reads, including the model itself if it ships."""
    itself = {SHIPPED[model]} if model in SHIPPED else set()
    pipeline = {PIPELINE} if description.nlp == DEFAULT_PIPELINE else set()
    return sorted(itself | pipeline | set(description.assets))


def _external(description: Description, manifest: Mapping[str, Asset]) -> tuple[str, ...]:
    """Return the names of the user's own models and programs, whose training data are unknown."""
    pipeline = [] if description.nlp == DEFAULT_PIPELINE else [f"spaCy pipeline {description.nlp}"]
    # "rules" is code of the package, which is listed among the assets only for its checksum.
    names = [name for name in description.assets if name not in manifest and name != "rules"]
    return (*pipeline, *sorted(names))


def sources_of(assets: Sequence[Asset]) -> tuple[Data, ...]:
    """Return the distinct data sources of assets, sorted by name."""
    licences: dict[str, dict[str, None]] = {}
    taught: dict[str, list[str]] = {}
    for asset in assets:
        for source in asset.sources:
            licences.setdefault(source["name"], {})[source["licence"]] = None
            taught.setdefault(source["name"], []).append(asset.name)
    return tuple(
        Data(name, tuple(licences[name]), ORIGINS.get(name), tuple(taught[name]))
        for name in sorted(licences, key=str.casefold)
    )


WIDTH = 88


def as_text(citation: Citation) -> str:
    """Return a citation as text, with sections for the package, papers, assets and data."""
    licences = list(dict.fromkeys(asset.licence for asset in citation.assets))
    text = _rendered("citation.txt.j2", citation, licences=licences, taught=_taught)
    wrapper = TextWrapper(WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(map(wrapper.fill, text.splitlines())) + "\n"


def _rendered(template: str, citation: Citation, **values: Any) -> str:
    package = {"authors": AUTHORS, "title": TITLE, "subtitle": SUBTITLE, "licence": CODE_LICENCE}
    return render(template, citation=citation, **package, **values)


def _taught(data: Data, assets: Sequence[Asset]) -> str:
    """Return the names of a source's assets; if they are the majority, "all", or "all but" and the other names."""
    others = [asset.name for asset in assets if asset.name not in data.assets]
    if len(others) >= len(data.assets):
        return ", ".join(data.assets)
    return f"all but {', '.join(others)}" if others else "all"


def as_bibtex(citation: Citation) -> str:
    """Return a citation as BibTeX: `@misc` for the package and data, `@inproceedings` for papers.

    Page numbers and DOIs are left out; they can be found at the address.
    """
    return _rendered("citation.bib.txt.j2", citation, escaped=_escaped, slug=_slug)


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:4])


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_])", r"\\\1", text)

"""What is to be cited: the package, papers, and the data behind the assets that a model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from naturalness import __version__
from naturalness.citing.papers import PAPERS, RELEASED, Paper
from naturalness.citing.sources import ORIGINS, Origin
from naturalness.files.resources import Asset, load_manifest
from naturalness.pipelines.scorer import SHIPPED, model_folder
from naturalness.pipelines.store import Description, read_description
from naturalness.text.parsing import DEFAULT_PIPELINE, PIPELINE


@dataclass(frozen=True, slots=True)
class Data:
    """One source of shipped models."""

    name: str
    licences: tuple[str, ...]
    """As the manifest states them; more than one where assets took different parts."""
    origin: Origin | None
    assets: tuple[str, ...]
    """What was made from it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything that a piece of work with this package rests on."""

    version: str
    released: str
    papers: tuple[Paper, ...]
    assets: tuple[Asset, ...]
    data: tuple[Data, ...]
    model: str = ""
    """The model that is cited for; empty for all that ships."""
    learner: str = ""
    own: tuple[str, ...] = ()
    """What that model reads besides: language models, parsers and encoders of one's own."""


def cite(model: str | None = None) -> Citation:
    """The citation of all that ships, or of what a model reads: a shipped one or a folder."""
    manifest = load_manifest()
    if model is None:
        assets = tuple(manifest.values())
        return Citation(__version__, RELEASED, PAPERS, assets, sources_of(assets))
    made = read_description(model_folder(model))
    assets = tuple(manifest[name] for name in _read_by(model, made) if name in manifest)
    return Citation(
        __version__,
        RELEASED,
        tuple(paper for paper in PAPERS if paper.taken_by(made.groups)),
        assets,
        sources_of(assets),
        model,
        made.learner,
        _own(made, manifest),
    )


def _read_by(model: str, made: Description) -> list[str]:
    """Names of the assets that a model reads, itself among them where it ships."""
    itself = {SHIPPED[model]} if model in SHIPPED else set()
    pipeline = {PIPELINE} if made.nlp == DEFAULT_PIPELINE else set()
    return sorted(itself | pipeline | set(made.assets))


def _own(made: Description, manifest: Mapping[str, Asset]) -> tuple[str, ...]:
    """Models of one's own and programs, of which we cannot say what they learned from."""
    pipeline = [] if made.nlp == DEFAULT_PIPELINE else [f"spaCy pipeline {made.nlp}"]
    # The rules are code of the package, listed beside the assets for their checksum.
    named = [name for name in made.assets if name not in manifest and name != "rules"]
    return (*pipeline, *sorted(named))


def sources_of(assets: Sequence[Asset]) -> tuple[Data, ...]:
    """The sources of assets, each once, by name."""
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

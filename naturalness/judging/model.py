"""Open a saved model: read and check its folder, and keep its columns, decisions and training texts.

`manifest.json` is checked first: format version, files and their checksums, columns, assets and pipeline. Only then are
the arrays read, and they are checked before use.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError, NaturalnessError, damage_as, guess
from naturalness.features import column_names, resolve, round_significant
from naturalness.features.base import FeatureGroup
from naturalness.features.measuring import columns_hash
from naturalness.features.requirements import requirements_of
from naturalness.features.selected import narrowed
from naturalness.files.archive import unpack
from naturalness.files.folder import MANIFEST, PAGES, regular_bytes
from naturalness.files.resources import locate
from naturalness.files.storage import exists
from naturalness.files.unfinished import restore
from naturalness.judging.background import Background, read_background
from naturalness.judging.bundled import check_locations, model_paths
from naturalness.judging.fields import ALWAYS, FIT, LOG_ODDS, POINTS, SOUND, WITHIN
from naturalness.judging.folder import ARRAYS, FORMAT_VERSION, SEEN, Description
from naturalness.judging.hashes import KnownTexts
from naturalness.judging.kind import KIND_FILE, Kind, both_parts, read_kind
from naturalness.judging.people import PEOPLE, People, read_people
from naturalness.judging.reference import Usual
from naturalness.models.learners.compiled import Compiled, from_arrays
from naturalness.models.learners.units import ForgedArrays
from naturalness.pages.formats import shorten
from naturalness.text.parsing import pipeline_checksum

MAX_MANIFEST, MAX_FILE = 50_000_000, 2_000_000_000
"""Maximum size in bytes of a manifest, and of any other file that is read at once."""
MODEL_TYPES = ("classifier", "regressor")
DEFAULT_MODEL = "default"
FAST_MODEL, PROSE_MODEL = "fast", "prose"
SHIPPED: Mapping[str, str] = {DEFAULT_MODEL: "model", FAST_MODEL: "fast", PROSE_MODEL: "prose"}
"""Names of the assets of the shipped models, keyed by model."""
Page = TypeVar("Page")


@dataclass(frozen=True, slots=True)
class Saved:
    """A model as read from its folder."""

    description: Description
    compiled: Compiled
    seen: KnownTexts
    """The texts that the model was trained on."""
    background: Background
    """The rows that explanations compare a text with."""
    groups: Sequence[FeatureGroup]
    """The feature groups that the model reads."""
    changes: tuple[str, ...] = ()
    """Descriptions of changes since training that do not prevent the model from scoring."""
    pages: Mapping[str, bytes] = field(default_factory=dict)
    """The files `PEOPLE` and `KIND_FILE`, as far as the folder has them."""
    checksum: str = ""
    """The checksum of the manifest; empty if the model was never saved."""


class OpenedModel:
    """A model that was read from its folder; networks are opened when first used."""

    def __init__(self, saved: Saved, name: str, *, folder: Path | None = None, score_anyway: bool = False) -> None:
        """``folder`` is None for a model that was never saved; ``score_anyway`` is as in `load_model`."""
        self.saved = saved
        self.name = name
        self.folder = folder
        self.score_anyway = score_anyway

    @cached_property
    def groups(self) -> list[FeatureGroup]:
        """The feature groups that the model measures, each reduced to the columns that the model reads."""
        return narrowed(self.saved.groups, self.saved.description.columns)

    @property
    def nlp(self) -> str:
        """The spaCy pipeline that the model uses."""
        return self.saved.description.nlp

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels, from worst to best."""
        return self.saved.description.classes

    @property
    def threshold(self) -> float:
        """The lowest naturalness at which a text gets the better of two labels."""
        return self.saved.description.threshold

    @property
    def unit(self) -> str:
        """The unit of contributions to the model's scores."""
        return POINTS if self.saved.description.interpretation.rates else LOG_ODDS

    @cached_property
    def positions(self) -> list[int]:
        """The positions of the model's columns among the columns of its groups."""
        return self.positions_in(column_names(self.groups))

    def positions_in(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the model's columns among the names of a table's columns."""
        positions = dict(zip(names, range(len(names)), strict=True))
        columns = self.saved.description.columns
        if gone := sorted(set(columns) - positions.keys()):
            raise ModelError(f"model {self.name!r} needs features that are not available: {gone[:3]}")
        return list(map(positions.__getitem__, columns))

    def decide(self, table: FloatArray) -> tuple[FloatArray, list[str]]:
        """Return the naturalness (0..1, six significant digits) and label of each row of the model's columns."""
        values = self.saved.compiled.decide(table)
        interpretation = self.saved.description.interpretation
        naturalness = interpretation.naturalness(values)
        numbers = interpretation.predictions(values, naturalness)
        return round_significant(naturalness), list(map(self.classes.__getitem__, numbers))

    def knows(self, text: str) -> bool:
        """Return whether the model was trained on this text, however the text is typed."""
        return text in self.saved.seen

    @cached_property
    def usual(self) -> Usual | None:
        """Quantiles of features in the training texts; None if the model has none."""
        quantiles = self.saved.background.quantiles
        return Usual.of(self.saved.description.columns, quantiles) if len(quantiles) else None

    @cached_property
    def people(self) -> People | None:
        """Scores of human-written sentences, by register; None if the folder has none."""
        return self._page(PEOPLE, read_people)

    @property
    def known_people(self) -> People:
        """The scores of human-written sentences; raise if the model has none."""
        if self.people is None:
            raise ModelError(
                f"model {self.name!r} lacks the scores of human-written sentences (it has no {PEOPLE}); "
                "use default or fast, or do without: `register=none`, `min_score` instead of `false_alarms`"
            )
        return self.people

    def fields(self, register: str | None = None) -> tuple[str, ...]:
        """Return the fields of a text that are shown by default; they depend on whether a register is named."""
        return _default_fields(register, adapted=self.kind is not None)

    def check_register(self, register: str | None) -> None:
        """Raise if a register is named and the model does not know it."""
        if register:
            self.known_people.names([], register)

    def minimum(
        self, min_score: float | None, false_alarms: float | None = None, register: str | None = None
    ) -> float | None:
        """Return the minimum score, on the scale of the register: ``min_score`` or, with ``false_alarms``, the score
        below which this share of human-written sentences falls. Raise if the model does not know the register."""
        self.check_register(register)
        return min_score if false_alarms is None else self.known_people.threshold(false_alarms, register or None)

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of text that the model was adapted to; None if it was not adapted."""

        def read(data: bytes) -> Kind:
            both_parts(self.saved.compiled)
            return read_kind(data)

        return self._page(KIND_FILE, read)

    def _page(self, name: str, read: Callable[[bytes], Page]) -> Page | None:
        data = self.saved.pages.get(name)
        if data is None:
            return None
        with damage_as(ModelError, f"{self.folder}/{name}", "copy the whole folder again"):
            return read(data)


def model_folder(name: str | Path) -> Path:
    """Return the folder of a model, given a name in `SHIPPED` or the path of a folder."""
    asset = SHIPPED.get(name) if isinstance(name, str) else None
    if asset is not None:
        return locate(asset)
    folder = Path(name)
    if not exists(folder):
        restore(folder)
    return folder


def default_fields(name: str | Path, register: str | None = None) -> tuple[str, ...]:
    """Return the default fields of a model, without opening it."""
    folder = Path(name)
    has_kind = name not in SHIPPED and exists(folder / KIND_FILE)
    # A file that the manifest does not name is not the model's.
    adapted = has_kind and KIND_FILE in _read_manifest(folder, _manifest_bytes(folder))["files"]
    return _default_fields(register, adapted=adapted)


def _default_fields(register: str | None, *, adapted: bool) -> tuple[str, ...]:
    return (*ALWAYS, *(WITHIN if register else ()), *((SOUND, FIT) if adapted else ()))


def read_model(name: str | Path, *, changed_assets: bool = False) -> Saved:
    """Read and check a model, named as for `model_folder`.

    If ``changed_assets`` is true, accept assets other than those used in training.
    """
    folder = model_folder(name)
    data = _manifest_bytes(folder)
    manifest = _read_manifest(folder, data)
    # Scoring needs no page, so that one may be missing.
    listed = [ARRAYS, *sorted(page for page in PAGES.intersection(manifest["files"]) if exists(folder / page))]
    files = {file: _checked_bytes(folder, manifest, file, verified=name in SHIPPED) for file in listed}
    description = _description(folder, manifest)
    check_locations(folder, description.names)
    if columns_hash(description.columns) != manifest.get("columns_hash"):
        raise ModelError(f"{folder}: columns and their checksum differ; the manifest is damaged")
    version = str(manifest.get("naturalness"))
    groups = _groups_of(folder, description, version)
    changes = () if changed_assets else changes_since_training(folder, description, groups, version)
    arrays = unpack(files.pop(ARRAYS))
    seen = KnownTexts(np.sort(arrays.get(SEEN, np.empty(0)).astype(np.uint64).ravel()))
    try:
        compiled = from_arrays(arrays, description.units, len(description.columns))
        background = read_background(arrays, len(compiled.preparation.selected), len(description.columns))
    except (ForgedArrays, ValueError) as error:
        raise ModelError(f"{folder / ARRAYS}: {error}; train the model again") from error
    pages = {page: files[page] for page in (PEOPLE, KIND_FILE) if page in files}
    return Saved(description, compiled, seen, background, groups, changes, pages, _checksum(data))


def read_description(folder: Path) -> Description:
    """Return the description in a model's manifest, without reading arrays or assets."""
    return _description(folder, _read_manifest(folder, _manifest_bytes(folder)))


def read_page(folder: Path, name: str) -> bytes | None:
    """Return the bytes of a file in a model's folder after checking them; None if the model has no such file."""
    manifest = _read_manifest(folder, _manifest_bytes(folder))
    return _checked_bytes(folder, manifest, name) if name in manifest["files"] else None


def model_checksum(folder: Path) -> str:
    """Return the checksum of a model's manifest, which contains the checksums of all other files."""
    return _checksum(_manifest_bytes(folder))


def _checksum(manifest: bytes) -> str:
    return hashlib.sha256(manifest).hexdigest()[:16]


def _manifest_bytes(folder: Path) -> bytes:
    try:
        return regular_bytes(folder / MANIFEST, MAX_MANIFEST)
    except (OSError, ValueError):  # ValueError: the name holds a NUL
        meant = guess(str(folder), sorted(SHIPPED.keys() - {str(folder)})) or f": it has no {MANIFEST}; check the path"
        raise ModelError(f"no model at {shorten(str(folder), 300)!r}{meant}") from None


def _read_manifest(folder: Path, data: bytes) -> dict[str, Any]:
    """Return the manifest of a model; its format version and its list of files have been checked."""
    path = folder / MANIFEST
    with damage_as(ModelError, path, "train the model again"):
        manifest = dict(json.loads(data))
    version = manifest.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise ModelError(
            f"{path} has format version {version!r}; this release reads {FORMAT_VERSION}: "
            "install the release that wrote it, or train the model again"
        )
    files = manifest.get("files")
    entries = files.values() if isinstance(files, dict) else [None]
    if not all(isinstance(entry, dict) and {"bytes", "sha256"} <= entry.keys() for entry in entries):
        raise ModelError(f"{path} does not list its files; it is damaged")
    return manifest


def _checked_bytes(folder: Path, manifest: Mapping[str, Any], name: str, *, verified: bool = False) -> bytes:
    """Return the bytes of a file; compare its checksum, unless the file is that of an asset that was ``verified``."""
    path, entry = folder / name, manifest["files"].get(name)
    if entry is None:
        raise ModelError(f"{folder / MANIFEST} does not list {name}; it is damaged")
    try:
        data = regular_bytes(path, MAX_FILE)
    except OSError:
        raise ModelError(f"{path} is missing or cannot be read; copy the whole folder again") from None
    if not verified and (len(data), hashlib.sha256(data).hexdigest()) != (entry["bytes"], entry["sha256"]):
        raise ModelError(f"{path} differs from the manifest in size or checksum; copy the whole folder again")
    return data


def _description(folder: Path, manifest: Mapping[str, Any]) -> Description:
    """Return the entries of a manifest, checked for their types."""
    try:
        low, high = manifest["scale"]
        for name in ("groups", "columns", "classes", "units", "scale"):
            if not isinstance(manifest[name], list):
                raise TypeError(name)
        here = model_paths(folder, manifest)
        description = Description(
            kind=str(manifest["kind"]),
            groups=tuple(here.get(name, name) for name in manifest["groups"]),
            columns=tuple(map(str, manifest["columns"])),
            nlp=str(manifest["nlp"]),
            pipeline=str(manifest["pipeline"]),
            assets=dict(zip(manifest["assets"], map(str, manifest["assets"].values()), strict=True)),
            classes=tuple(map(str, manifest["classes"])),
            threshold=float(manifest["threshold"]),
            scale=(float(low), float(high)),
            units=tuple(map(str, manifest["units"])),
            learner=str(manifest["learner"]),
            parameters=dict(manifest["parameters"]),
            training=dict(manifest["training"]),
            names=here,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelError(f"{folder / MANIFEST}: entry {error} is missing or damaged") from None
    n_units = len(description.classes) if description.kind == "classifier" and len(description.classes) > 2 else 1
    sound = (
        description.kind in MODEL_TYPES
        and len(set(description.classes)) == len(description.classes) >= 2
        and len(description.units) == n_units
        and 0.0 <= description.threshold <= 1.0
        and np.isfinite(description.scale).all()
        and description.scale[0] < description.scale[1]
    )
    if not sound:
        raise ModelError(f"{folder / MANIFEST}: kind, classes, threshold or scale are invalid")
    return description


def _groups_of(folder: Path, description: Description, version: str) -> list[FeatureGroup]:
    """Return the groups that a model reads; raise if this release lacks one of them, or one of its columns."""
    try:
        groups = resolve(description.groups)
    except NaturalnessError as error:
        raise ModelError(
            f"{folder} needs a feature group that is not available; install naturalness {version}, "
            f"or train the model again ({error})"
        ) from None
    # A group may have gained columns; the model reads only the columns that it was trained on.
    if gone := sorted(set(description.columns).difference(column_names(groups))):
        raise ModelError(
            f"{folder} was trained with features that this release does not have "
            f"({', '.join(gone[:3])}); install naturalness {version}, or train the model again"
        )
    return groups


def changes_since_training(
    folder: Path, description: Description, groups: Sequence[FeatureGroup], version: str
) -> tuple[str, ...]:
    """Describe the changes since training that do not prevent a model from scoring: only rules may have changed.

    Raise if the model cannot score: an asset or the pipeline is not the one used in training.
    """
    needs = requirements_of(groups)
    changed, changes = [], []
    for name, checksum in description.assets.items():
        need = needs.get(description.names.get(name, name))
        if need and (problem := need.problem()):
            raise ModelError(f"{folder} reads {name}: {problem}")
        now = need.version() if need else ""
        if now == checksum:
            continue
        if need and need.changes:
            changes.append(need.changes(checksum))
        else:
            changed.append(f"{name} {checksum} (here: {now or 'none'})")
    pipeline = pipeline_checksum(description.nlp)
    if pipeline != description.pipeline:
        changed.append(f"pipeline {description.nlp!r} {description.pipeline} (here: {pipeline})")
    if changed:
        raise ModelError(
            f"{folder} was trained with {', '.join(changed)}; install naturalness {version}, train the model again, "
            "or, if no network such as a detector is among them, accept that scores differ: "
            "load_model(..., changed_assets=True)"
        )
    return tuple(changes)

"""Write and read a saved model: a folder with a manifest, arrays, a card, a report and figures, but no code.

`manifest.json` is checked first: format version, files and their checksums, columns, assets and pipeline. Only then are
the arrays read, and they are checked before use. The same fit writes the same bytes: the folder contains no dates, and
no paths on the machine that wrote it (`bundled`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness import __version__
from naturalness.errors import ModelError, NaturalnessError
from naturalness.features import column_names, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.measuring import columns_hash
from naturalness.features.requirements import requirements_of, versions_of
from naturalness.features.selected import names_of
from naturalness.files.archive import pack, unpack
from naturalness.files.folder import ENTRIES, MANIFEST, PAGES, check_folder, check_regular, replace_folder
from naturalness.files.storage import exists
from naturalness.files.unfinished import unfinished_folder
from naturalness.judging.background import Background, read_background
from naturalness.judging.bundled import check_copies, check_locations, enclose, located, write_enclosed
from naturalness.judging.hashes import KnownTexts
from naturalness.models.language.base import OWN_MODEL
from naturalness.models.language.store import ENTRIES as OF_LANGUAGE_MODELS
from naturalness.models.learners.compiled import Compiled, from_arrays
from naturalness.models.learners.units import ForgedArrays
from naturalness.models.learners.verdict import Interpretation
from naturalness.pages.formats import shorten
from naturalness.text.parsing import pipeline_checksum

FORMAT_VERSION = 2
READ_VERSIONS = (1, 2)
"""Readable format versions. Version 1 has hashes of the training texts as spelled, version 2 of their letters."""
ARRAYS = "model.npz"
MAX_MANIFEST, MAX_FILE = 50_000_000, 2_000_000_000
"""Maximum size in bytes of a manifest, and of any other file that is read at once."""
KINDS = ("classifier", "regressor")
SEEN, SEEN_SPELLED = "training.letters", "training.texts"
"""Names of the array of training-text hashes, in version 2 and in version 1 (`KnownTexts.spelled`)."""


@dataclass(frozen=True, slots=True)
class Description:
    """The entries of a manifest, except the list of files."""

    kind: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    nlp: str
    pipeline: str
    """Checksum of the pipeline that training used."""
    assets: Mapping[str, str]
    """Checksums of the assets that the groups read, by name."""
    classes: tuple[str, ...]
    """Labels, from worst to best."""
    threshold: float
    scale: tuple[float, float]
    units: tuple[str, ...]
    learner: str
    parameters: Mapping[str, Any]
    training: Mapping[str, Any] = field(default_factory=dict)
    """How the model was trained (rows, label rule, protocol), for human readers and for `evaluate`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Groups that read a user's models: names as in the manifest, mapped to names with a path on this machine."""

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the feature groups, or of single columns, that the model reads."""
        return tuple(names_of(resolve(self.groups), self.columns))

    @property
    def verdict(self) -> Interpretation:
        """How the model's predictions are turned into naturalness and labels."""
        return Interpretation(len(self.classes), self.kind == "regressor", self.threshold, self.scale)


@dataclass(frozen=True, slots=True)
class Saved:
    """A model as read from its folder."""

    description: Description
    compiled: Compiled
    seen: KnownTexts
    """The texts that the model was trained on."""
    background: Background
    """The rows that explanations compare a text with."""
    changes: tuple[str, ...] = ()
    """Descriptions of changes since training that do not prevent the model from scoring."""


def assets_of(groups: Sequence[str | FeatureGroup]) -> dict[str, str]:
    """Return checksums of the assets and models that feature groups read, and versions of the programs they run."""
    return versions_of(resolve(groups))


def write_model(
    folder: Path,
    description: Description,
    compiled: Compiled,
    *,
    seen: KnownTexts,
    background: Background,
    pages: Mapping[str, bytes] | None = None,
    force: bool,
) -> None:
    """Write the folder, which appears under its name only when it is complete.

    ``seen`` are the training texts, and ``background`` are the rows that explanations compare a text with. ``pages``
    are further files, keyed by name: card, report, reference, figures.
    """
    check_folder(folder, force=force)
    folder = folder.resolve()
    texts = {SEEN_SPELLED if seen.spelled else SEEN: seen.hashes}
    files = {ARRAYS: pack({**compiled.arrays(), **texts, **background.arrays()}), **(pages or {})}
    enclosed = enclose(description.groups)
    entries = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in sorted(files.items())
    }
    plain = json.loads(json.dumps(asdict(description), default=float))
    del plain["names"]  # they contain paths on this machine
    manifest = {
        "format_version": FORMAT_VERSION,
        "naturalness": __version__,
        **enclosed.renamed(plain),
        "columns_hash": columns_hash(description.columns),
    }
    with unfinished_folder(folder) as scratch:
        part = scratch / "model"
        part.mkdir()
        for name, data in files.items():
            (part / name).write_bytes(data)
        manifest["files"] = entries | write_enclosed(part, enclosed)
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (part / MANIFEST).write_text(text, encoding="utf-8")
        part.chmod(0o755)
        replace_folder(folder, part)


def read_model(folder: Path, *, changed_assets: bool = False) -> Saved:
    """Read and check a folder. If ``changed_assets`` is true, accept assets other than those used in training."""
    manifest = _read_manifest(folder)
    data = _checked_bytes(folder, manifest, ARRAYS)
    check_copies(folder, manifest)
    for name in sorted(PAGES.intersection(manifest["files"])):
        if exists(folder / name):  # scoring needs no page, so that one may have been left behind
            _checked_bytes(folder, manifest, name)
    description = _description(folder, manifest)
    check_locations(folder, description.names)
    if columns_hash(description.columns) != manifest.get("columns_hash"):
        raise ModelError(f"{folder}: columns and their checksum differ; the manifest is damaged")
    version = str(manifest.get("naturalness"))
    groups = _groups_of(folder, description, version)
    changes = () if changed_assets else changes_since_training(folder, description, groups, version)
    arrays = unpack(data)
    try:
        compiled = from_arrays(arrays, description.units, len(description.columns))
        background = read_background(arrays, len(compiled.preparation.selected))
    except (ForgedArrays, ValueError) as error:
        raise ModelError(f"{folder / ARRAYS}: {error}; train the model again") from error
    return Saved(description, compiled, seen_in(arrays), background, changes)


def seen_in(arrays: Mapping[str, NDArray[Any]]) -> KnownTexts:
    """Return the training texts whose hashes are among the arrays."""
    spelled = SEEN_SPELLED in arrays
    hashes = arrays.get(SEEN_SPELLED if spelled else SEEN, np.empty(0))
    return KnownTexts(np.sort(hashes.astype(np.uint64).ravel()), spelled)


def read_description(folder: Path) -> Description:
    """Return the description in a model's manifest, without reading arrays or assets."""
    return _description(folder, _read_manifest(folder))


def read_page(folder: Path, name: str) -> bytes | None:
    """Return the bytes of a file in a model's folder after checking them; None if the model has no such file."""
    manifest = _read_manifest(folder)
    listed = manifest.get("files")
    if not isinstance(listed, dict) or name not in listed:
        return None
    return _checked_bytes(folder, manifest, name)


def model_checksum(folder: Path) -> str:
    """Return the checksum of a model's manifest, which contains the checksums of all other files."""
    return hashlib.sha256(_manifest(folder).read_bytes()).hexdigest()[:16]


def _manifest(folder: Path) -> Path:
    path = folder / MANIFEST
    if not (exists(path) and path.is_file()):
        raise ModelError(f"no model at {shorten(str(folder), 300)!r}: it has no {MANIFEST}; check the path")
    check_regular(path)
    return path


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = _manifest(folder)
    if path.stat().st_size > MAX_MANIFEST:
        raise ModelError(f"{path} has more than {MAX_MANIFEST:,} bytes; it is no manifest of a model")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged ({error}); train the model again") from None
    names = set(manifest) if isinstance(manifest, dict) else set()
    if names >= OF_LANGUAGE_MODELS and not names >= ENTRIES and isinstance(manifest["units"], str):
        raise ModelError(
            f"{folder} is a language model, not a naturalness model; train a model that reads it with "
            f"`features={OWN_MODEL}{folder}`, or score texts by it with `naturalness lm score {folder}`"
        )
    version = manifest.get("format_version") if isinstance(manifest, dict) else None
    if type(version) is not int or version not in READ_VERSIONS:
        raise ModelError(
            f"{path} has format version {version!r}; this release reads "
            f"{' and '.join(map(str, READ_VERSIONS))}: "
            "install the release that wrote it, or train the model again"
        )
    return dict(manifest)


def _checked_bytes(folder: Path, manifest: Mapping[str, Any], name: str) -> bytes:
    """Return the bytes of a file after verifying their checksum."""
    path = folder / name
    try:
        entry = manifest["files"][name]
        expected, size = entry["sha256"], entry["bytes"]
        if path.exists():
            check_regular(path)
        if path.is_file() and path.stat().st_size > MAX_FILE:
            raise ModelError(f"{path} has more than {MAX_FILE:,} bytes; no file of a model is so large")
        if not path.is_file() or path.stat().st_size != size:
            raise ModelError(
                f"{path} is missing or has another size than the manifest says; copy the whole folder again"
            )
        data = path.read_bytes()
    except (KeyError, TypeError):
        raise ModelError(f"{folder / MANIFEST} does not list {name}; it is damaged") from None
    except OSError:
        raise ModelError(f"{path} cannot be read; copy the whole folder") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise ModelError(f"{path} has another checksum than the manifest; copy the folder again")
    return data


def _description(folder: Path, manifest: Mapping[str, Any]) -> Description:
    """Return the entries of a manifest, checked for their types."""
    try:
        low, high = manifest["scale"]
        for name in ("groups", "columns", "classes", "units", "scale"):
            if not isinstance(manifest[name], list):
                raise TypeError(name)
        here = located(folder, manifest)
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
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ModelError(f"{folder / MANIFEST}: entry {error} is missing or damaged") from None
    n_units = len(description.classes) if description.kind == "classifier" and len(description.classes) > 2 else 1
    sound = (
        description.kind in KINDS
        and len(set(description.classes)) == len(description.classes) >= 2
        and len(description.units) == n_units
        and 0.0 <= description.threshold <= 1.0
        and np.isfinite(description.scale).all()
        and description.scale[0] < description.scale[1]
    )
    if not sound:
        raise ModelError(f"{folder / MANIFEST}: kind, classes, threshold or scale make no sense")
    return description


def _groups_of(folder: Path, description: Description, version: str) -> list[FeatureGroup]:
    """Return the groups that a model reads; raise if this release lacks one of them, or one of its columns."""
    try:
        groups = resolve(description.groups)
    except NaturalnessError as error:
        raise ModelError(
            f"{folder} needs a feature group that is not here; install naturalness {version}, "
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
            "or, if no network such as a detector is among them, accept other scores: "
            "load_model(..., changed_assets=True)"
        )
    return tuple(changes)

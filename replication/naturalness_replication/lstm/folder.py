"""LSTMs on disk: a folder has the two files of a network, and a manifest that names the companion n-gram model.

The files and the companion are opened only if their checksums match the manifest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from naturalness.errors import ModelError, damage_as
from naturalness.files.resources import assets_folder, locate, short_checksum
from naturalness.files.storage import seen_from
from naturalness.models.language import spec as single
from naturalness.models.language.base import LanguageModel
from naturalness.models.language.neural.model import DESCRIPTION, NETWORK, NeuralModel, NeuralNetwork, open_network
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.shipped import SPEC
from naturalness.models.language.spec import is_shipped, open_single
from naturalness.models.language.store import (
    FILES,
    MANIFEST,
    TRAIN_AGAIN,
    checksum_of,
    compare,
    manifest_data,
    write_entry,
)
from naturalness.models.language.units import Kind, Vocabulary
from naturalness_replication.lstm.onnx_file import check_network

BESIDE = "neural"
"""Key in an LSTM's manifest that holds the companion n-gram model."""
NETWORK_FILES = (DESCRIPTION, NETWORK)
"""Files of an LSTM's folder, besides the manifest."""
REPLACEABLE = FILES | {*NETWORK_FILES}
"""All names that files in a language model's folder can have."""
CACHED = 4
"""Maximum number of networks kept open."""


def open_language_model(spec: str) -> LanguageModel:
    """Open a language model: the folder of an LSTM, or any model that the core opens by its name."""
    path = Path(spec)
    data = manifest_data(path) if not is_shipped(spec) and (path / MANIFEST).is_file() else {}
    if BESIDE in data:
        return _open_neural(path.resolve(), read_neural(path, data), str(assets_folder()))
    return single.open_language_model(spec)


@lru_cache(maxsize=CACHED)
def _open_neural(folder: Path, manifest: NeuralFolder, assets: str) -> NeuralModel:
    """Open an LSTM; the cache opens it again if its manifest, which holds all checksums, has changed."""
    compare(folder, dict(manifest.files), NETWORK_FILES)
    check_network(folder / NETWORK)
    companion = _open_named(folder, manifest.companion)
    signature = f"{manifest.name}:{manifest.checksum}"
    return beside(manifest.name, signature, open_network(folder), companion)


def beside(name: str, signature: str, network: NeuralNetwork, companion: NgramModel) -> NeuralModel:
    """Return the model of a network, whose units and frequencies come from its companion.

    All units that the network lacks have the same probability, so their frequencies are merged too, or SLOR would
    reward rare ones.
    """
    return NeuralModel(name, signature, network, narrowed(companion, network), 1.0)


def narrowed(companion: NgramModel, network: NeuralNetwork) -> NgramModel:
    """Return the companion with all units that the network lacks merged into the unknown unit."""
    vocabulary = companion.vocabulary
    if vocabulary is None:
        return companion
    known = {unit: log for unit, log in vocabulary.frequencies.items() if unit in network.rows}
    if len(known) == len(vocabulary.frequencies):
        return companion
    name, _, checksum = companion.signature.rpartition(":")
    return replace(
        companion,
        signature=f"{name}-{len(known)}-units:{checksum}",
        vocabulary=Vocabulary(known, vocabulary.end, rest_of(vocabulary, known)),
    )


def rest_of(vocabulary: Vocabulary, known: Mapping[str, object]) -> float:
    """Return the log of the total frequency of the unknown unit and all units not in ``known``."""
    others = (log for unit, log in vocabulary.frequencies.items() if unit not in known)
    return math.log(math.fsum([math.exp(vocabulary.other), *map(math.exp, others)]))


def _open_named(folder: Path, model: NamedModel) -> NgramModel:
    opened = open_single(_resolved(folder, model))
    model.check(folder, opened.checksum)
    return opened


def _resolved(folder: Path, model: NamedModel) -> str:
    """Return the spec of a model that the manifest in ``folder`` refers to, with its path joined to ``folder``."""
    if model.shipped and not is_shipped(model.spec):
        raise ModelError(f"{folder / MANIFEST} names {model.spec!r}, which is not shipped")
    return model.spec if model.shipped else str(folder / model.spec)


def check_apart(folder: Path, companion: str) -> None:
    """Raise `ModelError` if the folder to write contains, or is inside, the companion."""
    target, match = folder.resolve(), SPEC.fullmatch(companion)
    path = Path(locate(match[1]) if match else companion).resolve()
    if target.is_relative_to(path) or path.is_relative_to(target):
        raise ModelError(f"{str(folder)!r} is the place of {companion!r}, which the network needs; name another folder")


def named_from(folder: Path, spec: str, checksum: str) -> NamedModel:
    """Return a reference to a model for a manifest in ``folder``; a relative path is stored relative to the folder."""
    shipped = is_shipped(spec)
    if not shipped and not Path(spec).is_absolute():
        spec = seen_from(folder.resolve(), Path(spec).resolve()).as_posix()
    return NamedModel(spec, shipped, checksum)


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A manifest's reference to an n-gram model, the companion of an LSTM."""

    spec: str
    """Name of a shipped model, or a path; a relative path is relative to the manifest's folder."""
    shipped: bool
    checksum: str

    @property
    def order(self) -> str:
        """Order given in a shipped model's name, which the checksum does not cover; empty if there is none."""
        return self.spec.partition(":")[2] if self.shipped else ""

    def check(self, folder: Path, checksum: str) -> None:
        """Raise `ModelError` if ``checksum``, which was computed from the model, is not the one in the manifest."""
        if checksum != self.checksum:
            raise ModelError(
                f"language model {str(folder)!r} was made with another {self.spec!r} (checksum "
                f"{self.checksum}, found {checksum}); put that one back, or build the model again"
            )


@dataclass(frozen=True, slots=True)
class NeuralFolder:
    """Manifest of a neural model."""

    name: str
    kind: Kind
    companion: NamedModel
    files: tuple[tuple[str, str], ...] = ()
    """Pairs of file name and checksum."""

    @property
    def checksum(self) -> str:
        """Short checksum of the files and the companion."""
        rows = [*self.files, (self.companion.checksum, self.companion.order)]
        return short_checksum(";".join(":".join(map(str, row)) for row in rows))


def write_neural(folder: Path, manifest: NeuralFolder, training: Mapping[str, Any]) -> None:
    """Write the manifest of a neural model, with the checksums of the network's files, which must be in the folder."""
    entry = {
        "companion": manifest.companion.spec,
        "shipped": manifest.companion.shipped,
        "checksum": manifest.companion.checksum,
    }
    files = {name: checksum_of(folder / name) for name in NETWORK_FILES}
    write_entry(folder, manifest.name, manifest.kind, {BESIDE: entry}, training, files)


def read_neural(folder: Path, data: Mapping[str, Any]) -> NeuralFolder:
    """Return the manifest of a neural model, given its data; raise `ModelError` if the data are invalid."""
    with damage_as(ModelError, folder / MANIFEST, TRAIN_AGAIN):
        entry, files = data[BESIDE], data["files"]
        shipped = entry["shipped"]
        if not isinstance(shipped, bool):
            raise ValueError(f"shipped is {shipped!r:.20}")
        return NeuralFolder(
            str(data["name"]),
            cast(Kind, str(data["units"])),
            NamedModel(str(entry["companion"]), shipped, str(entry["checksum"])),
            tuple((name, str(files[name])) for name in NETWORK_FILES),
        )

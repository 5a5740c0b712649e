"""A neural language model of one's own on disk: two files, a manifest, and the name of its counts.

The manifest is that of a language model (`store`), with an entry ``neural`` in place of orders: the
n-gram model that stands beside the network, that model's checksum, and the network's weight.
Nothing is read before its checksum was compared, and no other companion is taken.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from naturalness.errors import ModelError, damage_as
from naturalness.files.resources import assets_folder
from naturalness.models.language.mixture import short_hash
from naturalness.models.language.neural.model import NeuralModel
from naturalness.models.language.neural.network import DESCRIPTION, NETWORK, Network, open_network
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import checksum_of, is_shipped, open_single
from naturalness.models.language.store import BESIDE, FORMAT_VERSION, MANIFEST, TRAIN_AGAIN, LanguageFolder, compare
from naturalness.models.language.units import Kind
from naturalness.models.language.vocabulary import Vocabulary

FILES = (DESCRIPTION, NETWORK)
OPENED = 4
"""Models that are kept in memory."""


@dataclass(frozen=True, slots=True)
class NeuralFolder:
    """What the manifest of a neural language model says."""

    name: str
    kind: Kind
    companion: str
    """A shipped name, or a path; a relative one is meant from the folder."""
    shipped: bool
    checksum: str
    """Of the companion."""
    weight: float
    """Of the network in the mixture, above 0 and at most 1."""
    files: tuple[tuple[str, str], ...] = ()
    """Files with their checksums."""

    def spec(self, folder: Path) -> str:
        """The companion's, seen from here."""
        if self.shipped and not is_shipped(self.companion):
            raise ModelError(f"{folder / MANIFEST} names {self.companion!r}, which is not shipped")
        return self.companion if self.shipped else str(folder / self.companion)

    def mixed_checksum(self) -> str:
        """One short checksum of files, companion and weight.

        The order that a shipped companion's name may tell is not part of its checksum.
        """
        order = self.companion.partition(":")[2] if self.shipped else ""
        return short_hash([*self.files, (self.checksum, order, self.weight)])


def write_folder(folder: Path, about: NeuralFolder, training: Mapping[str, Any]) -> None:
    """Describe the two files of a folder; the last step of making one."""
    manifest = {
        "format_version": FORMAT_VERSION,
        "name": about.name,
        "units": about.kind,
        BESIDE: {
            "companion": about.companion,
            "shipped": about.shipped,
            "checksum": about.checksum,
            "weight": about.weight,
        },
        "training": dict(training),
        "files": {name: _checksum(folder / name) for name in FILES},
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=32)).hexdigest()


def read_folder(folder: Path, data: Mapping[str, Any]) -> NeuralFolder:
    """What the data of a manifest say, checked; no file is looked at."""
    with damage_as(ModelError, folder / MANIFEST, TRAIN_AGAIN):
        entry, files = data[BESIDE], data["files"]
        shipped, weight = entry["shipped"], float(entry["weight"])
        if not isinstance(shipped, bool) or not 0 < weight <= 1:
            raise ValueError(f"shipped is {shipped!r:.20}, the weight {weight!r:.20}")
        return NeuralFolder(
            str(data["name"]),
            cast(Kind, str(data["units"])),
            str(entry["companion"]),
            shipped,
            str(entry["checksum"]),
            weight,
            tuple((name, str(files[name])) for name in FILES),
        )


def open_folder(folder: Path, data: Mapping[str, Any]) -> NeuralModel:
    """Open a model, once per process, by the data of its manifest."""
    return _open(folder.resolve(), read_folder(folder, data), str(assets_folder()))


def folder_checksum(folder: Path, data: Mapping[str, Any]) -> str:
    """A short checksum of all that the model is made of, which is verified."""
    about = read_folder(folder, data)
    _compare_files(folder, about)
    _compare_companion(folder, about, checksum_of(about.spec(folder)))
    return about.mixed_checksum()


@lru_cache(maxsize=OPENED)
def _open(folder: Path, about: NeuralFolder, assets: str) -> NeuralModel:
    """Anew where anything that the manifest names is another."""
    _compare_files(folder, about)
    companion = open_single(about.spec(folder))
    _compare_companion(folder, about, companion.checksum)
    signature = f"{about.name}:{about.mixed_checksum()}"
    return beside(about.name, signature, open_network(folder), companion, about.weight)


def _compare_files(folder: Path, about: NeuralFolder) -> None:
    for name in FILES:
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name} is missing; copy the whole folder again")
    compare(folder, LanguageFolder(about.name, about.kind, {}, dict(about.files)), FILES)


def _compare_companion(folder: Path, about: NeuralFolder, found: str) -> None:
    if found != about.checksum:
        raise ModelError(
            f"neural model {str(folder)!r} was made with another {about.companion!r} (checksum "
            f"{about.checksum}, found {found}); put that one back, or train anew"
        )


def beside(name: str, signature: str, network: Network, companion: NgramModel, weight: float) -> NeuralModel:
    """A network and its companion as one model.

    A network alone tells all units that it lacks by one probability, so that they must share one
    frequency too, or SLOR would reward them. In a mixture they are left to the companion, which
    keeps the frequency of each.
    """
    if weight >= 1:
        companion = narrowed(companion, network)
    return NeuralModel(name, signature, network, companion, weight)


def narrowed(companion: NgramModel, network: Network) -> NgramModel:
    """The companion, with all units that the network lacks taken together."""
    vocabulary = companion.vocabulary
    if vocabulary is None:
        return companion
    kept = {unit: log for unit, log in vocabulary.frequencies.items() if unit in network.rows}
    if len(kept) == len(vocabulary.frequencies):
        return companion
    name, _, checksum = companion.signature.rpartition(":")
    return replace(
        companion,
        signature=f"{name}-{len(kept)}-units:{checksum}",
        vocabulary=Vocabulary(kept, vocabulary.end, rest_of(vocabulary, kept)),
    )


def rest_of(vocabulary: Vocabulary, kept: Mapping[str, object]) -> float:
    """ln of the frequency of all units but those that are kept, the unknown among them."""
    others = (log for unit, log in vocabulary.frequencies.items() if unit not in kept)
    return math.log(math.fsum([math.exp(vocabulary.other), *map(math.exp, others)]))

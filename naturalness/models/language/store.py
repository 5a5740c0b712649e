"""N-gram models on disk: folders with a manifest.

A folder has KenLM files, a table of units and, for word pieces, the SentencePiece model. Files are opened only if their
checksums match the manifest. An ARPA or KenLM file outside such a folder is opened as a model of words without unit
frequencies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from naturalness.errors import REPLICATION, ModelError, damage_as
from naturalness.files.resources import file_checksum, short_checksum
from naturalness.models.language.ngram import NgramModel, open_kenlm
from naturalness.models.language.tables import MAX_ORDER
from naturalness.models.language.units import KINDS, Kind, Reader, open_pieces, pieces, read_capitals, read_vocabulary

FORMAT_VERSION = 2
"""Format version of manifests. Opening a model mostly consists of computing checksums; they use BLAKE2b, which takes
little more than half as long as SHA-256 on processors without SHA-256 instructions."""
MANIFEST = "manifest.json"
TRAIN_AGAIN = "train the model again"
"""Advice in error messages about a damaged manifest."""
FORMER = {
    "mixture": "a mixture of models, which only 0.3 reads; name one of its models",
    "neural": f"an LSTM, {REPLICATION}",
}
"""Keys in the manifests of models that are not n-gram models, and what to do with them."""
UNITS, FORMER_UNITS = "units-by-count.tsv.gz", "units.tsv.gz"
CAPITALS = "capitals.txt.gz"
PIECES = "pieces.model"
ARPA = "model.arpa"
"""File name of the model in ARPA format, for use by other programs; opening the folder does not read it."""
NEEDED: Mapping[Kind, tuple[str, ...]] = {
    "words": (UNITS, CAPITALS),
    "pieces": (UNITS, CAPITALS, PIECES),
    "tags": (UNITS,),
}
"""Files that an n-gram model's folder needs besides its n-gram files, keyed by kind of unit."""


def binary_name(order: int) -> str:
    """Return the name of the KenLM file that holds a model of this order."""
    return f"order-{order}.binary"


FILES = frozenset({MANIFEST, UNITS, FORMER_UNITS, CAPITALS, PIECES, ARPA, *map(binary_name, range(2, MAX_ORDER + 1))})
"""All names that files in an n-gram model's folder can have; a folder that has no other files may be replaced by a
new model."""
ENTRIES = frozenset({"format_version", "units", "training"})
"""Keys that every manifest has."""


def manifest_bytes(data: Mapping[str, Any]) -> bytes:
    """Return a manifest's data as the bytes of its file."""
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def manifest_data(folder: Path) -> dict[str, Any]:
    """Return the data of a manifest for any kind of model; raise `ModelError` if its format version is unsupported."""
    path = folder / MANIFEST
    if not path.exists():
        raise ModelError(f"no language model at {str(folder)!r}: it has no {MANIFEST}; check the path")
    with damage_as(ModelError, path, TRAIN_AGAIN):
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = data["format_version"]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise ModelError(
            f"{path} has format version {version!r}; this release reads "
            f"{FORMAT_VERSION}: install the release that wrote it, or train "
            "the model again"
        )
    return data


def write_entry(
    folder: Path,
    name: str,
    kind: Kind,
    entry: Mapping[str, Any],
    training: Mapping[str, Any],
    files: Mapping[str, str] | None = None,
) -> None:
    """Write the manifest of a model, with an entry that states its kind."""
    manifest = {"format_version": FORMAT_VERSION, "name": name, "units": kind, **entry, "training": dict(training)}
    if files is not None:
        manifest["files"] = dict(files)
    (folder / MANIFEST).write_bytes(manifest_bytes(manifest))


def compare(folder: Path, checksums: Mapping[str, str], names: Iterable[str]) -> None:
    """Raise `ModelError` if a file is missing or its checksum differs from the one in ``checksums``."""
    for name in names:
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name} is missing; copy the whole folder again")
        if checksum_of(folder / name) != checksums[name]:
            raise ModelError(f"{folder / name} differs from the manifest in its checksum; copy it again")


def checksum_of(path: Path) -> str:
    """Return the BLAKE2b checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=32)).hexdigest()


@dataclass(frozen=True, slots=True)
class LanguageFolder:
    """Manifest of an n-gram model."""

    name: str
    kind: Kind
    orders: Mapping[int, str]
    """File names, keyed by order; a folder may hold models of several orders over the same units."""
    files: Mapping[str, str]
    """Checksums, keyed by file name."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """Description of the training, for people to read: text, number of tokens, pruning."""


def write_manifest(folder: Path, name: str, kind: Kind, orders: Mapping[int, str], training: Mapping[str, Any]) -> None:
    """Write the manifest of an n-gram model, with the checksums of the other files in the folder."""
    names = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
    files = {name: checksum_of(folder / name) for name in names}
    entry = {"orders": {str(order): file for order, file in sorted(orders.items())}}
    write_entry(folder, name, kind, entry, training, files)


def read_manifest(folder: Path, *, verified: bool = False) -> LanguageFolder:
    """Return the manifest of an n-gram model; unless ``verified``, check the checksums of the files that it needs."""
    path = folder / MANIFEST
    data = manifest_data(folder)
    for key in FORMER.keys() & data.keys():
        raise ModelError(f"{str(folder)!r} is {FORMER[key]}")
    with damage_as(ModelError, path, TRAIN_AGAIN):
        manifest = LanguageFolder(
            name=str(data["name"]),
            kind=cast(Kind, str(data["units"])),
            orders={int(order): str(file) for order, file in data["orders"].items()},
            files={str(file): str(checksum) for file, checksum in data["files"].items()},
            training=dict(data["training"]),
        )
    names = _check(folder, manifest)
    if not verified:
        compare(folder, manifest.files, names)
    return manifest


def needed_files(manifest: LanguageFolder) -> set[str]:
    """Return the names of the files needed to open a model; they do not include the ARPA file."""
    return {*NEEDED[manifest.kind], *manifest.orders.values()}


def _check(folder: Path, manifest: LanguageFolder) -> list[str]:
    """Return the files that the model needs; raise `ModelError` if one is missing from the manifest or the folder."""
    needed = needed_files(manifest) if manifest.kind in KINDS else set()
    if not manifest.orders or not needed or not needed <= set(manifest.files):
        raise ModelError(f"{folder / MANIFEST} does not describe a language model of this release; {TRAIN_AGAIN}")
    for name in sorted(needed):
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise ModelError(f"{path} is missing; copy the whole folder again")
    return sorted(needed)


def open_model(path: Path, *, order: int | None = None, trusted: bool = False) -> NgramModel:
    """Open an n-gram model: a folder (``order`` selects one of its models), or a single ARPA or KenLM file.

    The default is the highest order. If a folder is ``trusted``, its manifest is known to be the package's own, so its
    files need no checks beyond their checksums.
    """
    if path.is_file():
        signature = f"{path.name}:{file_checksum(path)[:12]}"
        return NgramModel(path.stem, signature, open_kenlm(path), Reader("words"))
    manifest = read_manifest(path, verified=True)
    chosen = max(manifest.orders) if order is None else order
    if chosen not in manifest.orders:
        orders = ", ".join(map(str, sorted(manifest.orders)))
        raise ModelError(f"{path} has no model of order {chosen}; it has {orders}")
    name = manifest.orders[chosen]
    compare(path, manifest.files, [*NEEDED[manifest.kind], name])
    return NgramModel(
        name=manifest.name,
        signature=f"{manifest.name}-{chosen}:{checksum(manifest)}",
        kenlm=open_kenlm(path / name, trusted=trusted),
        read=_reader(path, manifest),
        vocabulary=read_vocabulary(path / UNITS),
        language=str(manifest.training.get("language", "")),
    )


def checksum(manifest: LanguageFolder) -> str:
    """Return a short checksum that identifies the model, computed from the checksums of its files."""
    return short_checksum(f"{name}:{manifest.files[name]};" for name in sorted(needed_files(manifest)))


def _reader(path: Path, manifest: LanguageFolder) -> Reader:
    if manifest.kind == "tags":
        return Reader("tags")
    capitals = read_capitals(path / CAPITALS)
    if manifest.kind == "words":
        return Reader("words", capitals)
    return pieces(open_pieces(path / PIECES), capitals, file_checksum(path / PIECES))

"""A language model on disk: a folder with KenLM files, a table of units and a manifest.

The manifest is checked first: format version and files; no file is opened before its checksum was
compared. The file of n-grams is hashed while the tables are read. A bare ARPA or KenLM file opens
too, as a model of words that knows no frequencies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, cast

from naturalness.errors import ModelError, damage_as
from naturalness.files.resources import file_checksum
from naturalness.models.language.ngram import NgramModel, open_kenlm
from naturalness.models.language.units import KINDS, Kind, Reader, open_pieces, pieces, tags, words
from naturalness.models.language.vocabulary import Vocabulary, read_by_count, read_capitals, read_vocabulary

FORMAT_VERSION = 2
READ_VERSIONS = (1, 2)
"""Version 1 has checksums by SHA-256. Those by BLAKE2b take little more than half the time on a
processor without instructions for SHA, and to open a model is mostly to compare checksums."""
MANIFEST = "manifest.json"
TRAIN_AGAIN = "train the model again"
"""What to do about a manifest that is damaged."""
MIXTURE = "mixture"
"""Where the manifest of a mixture names its parts."""
BESIDE = "neural"
"""Where the manifest of a neural model names the model that counts beside it."""
UNITS = "units.tsv.gz"
BY_COUNT = "units-by-count.tsv.gz"
"""The same table in a form that is read in half the time; a folder has one of them."""
CAPITALS = "capitals.txt.gz"
PIECES = "pieces.model"
NEEDED: Mapping[Kind, tuple[str, ...]] = {"words": (CAPITALS,), "pieces": (CAPITALS, PIECES), "tags": ()}
"""What a folder holds besides tables of n-grams and units."""


@dataclass(frozen=True, slots=True)
class LanguageFolder:
    """What the manifest of a language model says."""

    name: str
    kind: Kind
    orders: Mapping[int, str]
    """Longest n-gram -> file; a folder may hold models of several orders over the same units."""
    files: Mapping[str, str]
    """File -> checksum."""
    version: int = FORMAT_VERSION
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, for people: text, tokens, pruning."""


def write_manifest(folder: Path, name: str, kind: Kind, orders: Mapping[int, str], training: Mapping[str, Any]) -> None:
    """Describe the files of a folder; the last step of making one."""
    files = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
    manifest = {
        "format_version": FORMAT_VERSION,
        "name": name,
        "units": kind,
        "orders": {str(order): file for order, file in sorted(orders.items())},
        "training": dict(training),
        "files": {file: _checksum_of(folder / file, FORMAT_VERSION) for file in files},
    }
    (folder / MANIFEST).write_bytes(manifest_bytes(manifest))


def manifest_bytes(data: Mapping[str, Any]) -> bytes:
    """A manifest as it is written."""
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(folder: Path, *, verified: bool = False) -> LanguageFolder:
    """Read and check the manifest, and unless ``verified`` the checksums of the files it names."""
    path = folder / MANIFEST
    data = manifest_data(folder)
    if MIXTURE in data:
        raise ModelError(f"{str(folder)!r} is a mixture of models; expected a single one, such as those it names")
    if BESIDE in data:
        raise ModelError(f"{str(folder)!r} is a neural model; expected one that counts, such as the one that it names")
    with damage_as(ModelError, path, TRAIN_AGAIN):
        found = LanguageFolder(
            name=str(data["name"]),
            kind=cast(Kind, str(data["units"])),
            orders={int(order): str(file) for order, file in data["orders"].items()},
            files={str(file): str(checksum) for file, checksum in data["files"].items()},
            training=dict(data["training"]),
            version=data["format_version"],
        )
    names = _check(folder, found)
    if not verified:
        compare(folder, found, names)
    return found


def manifest_data(folder: Path) -> dict[str, Any]:
    """What the manifest of a model or of a mixture holds; its format version is checked."""
    path = folder / MANIFEST
    if not path.exists():
        raise ModelError(f"no language model at {str(folder)!r}: it has no {MANIFEST}; check the path")
    with damage_as(ModelError, path, TRAIN_AGAIN):
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = data["format_version"]
    if version not in READ_VERSIONS or isinstance(version, bool):
        raise ModelError(
            f"{path} has format version {version!r}; this release reads "
            f"{' and '.join(map(str, READ_VERSIONS))}: install the release that wrote it, or train "
            "the model again"
        )
    return data


def needed_files(found: LanguageFolder) -> set[str]:
    """The files that a model is read from; an ARPA file beside them is for other programs."""
    return {*_tables(found), *found.orders.values()}


def _tables(found: LanguageFolder) -> set[str]:
    """Those besides the n-grams."""
    return {BY_COUNT if BY_COUNT in found.files else UNITS, *NEEDED[found.kind]}


def _check(folder: Path, found: LanguageFolder) -> list[str]:
    """The files that the model needs; all are named, in the folder and there."""
    needed = needed_files(found) if found.kind in KINDS else set()
    if not found.orders or not needed or not needed <= set(found.files):
        raise ModelError(f"{folder / MANIFEST} does not describe a language model")
    for name in sorted(needed):
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise ModelError(f"{path} is missing; copy the whole folder again")
    return sorted(needed)


def compare(folder: Path, found: LanguageFolder, names: Iterable[str]) -> None:
    """Refuse files whose checksum is not that of the manifest."""
    for name in names:
        if _checksum_of(folder / name, found.version) != found.files[name]:
            raise ModelError(f"{folder / name} has another checksum than the manifest; copy it again")


def _checksum_of(path: Path, version: int) -> str:
    """Checksum of a file by the format's rule, in hexadecimal."""
    if version == 1:
        return file_checksum(path)
    found = hashlib.blake2b(digest_size=32)
    if path.stat().st_size:  # nothing cannot be mapped
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
            # In one piece: after each, the thread would wait for the interpreter.
            found.update(mapped)
    return found.hexdigest()


def open_model(path: Path, *, order: int | None = None, trusted: bool = False) -> NgramModel:
    """Open a folder, or a bare ARPA or KenLM file; ``order`` chooses among several.

    Of a ``trusted`` folder, whose manifest is one of the package's, checksums say enough.
    """
    if path.is_file():
        signature = f"{path.name}:{file_checksum(path)[:12]}"
        return NgramModel(path.stem, signature, open_kenlm(path), words({}))
    found = read_manifest(path, verified=True)
    chosen = max(found.orders) if order is None else order
    if chosen not in found.orders:
        has = ", ".join(map(str, sorted(found.orders)))
        raise ModelError(f"{path} has no model of order {chosen}; it has {has}")
    name = found.orders[chosen]
    with ThreadPoolExecutor(1) as pool:
        compared = pool.submit(compare, path, found, [name])
        compare(path, found, sorted(_tables(found)))
        vocabulary, reader = _vocabulary(path, found), _reader(path, found)
        compared.result()
    return NgramModel(
        name=found.name,
        signature=f"{found.name}-{chosen}:{checksum(found)}",
        kenlm=open_kenlm(path / name, trusted=trusted),
        read=reader,
        vocabulary=vocabulary,
        language=str(found.training.get("language", "")),
    )


def checksum(found: LanguageFolder) -> str:
    """One short checksum over the files of the model, to tell models apart."""
    joined = "".join(f"{name}:{found.files[name]};" for name in sorted(needed_files(found)))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def _vocabulary(path: Path, found: LanguageFolder) -> Vocabulary:
    if BY_COUNT in found.files:
        return read_by_count(path / BY_COUNT)
    return read_vocabulary(path / UNITS)


def _reader(path: Path, found: LanguageFolder) -> Reader:
    if found.kind == "tags":
        return tags()
    capitals = read_capitals(path / CAPITALS)
    if found.kind == "words":
        return words(capitals)
    return pieces(open_pieces(path / PIECES), capitals, file_checksum(path / PIECES))

"""A language model on disk: a folder with KenLM files, a table of units and a manifest.

The manifest is checked first: format version, files and their checksums; only then anything is
opened. A bare ARPA or KenLM file opens too, as a model of words that knows no frequencies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from naturalness.errors import ModelError
from naturalness.models.language.ngram import NgramModel, open_kenlm
from naturalness.models.language.units import KINDS, Kind, Reader, open_pieces, pieces, tags, words
from naturalness.models.language.vocabulary import read_capitals, read_vocabulary
from naturalness.resources import file_checksum

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
MIXTURE = "mixture"
"""Where the manifest of a mixture names its parts."""
UNITS = "units.tsv.gz"
CAPITALS = "capitals.txt.gz"
PIECES = "pieces.model"
NEEDED: Mapping[Kind, tuple[str, ...]] = {
    "words": (CAPITALS,),
    "pieces": (CAPITALS, PIECES),
    "tags": (),
}
"""What a folder holds besides tables of n-grams and units."""


@dataclass(frozen=True, slots=True)
class LanguageFolder:
    """What the manifest of a language model says."""

    name: str
    kind: Kind
    orders: Mapping[int, str]
    """Longest n-gram -> file; a folder may hold models of several orders over the same units."""
    files: Mapping[str, str]
    """File -> sha256."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, for people: text, tokens, pruning."""


def write_manifest(
    folder: Path,
    name: str,
    kind: Kind,
    orders: Mapping[int, str],
    training: Mapping[str, Any],
) -> None:
    """Describe the files of a folder; the last step of making one."""
    files = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
    manifest = {
        "format_version": FORMAT_VERSION,
        "name": name,
        "units": kind,
        "orders": {str(order): file for order, file in sorted(orders.items())},
        "training": dict(training),
        "files": {file: file_checksum(folder / file) for file in files},
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(folder: Path, *, verified: bool = False) -> LanguageFolder:
    """Read and check the manifest, and unless ``verified`` the checksums of the files it names."""
    path = folder / MANIFEST
    data = manifest_data(folder)
    if MIXTURE in data:
        raise ModelError(
            f"{str(folder)!r} is a mixture of models; expected a single one, such as those it names"
        )
    try:
        found = LanguageFolder(
            name=str(data["name"]),
            kind=cast(Kind, str(data["units"])),
            orders={int(order): str(file) for order, file in data["orders"].items()},
            files={str(file): str(checksum) for file, checksum in data["files"].items()},
            training=dict(data["training"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged(path, error) from None
    _check(folder, found, verified=verified)
    return found


def manifest_data(folder: Path) -> dict[str, Any]:
    """What the manifest of a model or of a mixture holds; its format version is checked."""
    path = folder / MANIFEST
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = data["format_version"]
    except (FileNotFoundError, NotADirectoryError):
        raise ModelError(
            f"no language model at {str(folder)!r}: it has no {MANIFEST}; check the path"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(path, error) from None
    if version != FORMAT_VERSION:
        raise ModelError(
            f"{path} has format version {version!r}; this release reads {FORMAT_VERSION}: "
            "install the release that wrote it, or train the model again"
        )
    return data


def damaged(path: Path, error: Exception) -> ModelError:
    """The error of a manifest that cannot be read."""
    what = f"no {error}" if isinstance(error, KeyError) else str(error)
    return ModelError(f"{path} is damaged ({what}); train the model again")


def needed_files(found: LanguageFolder) -> set[str]:
    """The files that a model is read from; an ARPA file beside them is for other programs."""
    return {UNITS, *NEEDED[found.kind], *found.orders.values()}


def _check(folder: Path, found: LanguageFolder, *, verified: bool) -> None:
    needed = needed_files(found) if found.kind in KINDS else set()
    if not found.orders or not needed or not needed <= set(found.files):
        raise ModelError(f"{folder / MANIFEST} does not describe a language model")
    for name in sorted(needed):
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise ModelError(f"{path} is missing; copy the whole folder again")
        if not verified and file_checksum(path) != found.files[name]:
            raise ModelError(f"{path} has another checksum than the manifest; copy it again")


def open_model(path: Path, *, order: int | None = None, verified: bool = False) -> NgramModel:
    """Open a folder, or a bare ARPA or KenLM file; ``order`` chooses among several.

    ``verified``: the files of the folder are known to be those of its manifest.
    """
    if path.is_file():
        signature = f"{path.name}:{file_checksum(path)[:12]}"
        return NgramModel(path.stem, signature, open_kenlm(path), words({}))
    found = read_manifest(path, verified=verified)
    chosen = max(found.orders) if order is None else order
    if chosen not in found.orders:
        has = ", ".join(map(str, sorted(found.orders)))
        raise ModelError(f"{path} has no model of order {chosen}; it has {has}")
    name = found.orders[chosen]
    return NgramModel(
        name=found.name,
        signature=f"{found.name}-{chosen}:{checksum(found)}",
        kenlm=open_kenlm(path / name),
        read=_reader(path, found),
        vocabulary=read_vocabulary(path / UNITS),
    )


def checksum(found: LanguageFolder) -> str:
    """One short checksum over the files of the model, to tell models apart."""
    joined = "".join(f"{name}:{found.files[name]};" for name in sorted(needed_files(found)))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def _reader(path: Path, found: LanguageFolder) -> Reader:
    if found.kind == "tags":
        return tags()
    capitals = read_capitals(path / CAPITALS)
    if found.kind == "words":
        return words(capitals)
    return pieces(open_pieces(path / PIECES), capitals, found.files[PIECES])

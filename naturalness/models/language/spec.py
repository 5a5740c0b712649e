"""Language models by name: a shipped one, a folder of one's own, ARPA or KenLM, Hugging Face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from naturalness.errors import ModelError
from naturalness.files.resources import assets_folder, file_checksum, locate
from naturalness.models.huggingface import PREFIX, folder_of, path_after
from naturalness.models.huggingface import files_of as huggingface_files
from naturalness.models.language.mixture import Mixture, Part, combine, read_parts, short_hash
from naturalness.models.language.neural.model import NeuralModel
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.shipped import ASSETS, NEURAL, neural, shipped
from naturalness.models.language.store import (
    BESIDE,
    MANIFEST,
    MIXTURE,
    checksum,
    manifest_bytes,
    manifest_data,
    needed_files,
    open_model,
    read_manifest,
)

if TYPE_CHECKING:
    from naturalness.models.language.neural.huggingface import HuggingFaceModel

SHIPPED = re.compile(rf"({'|'.join(ASSETS)})(?::([0-9]{{1,2}}))?")
COMPANION, PART = "companion", "part-"
"""Folders of a copy that hold the models that its manifest names."""
OPENED = 16
"""Models that are remembered; their tables are mapped, not read, so that many cost little."""


def open_language_model(spec: str) -> NgramModel | Mixture | NeuralModel | HuggingFaceModel:
    """Open a model, once per process.

    ``spec``: ``words``, ``pieces``, ``tags`` (``tags:3`` for order 3) and ``neural`` are shipped;
    ``hf:NAME`` is a model of Hugging Face, by a path or as it was downloaded; anything else is the
    path of a folder (`naturalness lm train`, `lm mix` and `lm lstm` make them), of an ARPA file or
    of a KenLM file. ``./words`` is a folder of that name.
    """
    if spec == NEURAL:
        return neural()
    if spec.startswith(PREFIX):
        from naturalness.models.language.neural.huggingface import open_huggingface

        return open_huggingface(spec.removeprefix(PREFIX))
    if is_shipped(spec):
        return open_single(spec)
    path = _path(spec)
    data = manifest_data(path) if path.is_dir() else {}
    if BESIDE in data:
        from naturalness.models.language.neural.folder import open_folder

        return open_folder(path, data)
    if MIXTURE not in data:
        return open_single(spec)
    name, parts = read_parts(path, data)
    return _open_mixture(path.resolve(), name, tuple(parts), str(assets_folder()))


def open_single(spec: str) -> NgramModel:
    """Open a model that is no mixture."""
    if match := SHIPPED.fullmatch(spec):
        name, order = match.groups()
        return shipped(name, None if order is None else int(order))
    path = _path(spec).resolve()
    try:
        state = (path / MANIFEST if path.is_dir() else path).stat()
    except FileNotFoundError:
        return open_model(path)  # says what is missing
    return _open(path, state.st_mtime_ns, state.st_size)


def checksum_of(spec: str) -> str:
    """A short checksum of a model's files, which are verified; one for all orders of a folder."""
    if spec == NEURAL:
        return neural().checksum
    if spec.startswith(PREFIX):
        from naturalness.models.language.neural.huggingface import huggingface_checksum

        return huggingface_checksum(spec.removeprefix(PREFIX))
    path = None if is_shipped(spec) else _path(spec)
    data = manifest_data(path) if path and path.is_dir() else {}
    if path and BESIDE in data:
        from naturalness.models.language.neural.folder import folder_checksum

        return folder_checksum(path, data)
    if path is None or MIXTURE not in data:
        return _single_checksum(spec)
    _, parts = read_parts(path, data)
    for part in parts:
        _compare(path, part, _single_checksum(_resolved(path, part)))
    return _mixed(parts)


def path_in(spec: str) -> str | None:
    """The path that ends a spec; None where it names a model that is shipped or downloaded."""
    if spec == NEURAL or is_shipped(spec):
        return None
    return path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """The files that a model at a path is read from, by their names in a copy of it.

    ``.`` is the model itself, where it is a file. A manifest that names other folders is written to
    name the copies of these that come along.
    """
    if spec.startswith(PREFIX):
        return {path.name: path for path in huggingface_files(folder_of(spec.removeprefix(PREFIX)))}
    path = _path(spec)
    if path.is_file():
        return {".": path}
    data = manifest_data(path)
    if BESIDE in data:
        from naturalness.models.language.neural.folder import FILES, read_folder

        about, entry = read_folder(path, data), dict(data[BESIDE])
        found: dict[str, Path | bytes] = {name: path / name for name in FILES}
        if not about.shipped:
            found |= _files_within(COMPANION, about.spec(path))
            entry["companion"] = COMPANION
        return {**found, MANIFEST: manifest_bytes({**data, BESIDE: entry})}
    if MIXTURE in data:
        entries, found = [dict(entry) for entry in data[MIXTURE]], {}
        for number, part in enumerate(read_parts(path, data)[1]):
            if not part.shipped:
                entries[number]["path"] = name = f"{PART}{number}"
                found |= _files_within(name, _resolved(path, part))
        return {**found, MANIFEST: manifest_bytes({**data, MIXTURE: entries})}
    names = needed_files(read_manifest(path, verified=True))
    return {name: path / name for name in sorted({MANIFEST, *names})}


def _files_within(folder: str, spec: str) -> dict[str, Path | bytes]:
    """The files of a model that lies in a folder of another."""
    within = PurePosixPath(folder)
    return {(within / name).as_posix(): file for name, file in files_of(spec).items()}


def is_shipped(spec: str) -> bool:
    """Whether a spec names a model that comes with the package and can be part of a mixture."""
    return SHIPPED.fullmatch(spec) is not None


def place_of(spec: str) -> Path:
    """The folder or file of a model, links followed."""
    match = SHIPPED.fullmatch(spec)
    return Path(locate(match[1]) if match else _path(spec)).resolve()


@lru_cache(maxsize=OPENED)
def _open(path: Path, changed: int, size: int) -> NgramModel:
    """A model by its path, and by what changes when another is put there."""
    return open_model(path)


@lru_cache(maxsize=OPENED)
def _open_mixture(path: Path, name: str, parts: tuple[Part, ...], assets: str) -> Mixture:
    models = [open_single(_resolved(path, part)) for part in parts]
    for part, model in zip(parts, models, strict=True):
        _compare(path, part, model.checksum)
    weights = [part.weight for part in parts]
    return combine(models, weights, name=name, checksum=_mixed(parts))


def _path(spec: str) -> Path:
    path = Path(spec)
    try:
        found = path.exists()
    except (OSError, ValueError):
        found = False  # too long for a name, or with a NUL
    if not found:
        raise ModelError(
            f"no language model {spec!r}; expected {', '.join((*ASSETS, NEURAL))}, tags:2 to "
            "tags:5, hf:NAME, a folder made by `naturalness lm train`, `lm mix` or `lm lstm`, or "
            "an ARPA or KenLM file"
        )
    return path


def _single_checksum(spec: str) -> str:
    if match := SHIPPED.fullmatch(spec):
        return checksum(read_manifest(locate(match[1]), verified=True))
    path = _path(spec)
    return file_checksum(path)[:12] if path.is_file() else checksum(read_manifest(path))


def _resolved(folder: Path, part: Part) -> str:
    """The spec of a mixture's part, seen from here."""
    if part.shipped and not is_shipped(part.spec):
        raise ModelError(f"{folder / MANIFEST} names {part.spec!r}, which is not shipped")
    return part.spec if part.shipped else str(folder / part.spec)


def _compare(folder: Path, part: Part, found: str) -> None:
    if found != part.checksum:
        raise ModelError(
            f"mixture {str(folder)!r} was made with another {part.spec!r} (checksum "
            f"{part.checksum}, found {found}); put that one back, or mix anew"
        )


def _mixed(parts: Sequence[Part]) -> str:
    """The order that a spec names is not part of the folder's checksum."""
    orders = (part.spec.partition(":")[2] if part.shipped else "" for part in parts)
    return short_hash((part.checksum, order, part.weight) for part, order in zip(parts, orders, strict=True))

"""Open language models by name or path: shipped or trained models, ARPA or KenLM files, Hugging Face models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from naturalness.errors import ModelError, advice
from naturalness.files.resources import assets_folder, file_checksum, locate
from naturalness.files.storage import exists, seen_from
from naturalness.files.unfinished import restore
from naturalness.models.huggingface import PREFIX, copied_from, folder_of, path_after
from naturalness.models.huggingface import files_of as huggingface_files
from naturalness.models.language.mixture import Mixture, combine
from naturalness.models.language.neural.model import NeuralModel, beside
from naturalness.models.language.neural.network import NETWORK, open_network
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.shipped import ASSETS, NEURAL, SPEC, neural, shipped
from naturalness.models.language.store import (
    BESIDE,
    MANIFEST,
    MIXTURE,
    NETWORK_FILES,
    NamedModel,
    NeuralFolder,
    Part,
    checksum,
    manifest_bytes,
    manifest_data,
    mixture_checksum,
    needed_files,
    open_model,
    read_manifest,
    read_mixture,
    read_neural,
)
from naturalness.models.onnx_file import check_network

if TYPE_CHECKING:
    from naturalness.models.language.neural.huggingface import HuggingFaceModel

COMPANION, PART = "companion", "part-"
"""Subfolders (`companion`, `part-0`, ...) of a copied model; they hold copies of the models that it refers to."""
PART_NAME = re.compile(rf"{COMPANION}|{PART}\d+")
CACHED_MODELS = 16
"""Maximum number of models kept open; each takes little memory, since its tables are mapped and not read."""
CACHED_NETWORKS = 4


def open_language_model(spec: str) -> NgramModel | Mixture | NeuralModel | HuggingFaceModel:
    """Open a language model, once per process.

    ``spec`` can be ``words``, ``pieces``, ``tags`` (``tags:3`` for order 3) or ``neural`` for a shipped model, or
    ``hf:NAME`` for a Hugging Face model, where NAME is a path or the name of a downloaded model. Anything else is the
    path of a folder (written by `naturalness lm train`, `lm mix` or `lm lstm`), an ARPA file or a KenLM file. Write
    ``./words`` for a folder that is called ``words``.
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
        return _open_neural(path.resolve(), read_neural(path, data), str(assets_folder()))
    if MIXTURE in data:
        return _open_mixture(path.resolve(), *read_mixture(path, data), str(assets_folder()))
    return open_single(spec)


def open_single(spec: str) -> NgramModel:
    """Open a single n-gram model; ``spec`` must not name a mixture or a neural model."""
    if match := SPEC.fullmatch(spec):
        name, order = match.groups()
        return shipped(name, None if order is None else int(order))
    path = _path(spec).resolve()
    try:
        state = (path / MANIFEST if path.is_dir() else path).stat()
    except FileNotFoundError:
        return open_model(path)  # raises an error that says what is missing
    return _open(path, state.st_mtime_ns, state.st_size)


def checksum_of(spec: str) -> str:
    """Verify a model's files, and return a short checksum of them; models of different order in one folder share it."""
    if spec == NEURAL:
        return neural().checksum
    if spec.startswith(PREFIX):
        from naturalness.models.language.neural.huggingface import huggingface_checksum

        return huggingface_checksum(spec.removeprefix(PREFIX))
    path = None if is_shipped(spec) else _path(spec)
    data = manifest_data(path) if path and path.is_dir() else {}
    if path and BESIDE in data:
        manifest = read_neural(path, data)
        manifest.check_files(path)
        manifest.companion.check(path, _single_checksum(_resolved(path, manifest.companion)))
        return manifest.checksum
    if path and MIXTURE in data:
        _, parts = read_mixture(path, data)
        for part in parts:
            part.model.check(path, _single_checksum(_resolved(path, part.model)))
        return mixture_checksum(parts)
    return _single_checksum(spec)


def _single_checksum(spec: str) -> str:
    if match := SPEC.fullmatch(spec):
        return checksum(read_manifest(locate(match[1]), verified=True))
    path = _path(spec)
    return file_checksum(path)[:12] if path.is_file() else checksum(read_manifest(path))


def path_in(spec: str) -> str | None:
    """Return the path in a spec; None if the model is shipped or was downloaded by name."""
    if spec == NEURAL or is_shipped(spec):
        return None
    return path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """Return the files that make up a copy of a local model, keyed by their names in the copy.

    If the model is a single file, its key is ``.``. If a manifest refers to models in other folders, they are copied
    too, and the copied manifest refers to the copies.
    """
    if spec.startswith(PREFIX):
        return {path.name: copied_from(path) for path in huggingface_files(folder_of(spec.removeprefix(PREFIX)))}
    path = _path(spec)
    if path.is_file():
        return {".": path}
    data = manifest_data(path)
    files: dict[str, Path | bytes] = {}
    if BESIDE in data:
        companion, entry = read_neural(path, data).companion, dict(data[BESIDE])
        files |= {name: path / name for name in NETWORK_FILES}
        if not companion.shipped:
            files |= _files_within(COMPANION, _resolved(path, companion))
            entry["companion"] = COMPANION
        return {**files, MANIFEST: manifest_bytes({**data, BESIDE: entry})}
    if MIXTURE in data:
        entries = [dict(entry) for entry in data[MIXTURE]]
        for number, part in enumerate(read_mixture(path, data)[1]):
            if not part.model.shipped:
                entries[number]["path"] = name = f"{PART}{number}"
                files |= _files_within(name, _resolved(path, part.model))
        return {**files, MANIFEST: manifest_bytes({**data, MIXTURE: entries})}
    names = needed_files(read_manifest(path, verified=True))
    return {name: path / name for name in sorted({MANIFEST, *names})}


def stays_within(folder: Path) -> bool:
    """Return whether all models that a folder's manifest refers to are shipped or in the folder itself."""
    data = manifest_data(folder)
    named = [read_neural(folder, data).companion] if BESIDE in data else []
    named += [part.model for part in read_mixture(folder, data)[1]] if MIXTURE in data else []
    # Compare names as text, without resolving them: resolving a path such as \\\\host\\share would contact the host.
    return all(m.shipped or PART_NAME.fullmatch(m.spec) for m in named)


def _files_within(folder: str, spec: str) -> dict[str, Path | bytes]:
    """Return the files of a model for a copy in ``folder``, a subfolder of another model's copy."""
    within = PurePosixPath(folder)
    return {(within / name).as_posix(): file for name, file in files_of(spec).items()}


def is_shipped(spec: str) -> bool:
    """Return whether a spec names a shipped n-gram model, which can be part of a mixture."""
    return SPEC.fullmatch(spec) is not None


def location(spec: str) -> Path:
    """Return the path of a model's folder or file, with symbolic links resolved."""
    match = SPEC.fullmatch(spec)
    return Path(locate(match[1]) if match else _path(spec)).resolve()


def check_apart(folder: Path, specs: Sequence[str], user: str) -> None:
    """Raise `ModelError` if the folder to write contains, or is inside, one of the models that the new model needs.

    ``user`` is what the message calls the new model.
    """
    target = folder.resolve()
    for spec in specs:
        path = location(spec)
        if target.is_relative_to(path) or path.is_relative_to(target):
            raise ModelError(f"{str(folder)!r} is the place of {spec!r}, which the {user} needs; name another folder")


def named_from(folder: Path, spec: str, checksum: str) -> NamedModel:
    """Return a reference to a model for a manifest in ``folder``; a relative path is stored relative to the folder."""
    shipped = is_shipped(spec)
    if not shipped and not Path(spec).is_absolute():
        spec = seen_from(folder.resolve(), Path(spec).resolve()).as_posix()
    return NamedModel(spec, shipped, checksum)


@lru_cache(maxsize=CACHED_MODELS)
def _open(path: Path, changed: int, size: int) -> NgramModel:
    """Open a model by its path; the other arguments make the cache open it again if the file has been replaced."""
    return open_model(path)


@lru_cache(maxsize=CACHED_MODELS)
def _open_mixture(path: Path, name: str, parts: tuple[Part, ...], assets: str) -> Mixture:
    models = [_open_named(path, part.model) for part in parts]
    return combine(models, [part.weight for part in parts], name=name, checksum=mixture_checksum(parts))


@lru_cache(maxsize=CACHED_NETWORKS)
def _open_neural(folder: Path, manifest: NeuralFolder, assets: str) -> NeuralModel:
    """Open a neural model; the cache opens it again if its manifest, which holds all checksums, has changed."""
    manifest.check_files(folder)
    check_network(folder / NETWORK)
    companion = _open_named(folder, manifest.companion)
    signature = f"{manifest.name}:{manifest.checksum}"
    return beside(manifest.name, signature, open_network(folder), companion, manifest.weight)


def _open_named(folder: Path, model: NamedModel) -> NgramModel:
    opened = open_single(_resolved(folder, model))
    model.check(folder, opened.checksum)
    return opened


def _resolved(folder: Path, model: NamedModel) -> str:
    """Return the spec of a model that the manifest in ``folder`` refers to, with its path joined to ``folder``."""
    if model.shipped and not is_shipped(model.spec):
        raise ModelError(f"{folder / MANIFEST} names {model.spec!r}, which is not shipped")
    return model.spec if model.shipped else str(folder / model.spec)


def _path(spec: str) -> Path:
    path = Path(spec)
    if not (exists(path) or restore(path)):
        names = (*ASSETS, NEURAL)
        expected = (
            f"expected {', '.join(names)}, tags:2 to tags:5, hf:NAME, a folder written by `naturalness lm train`, "
            "`lm mix` or `lm lstm`, or an ARPA or KenLM file"
        )
        raise ModelError(f"no language model {spec!r}{advice(spec, names, expected)}")
    return path

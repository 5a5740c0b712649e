"""Open language models by name or path: shipped or trained models, ARPA or KenLM files, Hugging Face models."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.errors import ModelError, advice
from naturalness.files.resources import file_checksum, locate
from naturalness.files.storage import exists
from naturalness.files.unfinished import restore
from naturalness.models import huggingface
from naturalness.models.huggingface import PREFIX
from naturalness.models.language.neural.model import NeuralModel
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.shipped import ASSETS, NEURAL, SPEC, neural, shipped
from naturalness.models.language.store import MANIFEST, checksum, needed_files, open_model, read_manifest

if TYPE_CHECKING:
    from naturalness.models.language.neural.huggingface import HuggingFaceModel

CACHED_MODELS = 16
"""Maximum number of models kept open; each takes little memory, since its tables are mapped and not read."""


def open_language_model(spec: str) -> NgramModel | NeuralModel | HuggingFaceModel:
    """Open a language model, once per process.

    ``spec`` can be ``words``, ``pieces``, ``tags`` (``tags:3`` for order 3) or ``neural`` for a shipped model, or
    ``hf:NAME`` for a Hugging Face model, where NAME is a path or the name of a downloaded model. Anything else is the
    path of a folder (written by `naturalness lm train`), an ARPA file or a KenLM file. Write ``./words`` for a folder
    that is called ``words``.
    """
    if spec == NEURAL:
        return neural()
    if spec.startswith(PREFIX):
        from naturalness.models.language.neural.huggingface import open_huggingface

        return open_huggingface(spec.removeprefix(PREFIX))
    return open_single(spec)


def open_single(spec: str) -> NgramModel:
    """Open an n-gram model; ``spec`` must not name a neural model."""
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
        return huggingface.checksum_of(_downloaded(spec))
    if match := SPEC.fullmatch(spec):
        return checksum(read_manifest(locate(match[1]), verified=True))
    path = _path(spec)
    return file_checksum(path)[:12] if path.is_file() else checksum(read_manifest(path))


def path_in(spec: str) -> str | None:
    """Return the path in a spec; None if the model is shipped or was downloaded by name."""
    if spec == NEURAL or is_shipped(spec):
        return None
    return huggingface.path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path]:
    """Return the files that make up a copy of a local model, keyed by their names in the copy.

    If the model is a single file, its key is ``.``.
    """
    if spec.startswith(PREFIX):
        return {path.name: huggingface.copied_from(path) for path in huggingface.files_of(_downloaded(spec))}
    path = _path(spec)
    if path.is_file():
        return {".": path}
    names = needed_files(read_manifest(path, verified=True))
    return {name: path / name for name in sorted({MANIFEST, *names})}


def is_shipped(spec: str) -> bool:
    """Return whether a spec names a shipped n-gram model."""
    return SPEC.fullmatch(spec) is not None


@lru_cache(maxsize=CACHED_MODELS)
def _open(path: Path, changed: int, size: int) -> NgramModel:
    """Open a model by its path; the other arguments make the cache open it again if the file has been replaced."""
    return open_model(path)


def _downloaded(spec: str) -> Path:
    return huggingface.folder_of(spec.removeprefix(PREFIX)).resolve()


def _path(spec: str) -> Path:
    path = Path(spec)
    if not (exists(path) or restore(path)):
        names = (*ASSETS, NEURAL)
        expected = (
            f"expected {', '.join(names)}, tags:2 to tags:5, hf:NAME, a folder written by `naturalness lm train`, "
            "or an ARPA or KenLM file"
        )
        raise ModelError(f"no language model {spec!r}{advice(spec, names, expected)}")
    return path

"""Score and explain texts with one call. The first call opens the model, which then stays open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import overload

from naturalness.explaining.explanation import Explanation, Explanations
from naturalness.files.folder import MANIFEST
from naturalness.files.resources import assets_folder
from naturalness.judging.model import DEFAULT_MODEL, model_folder
from naturalness.judging.scores import Scores
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.view import Doc

MAX_MODELS = 8
"""The largest number of models that are kept open."""
_LOCK = RLock()


def score(
    texts: str | Sequence[str] | Sequence[Doc],
    model: str | Path | NaturalnessModel = DEFAULT_MODEL,
    *,
    register: str | None = None,
) -> Scores:
    """Return the naturalness, label and reason of each text; a single text gives `Scores` with one entry.

    ``model`` is an open model, or a name or folder as for `load_model`. A named model stays open, and is opened again
    only if its folder or the installed assets have changed. ``register`` is as in `NaturalnessModel.score`.

    >>> import naturalness
    >>> naturalness.score("She have no idea.").labels
    ['unnatural']
    """
    return _opened(model).score([texts] if isinstance(texts, str) else texts, register=register)


@overload
def explain(  # type: ignore[overload-overlap]  # a str is a sequence of str too; the first takes it
    texts: str, model: str | Path | NaturalnessModel = ..., *, edits: int = ..., register: str | None = ...
) -> Explanation: ...


@overload
def explain(
    texts: Sequence[str] | Sequence[Doc],
    model: str | Path | NaturalnessModel = ...,
    *,
    edits: int = ...,
    register: str | None = ...,
) -> Explanations: ...


def explain(
    texts: str | Sequence[str] | Sequence[Doc],
    model: str | Path | NaturalnessModel = DEFAULT_MODEL,
    *,
    edits: int = 0,
    register: str | None = None,
) -> Explanation | Explanations:
    """Explain the score of a text, or the scores of several texts.

    A single text gives an `Explanation`, several texts give `Explanations`. ``edits`` is the largest number of edits to
    propose per text (0 to 3; slow). ``model`` and ``register`` are as in `score`.

    >>> import naturalness
    >>> naturalness.explain("She have no idea.").cause
    'agreement'
    """
    explanations = _opened(model).explain([texts] if isinstance(texts, str) else texts, edits=edits, register=register)
    return explanations[0] if isinstance(texts, str) else explanations


def _opened(model: str | Path | NaturalnessModel) -> NaturalnessModel:
    """Return an open model; one given by name is opened again only if its folder or the assets have changed."""
    if isinstance(model, NaturalnessModel):
        return model
    folder = model_folder(model).resolve()
    manifest = folder / MANIFEST
    written = manifest.stat().st_mtime_ns if manifest.is_file() else 0
    with _LOCK:
        return _open(model, folder, written, assets_folder())


@lru_cache(maxsize=MAX_MODELS)
def _open(name: str | Path, folder: Path, written: int, assets: Path) -> NaturalnessModel:
    return load_model(name)

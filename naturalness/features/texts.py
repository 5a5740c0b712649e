"""Tell texts from tables of numbers, in the shapes that scikit-learn's tools pass around."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_texts(X: Any) -> list[Any] | None:
    """A list of texts or Docs; None where X is a table of numbers.

    Lists, tuples, one-dimensional arrays and series of texts, and tables with one column of texts.
    """
    if isinstance(X, (str, bytes)):
        raise TypeError("expected a list of texts, not a single string; use [text]")
    if isinstance(X, (list, tuple)):
        if X and all(map(_is_text, X)):
            return list(X)
        _refuse_mixed(X)
        return None
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) > 2 or (len(shape) == 2 and shape[1] != 1):
        return None
    values = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    flat = values.ravel().tolist() if values.dtype.kind in "OUT" else []
    return flat if flat and all(map(_is_text, flat)) else None


def _is_text(item: Any) -> bool:
    return isinstance(item, str) or hasattr(item, "ents")


def _refuse_mixed(items: Any) -> None:
    """A list with texts and other things is neither texts nor a table."""
    for place, item in enumerate(items):
        if any(map(_is_text, items)) and not _is_text(item):
            raise TypeError(f"text {place} is {type(item).__name__}, not text: {item!r:.60}")

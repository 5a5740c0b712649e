"""Distinguish texts from tables of numbers, in any container that scikit-learn's tools may pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from naturalness.data.cells import is_missing


def as_texts(X: Any, *, gaps: bool = False) -> list[Any] | None:
    """Return the texts or Docs in X as a list; None if X is a table of numbers.

    X may be a list, a tuple, a one-dimensional array or series, or a table with one column. Raise `TypeError` if it
    mixes texts with anything else. If ``gaps`` is true, None and NaN become empty texts.
    """
    if isinstance(X, (str, bytes)):
        raise TypeError("expected a list of texts, not a single string; use [text]")
    if isinstance(X, (list, tuple)):
        items = list(X)
    else:
        shape = getattr(X, "shape", None)
        if shape is None or len(shape) > 2 or (len(shape) == 2 and shape[1] != 1):
            return None
        values = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
        blank = gaps and values.dtype.kind == "f" and np.isnan(values).all()  # pandas has no texts in such a column
        if values.dtype.kind not in "OUT" and not blank:
            return None
        items = values.ravel().tolist()
    if gaps:
        items = list(map(_filled, items))
    kinds = list(map(_kind, items))
    if set(kinds) == {""}:
        return None
    if len(set(kinds)) > 1:
        i = next(i for i, kind in enumerate(kinds) if kind != kinds[0] or not kind)
        item = items[i]
        raise TypeError(
            f"text {i} is {type(item).__name__}, not like the others: {item!r:.60}; give "
            "texts alone, or parsed Docs alone"
        )
    return items


def _filled(item: Any) -> Any:
    """Return an empty text for None, NaN and pandas' missing strings; return other items, such as "none", unchanged."""
    return "" if not isinstance(item, str) and is_missing(item) else item


def _kind(item: Any) -> str:
    return "text" if isinstance(item, str) else "doc" if hasattr(item, "user_data") else ""

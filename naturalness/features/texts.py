"""Tell texts from tables of numbers, in the shapes that scikit-learn's tools pass around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from naturalness.data.cells import is_missing


def as_texts(X: Any, *, gaps: bool = False) -> list[Any] | None:
    """A list of texts or Docs; None where X is a table of numbers.

    Lists, tuples, one-dimensional arrays and series of texts, and tables with one column of texts.
    A mixture is refused, with the place of the first stranger; with ``gaps``, None and NaN among texts are empty texts.
    """
    if isinstance(X, (str, bytes)):
        raise TypeError("expected a list of texts, not a single string; use [text]")
    if isinstance(X, (list, tuple)):
        return _checked(_filled(X) if gaps else list(X))
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) > 2 or (len(shape) == 2 and shape[1] != 1):
        return None
    values = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    if values.dtype.kind not in "OUT":
        return None
    items = values.ravel().tolist()
    return _checked(_filled(items) if gaps else items)


def _filled(items: Sequence[Any]) -> list[Any]:
    """Return the items with empty texts for those that say that there is none."""
    return ["" if _is_gap(x) else x for x in items]


def _is_gap(item: Any) -> bool:
    """Tell whether an item is None, NaN, or what pandas has for them in columns of strings; words as "none" are not."""
    return not isinstance(item, str) and (is_missing(item) or type(item).__name__ == "NAType")


def _checked(items: list[Any]) -> list[Any] | None:
    kinds = ["text" if isinstance(x, str) else "doc" if hasattr(x, "ents") else "" for x in items]
    different = set(kinds)
    if different == {""}:
        return None
    if len(different) > 1:
        i = next(i for i, kind in enumerate(kinds) if kind != kinds[0] or not kind)
        item = items[i]
        raise TypeError(
            f"text {i} is {type(item).__name__}, not like the others: {item!r:.60}; give "
            "texts alone, or parsed Docs alone"
        )
    return items

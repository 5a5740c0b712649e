"""Units: fitted estimators, compiled to plain arrays that are scored in numpy.

A unit maps each prepared row to a number (a margin, a share of trees, or a rating). Sums are computed row by row by
numpy itself, never by BLAS, so that a row's number is the same in any batch and on any machine. Each kind of unit has
its own file, which scores rows, checks arrays, computes Shapley values and compiles fitted estimators.

Shapley values are exact, for groups of a model's columns (parts), relative to a background sample. A coalition is a set
of parts. The columns of its parts keep the text's values, and all other columns take those of a background row; the
coalition's worth is the unit's mean output over the background rows. A part's Shapley value is the mean, over all
orders in which parts can join, of the worth that it adds (Shapley 1953; Lundberg & Lee 2017 for models). Nothing is
sampled: every kind of unit has a closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray, IntArray

Parts = Sequence[IntArray]
"""The column indices of each part; every column of the model belongs to exactly one part."""


def by_row(values: Callable[[FloatArray], FloatArray], rows: FloatArray, parts: Parts) -> FloatArray:
    """Return the Shapley values of all rows, (n, n_parts), given a function that returns the values of one row."""
    return np.array([values(row) for row in rows], dtype=np.float64).reshape(len(rows), len(parts))


Arrays = Mapping[str, NDArray[Any]]
# Metadata of fields: type, dimensions, range and name of the array. The default is an array of floats with one axis.
MATRIX: Mapping[str, Any] = {"dimensions": 2}
INTEGERS: Mapping[str, Any] = {"integers": True}
POSITIVE: Mapping[str, Any] = {"positive": True}


class ForgedArrays(ValueError):
    """Raised for arrays that cannot come from a fitted model."""


class Unit(Protocol):
    """Protocol of units: a fitted function of prepared columns."""

    @property
    def kind(self) -> str:
        """Name of the kind of unit, as in manifests."""

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the outputs, (n,), for rows of shape (n, p)."""

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` if arrays do not fit ``width`` columns, or if scoring with them would not end."""

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values of the parts for each row, (n, n_parts).

        The values of a row sum to its output minus the mean output over the background. ``rows`` are (n, p),
        ``background`` (b, p), both prepared; each row is explained separately.
        """


@dataclass(frozen=True, slots=True)
class Form:
    """Functions that convert a fitted estimator to a unit (``compile``) and return its own outputs (``decisions``)."""

    compile: Callable[[Any], Unit]
    decisions: Callable[[Any, FloatArray], Any]

    def decide(self, estimator: Any, rows: FloatArray) -> FloatArray:
        """Return the estimator's own outputs, (n,), which must equal the outputs of its unit."""
        return np.asarray(self.decisions(estimator, rows), dtype=np.float64).ravel()


def margins(estimator: Any, rows: FloatArray) -> Any:
    """Return the margins of a scikit-learn classifier, or the ratings of a regressor."""
    decide = getattr(estimator, "decision_function", None) or estimator.predict
    return decide(rows)


def shares(estimator: Any, rows: FloatArray) -> Any:
    """Return a classifier's predicted probability of class 1, or the ratings of a regressor."""
    from sklearn.base import is_classifier

    if is_classifier(estimator):
        return estimator.predict_proba(rows)[:, list(estimator.classes_).index(1)]
    return estimator.predict(rows)


def arrays_of(part: Any) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part of a model, keyed by name; in a blend, by names like ``part0.coef``.

    An array is named after its field, unless the field's metadata has the key ``name``.
    """
    out: dict[str, NDArray[Any]] = {}
    for entry in fields(part):
        value = getattr(part, entry.name)
        if isinstance(value, tuple):
            out |= {f"part{i}.{name}": array for i, unit in enumerate(value) for name, array in arrays_of(unit).items()}
        else:
            out[entry.metadata.get("name") or entry.name] = value
    return out


def read_part(arrays: Arrays, prefix: str, part: type) -> list[NDArray[Any]]:
    """Return the arrays for a class in the order of its fields; raise `ForgedArrays` if `read_array` rejects one."""
    return [read_array(arrays, f"{prefix}.{e.metadata.get('name') or e.name}", e.metadata) for e in fields(part)]


def read_array(arrays: Arrays, name: str, described: Mapping[str, Any]) -> NDArray[Any]:
    """Return an array; raise `ForgedArrays` unless it is finite and has its field's type, dimensions and range."""
    if name not in arrays:
        raise ForgedArrays(f"array {name!r} is missing")
    array = arrays[name]
    require(array.dtype.kind == ("i" if described.get("integers") else "f"), name, "type")
    require(array.ndim == described.get("dimensions", 1), name, "shape")
    require(bool(np.isfinite(array).all()), name, "value (not finite)")
    require(not described.get("positive") or bool((array > 0).all()), name, "value (not above 0)")
    return array


def require(sound: bool, name: str, aspect: str) -> None:
    """Raise `ForgedArrays` unless ``sound``; the message gives the array's name and the aspect that is wrong."""
    if not sound:
        raise ForgedArrays(f"array {name!r} has an impossible {aspect}")


def require_shapes(part: Any, prefix: str, **shapes: tuple[int, ...]) -> None:
    """Raise `ForgedArrays` if a field does not have the given shape."""
    for name, shape in shapes.items():
        require(getattr(part, name).shape == shape, f"{prefix}.{name}", "shape")


def require_indices(array: NDArray[Any], size: int, name: str) -> None:
    """Raise `ForgedArrays` if an index is below 0 or not below ``size``."""
    require(bool(((array >= 0) & (array < size)).all()), name, f"index (of {size})")

"""What a fitted learner becomes: units, plain arrays that are scored in numpy.

A unit turns prepared rows into one number each (a margin, a share of trees or neighbours, a
rating). Sums run row by row in numpy's own order, never through BLAS: a row's number is the same
in any batch and on any machine. Each kind has a file of its own, in which it decides, checks its
arrays, gives its Shapley values and is compiled from fitted estimators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.models.learners.shapley import Parts

Arrays = Mapping[str, NDArray[Any]]
# What a field of a part holds; floats in one dimension, under its own name, where nothing is said.
MATRIX: Mapping[str, Any] = {"dimensions": 2}
INTEGERS: Mapping[str, Any] = {"integers": True}
POSITIVE: Mapping[str, Any] = {"positive": True}


class ForgedArrays(ValueError):
    """Arrays that no fit can have written."""


class Unit(Protocol):
    """One fitted function of the prepared columns."""

    @property
    def kind(self) -> str:
        """Its kind as manifests name it."""

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return numbers of shape (n,) for rows of shape (n, p)."""

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` where its arrays cannot read ``width`` columns, or not end."""

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the values of the parts of each row, (n, n_parts).

        A row's values add up to ``decide(row) - mean decide(background)``. ``rows`` are (n, p),
        ``background`` (b, p), both prepared; each row is taken by itself.
        """


@dataclass(frozen=True, slots=True)
class Form:
    """How the fitted estimators of a learner become units, and what they say themselves."""

    compile: Callable[[Any], Unit]
    decisions: Callable[[Any, FloatArray], Any]

    def decide(self, estimator: Any, rows: FloatArray) -> FloatArray:
        """Return the estimator's own numbers, (n,): what its arrays must agree with."""
        return np.asarray(self.decisions(estimator, rows), dtype=np.float64).ravel()


def margins(estimator: Any, rows: FloatArray) -> Any:
    """Return the margins of a classifier, or the ratings of a regressor of scikit-learn."""
    decide = getattr(estimator, "decision_function", None) or estimator.predict
    return decide(rows)


def shares(estimator: Any, rows: FloatArray) -> Any:
    """Return the share of class 1 that a classifier tells, or the ratings of a regressor."""
    from sklearn.base import is_classifier

    if is_classifier(estimator):
        return estimator.predict_proba(rows)[:, list(estimator.classes_).index(1)]
    return estimator.predict(rows)


def arrays_of(part: Any) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part by name; those of a blend's parts are ``part0.coef`` and the like.

    A field's metadata may name its array otherwise than the field (``name``).
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
    """Return the arrays of a part in the order of its fields, of the right type and finite."""
    return [read_array(arrays, f"{prefix}.{e.metadata.get('name') or e.name}", e.metadata) for e in fields(part)]


def read_array(arrays: Arrays, name: str, described: Mapping[str, Any]) -> NDArray[Any]:
    """Return one array of the type, dimensions and range that its field describes, finite."""
    if name not in arrays:
        raise ForgedArrays(f"array {name!r} is missing")
    array = arrays[name]
    require(array.dtype.kind == ("i" if described.get("integers") else "f"), name, "type")
    require(array.ndim == described.get("dimensions", 1), name, "shape")
    require(bool(np.isfinite(array).all()), name, "value (not finite)")
    require(not described.get("positive") or bool((array > 0).all()), name, "value (not above 0)")
    return array


def require(sound: bool, name: str, aspect: str) -> None:
    """Raise `ForgedArrays` where an array is not sound."""
    if not sound:
        raise ForgedArrays(f"array {name!r} has an impossible {aspect}")


def require_shapes(part: Any, prefix: str, **shapes: tuple[int, ...]) -> None:
    """Raise `ForgedArrays` where a field has another shape."""
    for name, shape in shapes.items():
        require(getattr(part, name).shape == shape, f"{prefix}.{name}", "shape")


def require_indices(array: NDArray[Any], size: int, name: str) -> None:
    """Raise `ForgedArrays` where an index is not in 0..``size`` - 1."""
    require(bool(((array >= 0) & (array < size)).all()), name, f"index (of {size})")

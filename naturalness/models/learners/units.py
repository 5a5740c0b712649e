"""Units: the plain arrays to which fitted learners are compiled, scored in numpy.

A unit turns each prepared row into a number (a margin, a share of trees or neighbours, a rating). Sums are computed row
by row in numpy's own order, never through BLAS, so that a row's number is the same in any batch and on any machine.
Each kind of unit has its own file, which scores rows, checks arrays, computes Shapley values and compiles fitted
estimators.
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
# Metadata of a field: its array's type, dimensions, range and name; by default one-dimensional floats.
MATRIX: Mapping[str, Any] = {"dimensions": 2}
INTEGERS: Mapping[str, Any] = {"integers": True}
POSITIVE: Mapping[str, Any] = {"positive": True}


class ForgedArrays(ValueError):
    """The arrays cannot come from a fitted model."""


class Unit(Protocol):
    """A fitted function of the prepared columns."""

    @property
    def kind(self) -> str:
        """Name of the unit's kind in manifests."""

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the outputs, (n,), for rows of shape (n, p)."""

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` if the arrays do not fit ``width`` columns, or scoring with them would not end."""

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values of the parts for each row, (n, n_parts).

        A row's values add up to ``decide(row) - mean decide(background)``. ``rows`` are (n, p), ``background`` (b, p),
        both prepared; each row is explained separately.
        """


@dataclass(frozen=True, slots=True)
class Form:
    """Conversion of a learner's fitted estimators to units, and the estimators' own outputs."""

    compile: Callable[[Any], Unit]
    decisions: Callable[[Any, FloatArray], Any]

    def decide(self, estimator: Any, rows: FloatArray) -> FloatArray:
        """Return the estimator's own outputs, (n,), with which its unit must agree."""
        return np.asarray(self.decisions(estimator, rows), dtype=np.float64).ravel()


def margins(estimator: Any, rows: FloatArray) -> Any:
    """Return the margins of a scikit-learn classifier, or the ratings of a regressor."""
    decide = getattr(estimator, "decision_function", None) or estimator.predict
    return decide(rows)


def shares(estimator: Any, rows: FloatArray) -> Any:
    """Return a classifier's predicted share of class 1, or the ratings of a regressor."""
    from sklearn.base import is_classifier

    if is_classifier(estimator):
        return estimator.predict_proba(rows)[:, list(estimator.classes_).index(1)]
    return estimator.predict(rows)


def arrays_of(part: Any) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part by name; those of a blend's parts are named ``part0.coef`` and so on.

    A field's metadata may give its array another name (``name``).
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
    """Return the arrays of a part in the order of its fields, with verified types and finite values."""
    return [read_array(arrays, f"{prefix}.{e.metadata.get('name') or e.name}", e.metadata) for e in fields(part)]


def read_array(arrays: Arrays, name: str, described: Mapping[str, Any]) -> NDArray[Any]:
    """Return one array, verified to have its field's type, dimensions and range, and finite values."""
    if name not in arrays:
        raise ForgedArrays(f"array {name!r} is missing")
    array = arrays[name]
    require(array.dtype.kind == ("i" if described.get("integers") else "f"), name, "type")
    require(array.ndim == described.get("dimensions", 1), name, "shape")
    require(bool(np.isfinite(array).all()), name, "value (not finite)")
    require(not described.get("positive") or bool((array > 0).all()), name, "value (not above 0)")
    return array


def require(sound: bool, name: str, aspect: str) -> None:
    """Raise `ForgedArrays` with the array's name and the failed aspect unless ``sound``."""
    if not sound:
        raise ForgedArrays(f"array {name!r} has an impossible {aspect}")


def require_shapes(part: Any, prefix: str, **shapes: tuple[int, ...]) -> None:
    """Raise `ForgedArrays` if a field does not have the given shape."""
    for name, shape in shapes.items():
        require(getattr(part, name).shape == shape, f"{prefix}.{name}", "shape")


def require_indices(array: NDArray[Any], size: int, name: str) -> None:
    """Raise `ForgedArrays` if an index is not in 0..``size`` - 1."""
    require(bool(((array >= 0) & (array < size)).all()), name, f"index (of {size})")

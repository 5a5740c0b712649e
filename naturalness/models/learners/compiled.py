"""A fitted pipeline as arrays: preparation, units and calibration; checked before it is trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.models.learners.arrays import UNITS, Blend, Neighbours, Trees, Unit, arrays_of, single_kinds, told_kind
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.recurrent import Recurrent

INTEGERS = {"marked", "kept", "count", "by_distance", "feature", "left", "right", "roots", "single"}
MATRICES = {"support", "points", "into", "across"}
POSITIVE = {"scale", "gamma", "count"}


class ForgedArrays(ValueError):
    """Arrays that no fit can have written."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """Feature table in, calibrated log-odds (or ratings) out; numpy alone."""

    preparation: Preparation
    units: tuple[Unit, ...]
    calibration: Calibration

    def decide(self, table: FloatArray) -> FloatArray:
        """Calibrated log-odds per unit, or ratings: shape (n, n_units). NaN features are filled."""
        rows = self.preparation.apply(table)
        return self.calibration.apply(np.column_stack([unit.decide(rows) for unit in self.units]))

    def kinds(self) -> list[str]:
        """The kind of each unit, of a blend with those of its parts."""
        return [told_kind(unit) for unit in self.units]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays under flat names."""
        out: dict[str, NDArray[Any]] = {}
        parts: list[tuple[str, Any]] = [("preparation", self.preparation), ("calibration", self.calibration)]
        for prefix, part in parts:
            out |= {f"{prefix}.{f.name}": getattr(part, f.name) for f in fields(part)}
        for i, unit in enumerate(self.units):
            out |= {f"unit{i}.{name}": value for name, value in arrays_of(unit).items()}
        return out


def from_arrays(arrays: Mapping[str, NDArray[Any]], kinds: Sequence[str], n_features: int) -> Compiled:
    """The pipeline of arrays that may come from anywhere; raises `ForgedArrays`."""
    preparation = Preparation(*_take(arrays, "preparation", Preparation))
    calibration = Calibration(*_take(arrays, "calibration", Calibration))
    unknown = {single for kind in kinds for single in single_kinds(kind)} - set(UNITS)
    if unknown or not kinds:
        raise ForgedArrays(f"units of kind {sorted(unknown) or 'none'}; known: {sorted(UNITS)}")
    units = tuple(_unit(arrays, f"unit{i}", kind) for i, kind in enumerate(kinds))
    _check_preparation(preparation, n_features)
    for name in ("slope", "offset"):
        _require(getattr(calibration, name).shape == (len(units),), f"calibration.{name}", "shape")
    for i, unit in enumerate(units):
        _check_unit(unit, f"unit{i}", len(preparation.kept))
    return Compiled(preparation, units, calibration)


def _unit(arrays: Mapping[str, NDArray[Any]], name: str, kind: str) -> Unit:
    """A unit; the parts of a blend are read as units alone are, and none of them is a blend."""
    if kind in UNITS:
        return UNITS[kind](*_take(arrays, name, UNITS[kind]))
    parts = enumerate(single_kinds(kind))
    return Blend(
        _checked(arrays, name, "weights"),
        tuple(UNITS[single](*_take(arrays, f"{name}.part{i}", UNITS[single])) for i, single in parts),
    )


def _require(good: bool, name: str, what: str) -> None:
    if not good:
        raise ForgedArrays(f"array {name!r} has an impossible {what}")


def _take(arrays: Mapping[str, NDArray[Any]], prefix: str, part: type) -> list[NDArray[Any]]:
    """The arrays of a part in the order of its fields, with the right type, finite."""
    return [_checked(arrays, prefix, f.name) for f in fields(part)]


def _checked(arrays: Mapping[str, NDArray[Any]], prefix: str, field: str) -> NDArray[Any]:
    """One array, with the right type, finite."""
    name = f"{prefix}.{field}"
    if name not in arrays:
        raise ForgedArrays(f"array {name!r} is missing")
    array = arrays[name]
    _require(array.dtype.kind == ("i" if field in INTEGERS else "f"), name, "type")
    _require(array.ndim == (2 if field in MATRICES else 1), name, "shape")
    _require(bool(np.isfinite(array).all()), name, "value (not finite)")
    _require(field not in POSITIVE or bool((array > 0).all()), name, "value (not above 0)")
    return array


def _inside(array: NDArray[Any], size: int, name: str) -> None:
    _require(bool(((array >= 0) & (array < size)).all()), name, f"index (of {size})")


def _check_preparation(part: Preparation, n_features: int) -> None:
    width = n_features + len(part.marked)
    _require(len(part.fill) == n_features, "preparation.fill", "shape")
    _require(len(part.mean) == len(part.scale) == width, "preparation.mean", "shape")
    _inside(part.marked, n_features, "preparation.marked")
    _inside(part.kept, width, "preparation.kept")


def _check_unit(unit: Unit, name: str, width: int) -> None:
    if isinstance(unit, Blend):
        _require(unit.weights.shape == (len(unit.parts),), f"{name}.weights", "shape")
        _require(bool((unit.weights >= 0).all()), f"{name}.weights", "value (below 0)")
        for i, part in enumerate(unit.parts):
            _check_unit(part, f"{name}.part{i}", width)
        return
    arrays = arrays_of(unit)
    for scalar in ("intercept", "gamma", "count", "by_distance", "base", "factor", "single"):
        if scalar in arrays:
            _require(arrays[scalar].shape == (1,), f"{name}.{scalar}", "shape")
    for matrix, values in (("support", "dual"), ("points", "targets")):
        if matrix in arrays:
            shape = arrays[matrix].shape
            _require(shape == (len(arrays[values]), width), f"{name}.{matrix}", "shape")
    if "coef" in arrays:
        _require(arrays["coef"].shape == (width,), f"{name}.coef", "shape")
    if isinstance(unit, Neighbours):
        _require(1 <= unit.count[0] <= len(unit.points), f"{name}.count", "value")
    if isinstance(unit, Trees):
        _check_trees(unit, name, width)
    if isinstance(unit, Recurrent):
        _check_recurrent(unit, name, width)


def _check_recurrent(unit: Recurrent, name: str, width: int) -> None:
    """Gates of both sides, and rows of whole words with a mark each."""
    kept, vector = unit.across.shape[1], unit.into.shape[1]
    _require(kept > 0 and unit.across.shape[0] == 6 * kept, f"{name}.across", "shape")
    _require(vector > 0 and len(unit.into) == 6 * kept and width % (vector + 1) == 0, f"{name}.into", "shape")
    for part in ("into_bias", "across_bias"):
        _require(len(getattr(unit, part)) == 6 * kept, f"{name}.{part}", "shape")
    _require(len(unit.last) == 4 * kept, f"{name}.last", "shape")


def _check_trees(trees: Trees, name: str, width: int) -> None:
    """Both children of a node stand behind it, so no walk can return, and each has one parent."""
    n = len(trees.left)
    for part in ("feature", "threshold", "right", "value"):
        _require(len(getattr(trees, part)) == n, f"{name}.{part}", "shape")
    _require(len(trees.roots) > 0, f"{name}.roots", "shape")
    _inside(trees.roots, n, f"{name}.roots")
    inner = trees.left >= 0
    _inside(trees.feature, width, f"{name}.feature")
    here = np.flatnonzero(inner)
    children = np.concatenate([trees.left[inner], trees.right[inner]])
    _inside(children, n, f"{name}.children")
    _require(bool((children > np.tile(here, 2)).all()), f"{name}.children", "order (a cycle)")
    seen = np.bincount(np.concatenate([children, trees.roots]), minlength=n)
    _require(bool((seen <= 1).all()), f"{name}.children", "order (two parents)")

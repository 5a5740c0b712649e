"""A fitted pipeline as arrays: preparation, units and calibration. Arrays read from a file are checked before use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.errors import REPLICATION, ModelError
from naturalness.models.learners.blend import Blend, Norms, kinds_in
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.kernel import Kernel
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.trees import Trees
from naturalness.models.learners.units import (
    Arrays,
    ForgedArrays,
    Unit,
    arrays_of,
    read_array,
    read_part,
    require,
    require_indices,
    require_shapes,
)

UNITS: Mapping[str, type[Linear | Switching | Kernel | Trees | Norms]] = {
    unit.kind: unit for unit in (Linear, Switching, Kernel, Trees, Norms)
}
"""Kinds of units that can be used alone or as parts of a blend."""
REPLICATED = {"recurrent": "bigru", "neighbours": "neighbours"}
"""The learners of 0.3 that the package of replications has now, keyed by the kind of their units."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A pipeline from a feature table to calibrated log-odds or ratings, which needs only numpy."""

    preparation: Preparation
    units: tuple[Unit, ...]
    calibration: Calibration

    def decide(self, table: FloatArray) -> FloatArray:
        """Return calibrated log-odds or ratings, (n, n_units); features that are NaN are imputed."""
        rows = self.preparation.apply(table)
        return self.calibration.apply(np.column_stack([unit.decide(rows) for unit in self.units]))

    def kinds(self) -> list[str]:
        """Return the kind of each unit; the kind of a blend includes the kinds of its parts."""
        return [unit.kind for unit in self.units]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays in one dictionary, keyed by names such as ``unit0.coef``."""
        parts = {"preparation": self.preparation, "calibration": self.calibration}
        units = {f"unit{i}": unit for i, unit in enumerate(self.units)}
        return {
            f"{prefix}.{name}": array
            for prefix, part in [*parts.items(), *units.items()]
            for name, array in arrays_of(part).items()
        }


def from_arrays(arrays: Arrays, kinds: Sequence[str], n_features: int) -> Compiled:
    """Return the pipeline stored in untrusted arrays; raise `ForgedArrays` if they are not valid."""
    preparation = Preparation(*read_part(arrays, "preparation", Preparation))
    calibration = Calibration(*read_part(arrays, "calibration", Calibration))
    if moved := [REPLICATED[kind] for kind in kinds if kind in REPLICATED]:
        raise ModelError(f"the model's learner, {moved[0]}, is {REPLICATION}, and retrain the model there")
    unknown = {single for kind in kinds for single in kinds_in(kind)} - UNITS.keys()
    if unknown or not kinds:
        raise ForgedArrays(f"found units of kind {sorted(unknown) or 'none'}; known kinds: {sorted(UNITS)}")
    units = tuple(_unit(arrays, f"unit{i}", kind) for i, kind in enumerate(kinds))
    width = n_features + len(preparation.marked)
    require_shapes(preparation, "preparation", fill=(n_features,), mean=(width,), scale=(width,))
    require_indices(preparation.marked, n_features, "preparation.marked")
    require_indices(preparation.selected, width, "preparation.kept")
    require_shapes(calibration, "calibration", slope=(len(units),), offset=(len(units),))
    require(bool((calibration.slope >= 0).all()), "calibration.slope", "value (below 0)")
    for i, unit in enumerate(units):
        unit.check(f"unit{i}", len(preparation.selected))
        for part in unit.parts if isinstance(unit, Blend) else (unit,):
            if isinstance(part, Switching):  # by a feature: `Start` finds the column by its name
                require_indices(preparation.selected[part.column], n_features, f"unit{i}.column")
    return Compiled(preparation, units, calibration)


def _unit(arrays: Arrays, name: str, kind: str) -> Unit:
    """Read a unit. The parts of a blend are read in the same way, but cannot be blends themselves."""
    if kind in UNITS:
        return UNITS[kind](*read_part(arrays, name, UNITS[kind]))
    parts = enumerate(kinds_in(kind))
    weights = read_array(arrays, f"{name}.weights", {})
    return Blend(weights, tuple(_unit(arrays, f"{name}.part{i}", single) for i, single in parts))

"""Compiled pipelines: forged arrays are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from naturalness.models.learners.blend import Blend
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled, from_arrays
from naturalness.models.learners.kernel import Kernel
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.units import ForgedArrays
from tests.support.problems import small_tree, table

D = 6


def compiled(kind: str) -> Compiled:
    """Return a small valid pipeline with one unit."""
    numbers = table(20)
    preparation = learn_preparation(numbers)
    width = len(preparation.selected)
    units: dict[str, Any] = {
        "linear": Linear(np.ones(width), np.zeros(1)),
        "switching": Switching(np.ones((2, width)), np.zeros(2), np.array([1]), np.zeros(1)),
        "kernel": Kernel(np.zeros((4, width)), np.ones(4), np.zeros(1), np.ones(1)),
        "trees": small_tree(),
    }
    units["blend"] = Blend(np.array([0.5, 2.0]), (units["linear"], units["trees"]))
    return Compiled(preparation, (units[kind],), Calibration(np.ones(1), np.zeros(1)))


@pytest.mark.parametrize("kind", ["linear", "switching", "kernel", "trees", "blend"])
def test_round_trip(kind: str) -> None:
    """A pipeline rebuilt from its arrays gives the same decisions."""
    model = compiled(kind)
    again = from_arrays(model.arrays(), model.kinds(), D)
    numbers = table(30, seed=3)
    assert model.decide(numbers).tobytes() == again.decide(numbers).tobytes()


FORGED: list[tuple[str, str, Any, str]] = [
    ("linear", "unit0.coef", np.array([1.0]), "shape"),
    ("linear", "unit0.intercept", np.array([np.nan]), "not finite"),
    ("linear", "preparation.scale", None, "missing"),
    ("linear", "preparation.kept", np.array([99]), "index"),
    ("linear", "preparation.scale", 0 * compiled("linear").preparation.scale, "not above 0"),
    ("linear", "preparation.marked", compiled("linear").preparation.marked - 100, "index"),
    ("linear", "calibration.slope", np.array([1.0, 2.0]), "shape"),
    ("linear", "calibration.slope", np.array([-1.0]), "below 0"),
    ("switching", "unit0.coef", np.ones((1, 6)), "shape"),
    ("switching", "unit0.column", np.array([99]), "index"),
    ("switching", "unit0.column", np.array([D]), "index"),
    ("switching", "unit0.column", np.array([1.0]), "type"),
    ("kernel", "unit0.gamma", np.array([0.0]), "not above 0"),
    ("trees", "unit0.left", np.array([0, -1, 3, -1, -1], np.int32), "cycle"),
    ("trees", "unit0.right", np.array([1, -1, 4, -1, -1], np.int32), "two parents"),
    ("trees", "unit0.feature", np.array([99, 0, 0, 0, 0], np.int32), "index"),
    ("trees", "unit0.roots", np.array([5], np.int32), "index"),
    ("blend", "unit0.weights", np.array([1.0, -1.0]), "below 0"),
    ("blend", "unit0.part1.left", np.array([0, -1, 3, -1, -1], np.int32), "cycle"),
]


@pytest.mark.parametrize(("kind", "name", "array", "what"), FORGED)
def test_forged_arrays_are_refused(kind: str, name: str, array: Any, what: str) -> None:
    """A forged array raises an error that names the array and its wrong aspect."""
    model = compiled(kind)
    arrays = {**model.arrays(), name: array}
    if array is None:
        del arrays[name]
    with pytest.raises(ForgedArrays, match=what) as error:
        from_arrays(arrays, model.kinds(), D)
    assert name.rpartition(".")[0] in str(error.value)


def test_unknown_and_missing_units_are_refused() -> None:
    """Unknown kinds of units, and units without their arrays, are refused."""
    model = compiled("linear")
    for kinds in (["quantum"], [], ["linear", "linear"]):
        with pytest.raises(ForgedArrays):
            from_arrays(model.arrays(), kinds, D)
    model = compiled("blend")
    assert model.kinds() == ["blend(linear,trees)"]
    for kind in ("blend()", "blend(linear)", "blend(linear,trees,linear)", "linear", "blend(blend(linear),trees)"):
        with pytest.raises(ForgedArrays):
            from_arrays(model.arrays(), [kind], D)

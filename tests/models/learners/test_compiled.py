"""Arrays that no fit can have written are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from naturalness.models.learners.blend import Blend
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled, from_arrays
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.neighbours import Neighbours
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.trees import Trees
from naturalness.models.learners.units import ForgedArrays
from tests.support.problems import table

D = 6


def compiled(kind: str) -> Compiled:
    """A small sound pipeline with one unit."""
    numbers = table(20)
    preparation = learn_preparation(numbers)
    width = len(preparation.selected)
    int32 = np.int32
    units: dict[str, Any] = {
        "linear": Linear(np.ones(width), np.zeros(1)),
        "neighbours": Neighbours(np.zeros((4, width)), np.ones(4), np.array([2]), np.array([1])),
        "trees": Trees(
            np.array([0, 1, 0, 0, 0], int32),
            np.zeros(5),
            np.array([1, 3, -1, -1, -1], int32),
            np.array([2, 4, -1, -1, -1], int32),
            np.ones(5),
            np.array([0], int32),
            np.zeros(1),
            np.ones(1),
            np.array([1]),
        ),
    }
    units["blend"] = Blend(np.array([0.5, 2.0]), (units["linear"], units["trees"]))
    return Compiled(preparation, (units[kind],), Calibration(np.ones(1), np.zeros(1)))


@pytest.mark.parametrize("kind", ["linear", "neighbours", "trees", "blend"])
def test_a_sound_pipeline_comes_back(kind: str) -> None:
    """Arrays out and in again: the same decisions."""
    model = compiled(kind)
    again = from_arrays(model.arrays(), model.kinds(), D)
    numbers = table(30, seed=3)
    assert model.decide(numbers).tobytes() == again.decide(numbers).tobytes()


FORGED: list[tuple[str, str, Any, str]] = [
    ("linear", "unit0.coef", np.array([1.0]), "shape"),
    ("linear", "unit0.coef", np.array(["a"]), "type"),
    ("linear", "unit0.intercept", np.array([np.nan]), "not finite"),
    ("linear", "preparation.scale", None, "missing"),
    ("linear", "preparation.kept", np.array([99]), "index"),
    ("linear", "calibration.slope", np.array([1.0, 2.0]), "shape"),
    ("linear", "calibration.slope", np.array([np.inf]), "not finite"),
    ("neighbours", "unit0.count", np.array([9]), "value"),
    ("neighbours", "unit0.count", np.array([0]), "not above 0"),
    ("neighbours", "unit0.points", np.zeros((3, 2)), "shape"),
    ("trees", "unit0.left", np.array([0, 3, -1, -1, -1], np.int32), "cycle"),
    ("trees", "unit0.left", np.array([1, 0, -1, -1, -1], np.int32), "cycle"),
    ("trees", "unit0.right", np.array([1, 4, -1, -1, -1], np.int32), "two parents"),
    ("trees", "unit0.right", np.array([99, 4, -1, -1, -1], np.int32), "index"),
    ("trees", "unit0.right", np.array([-1, 4, -1, -1, -1], np.int32), "index"),
    ("trees", "unit0.feature", np.array([99, 0, 0, 0, 0], np.int32), "index"),
    ("trees", "unit0.feature", np.array([0, 0, 0, 0, 10**6], np.int32), "index"),
    ("trees", "unit0.roots", np.array([5], np.int32), "index"),
    ("trees", "unit0.roots", np.array([], np.int32), "shape"),
    ("trees", "unit0.value", np.ones(4), "shape"),
    ("blend", "unit0.weights", np.ones(3), "shape"),
    ("blend", "unit0.weights", np.array([1.0, -1.0]), "below 0"),
    ("blend", "unit0.weights", np.array([1.0, np.inf]), "not finite"),
    ("blend", "unit0.weights", None, "missing"),
    ("blend", "unit0.part0.coef", np.ones(3), "shape"),
    ("blend", "unit0.part1.left", np.array([0, 3, -1, -1, -1], np.int32), "cycle"),
    ("blend", "unit0.part1.roots", None, "missing"),
]


@pytest.mark.parametrize(("kind", "name", "array", "what"), FORGED)
def test_forged_arrays_are_refused(kind: str, name: str, array: Any, what: str) -> None:
    """The message names the array and what is wrong with it."""
    model = compiled(kind)
    arrays = {**model.arrays(), name: array}
    if array is None:
        del arrays[name]
    with pytest.raises(ForgedArrays, match=what) as error:
        from_arrays(arrays, model.kinds(), D)
    assert name.rpartition(".")[0] in str(error.value)


def test_zero_scale_is_refused() -> None:
    """A division by zero would make scores of nothing."""
    model = compiled("linear")
    arrays = model.arrays()
    arrays["preparation.scale"] = np.zeros_like(arrays["preparation.scale"])
    with pytest.raises(ForgedArrays, match="not above 0"):
        from_arrays(arrays, model.kinds(), D)


def test_marks_of_columns_that_are_not_there_are_refused() -> None:
    """A negative place would silently read another column."""
    model = compiled("linear")
    arrays = model.arrays()
    arrays["preparation.marked"] = arrays["preparation.marked"] - 100
    with pytest.raises(ForgedArrays, match="index"):
        from_arrays(arrays, model.kinds(), D)


def test_unknown_and_missing_units_are_refused() -> None:
    """Only the kinds of the table are read."""
    model = compiled("linear")
    for kinds in (["quantum"], [], ["linear", "linear"]):
        with pytest.raises(ForgedArrays):
            from_arrays(model.arrays(), kinds, D)
    model = compiled("blend")
    assert model.kinds() == ["blend(linear,trees)"]
    for kind in (
        "blend",
        "blend()",
        "blend(linear)",
        "blend(linear,trees,linear)",
        "linear",
        "blend(blend(linear),trees)",
        "blend(linear,quantum)",
    ):
        with pytest.raises(ForgedArrays):
            from_arrays(model.arrays(), [kind], D)

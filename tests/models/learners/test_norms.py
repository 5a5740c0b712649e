"""How far a row lies from what is usual."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.norms import Norms
from naturalness.models.learners.units import ForgedArrays

NORMS = Norms(
    usual=np.array([1.0, 0.0]), spread=np.array([2.0, 0.5]), along=np.array([0.5, 0.0]), apart=np.array([0.0, 3.0])
)


def test_by_hand() -> None:
    """(5 - 1) / 2 = 2 upwards is worth 1; one deviation to either side costs 3; beyond four all is the same."""
    rows = np.array([[5.0, 0.0], [1.0, 0.5], [1.0, -0.5], [1e9, -1e9]])
    np.testing.assert_allclose(NORMS.decide(rows), [1.0, -3.0, -3.0, 0.5 * 4 - 3 * 4])


def test_values_of_parts_add_up() -> None:
    """To what the row has beyond the background's mean; each part by its own columns."""
    rng = np.random.default_rng(0)
    rows, background = rng.normal(size=(5, 2)), rng.normal(size=(7, 2))
    parts = [np.array([0]), np.array([1])]
    values = NORMS.shapley(rows, background, parts)
    np.testing.assert_allclose(values.sum(axis=1), NORMS.decide(rows) - NORMS.decide(background).mean())
    alone = NORMS.by_column(rows)[:, 1] - NORMS.by_column(background)[:, 1].mean()
    np.testing.assert_allclose(values[:, 1], alone)


def test_forged_arrays_are_refused() -> None:
    """Costs below 0, and arrays of another length."""
    NORMS.check("unit0", 2)
    with pytest.raises(ForgedArrays, match="apart"):
        Norms(NORMS.usual, NORMS.spread, NORMS.along, np.array([0.0, -1.0])).check("unit0", 2)
    with pytest.raises(ForgedArrays, match="shape"):
        NORMS.check("unit0", 3)

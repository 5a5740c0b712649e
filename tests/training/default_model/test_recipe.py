"""Preparation of columns in the recipe."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.prepared import learn_preparation
from training.default_model.recipe import IMPRESSION_WEIGHT, together


def test_directions_of_an_impression_weigh_as_they_vary() -> None:
    """A direction's weight is proportional to its variation; the most variable one has that of an ordinary column."""
    preparation = learn_preparation(np.array([[3.0, 4.0, 2.0], [-3.0, -4.0, -2.0], [np.nan, 0.0, 0.0]]))
    shared = together(preparation, np.array([False, True, True]))
    assert shared.scale[0] == preparation.scale[0]
    assert shared.scale[1] == shared.scale[2] == pytest.approx(preparation.scale[1] / IMPRESSION_WEIGHT)
    assert len(shared.scale) == len(preparation.scale) == 4  # a mark of the gap is the fourth

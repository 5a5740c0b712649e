"""The parser's weights, rounded to eight bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from naturalness.models.parsers.chart.network import dequantised

pytest.importorskip("torch")

from training.constituency.package import quantised


@given(arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(-100, 100, width=32)))
def test_rounding_is_at_most_half_a_scale(weight: np.ndarray) -> None:
    """Each weight, as the package reads it, differs by at most half a scale."""
    rows, scales = quantised(weight)
    approximation = dequantised({"w.rows": rows, "w.scales": scales}, "w")
    assert (np.abs(approximation - weight) <= scales[:, None] * 0.5001).all()
    assert (np.abs(rows.astype(int)) <= 127).all()

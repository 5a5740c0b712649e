"""Matrix products of the shipped pipeline."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinc.api import NumpyOps

from naturalness.text.parsing import load_pipeline
from naturalness.text.products import BLOCK_ROWS, BlockOps

OPS = BlockOps()
X = np.random.default_rng(0).normal(size=(3 * BLOCK_ROWS + 5, 48)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(30, 48)).astype(np.float32)


@given(st.integers(0, len(X)), st.integers(0, len(X)))
def test_a_row_does_not_depend_on_other_rows(start: int, end: int) -> None:
    """Any slice of rows gives the same digits as all rows together, which agree with thinc up to rounding."""
    whole = OPS.gemm(X, Y, trans2=True)
    assert whole == pytest.approx(NumpyOps().gemm(X, Y, trans2=True), abs=1e-5)
    assert np.array_equal(OPS.gemm(X[start:end], Y, trans2=True), whole[start:end])


def test_the_shipped_pipeline_multiplies_in_blocks() -> None:
    """All layers of all components use the blockwise operations."""
    models = [getattr(component, "model", None) for _, component in load_pipeline().pipeline]
    assert any(models)
    assert all(isinstance(node.ops, BlockOps) for model in models if model for node in model.walk())

"""Matrix products of the shipped pipeline."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thinc.api import NumpyOps

from naturalness.text.parsing import load_pipeline
from naturalness.text.products import BLOCK_ROWS, BlockOps, block_rows

OPS = BlockOps()
X = np.random.default_rng(0).normal(size=(3 * BLOCK_ROWS[0] + 5, 48)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(30, 48)).astype(np.float32)


@given(st.integers(0, len(X)), st.integers(0, len(X)))
def test_a_row_does_not_depend_on_other_rows(start: int, end: int) -> None:
    """Any slice of rows gives the same digits as all rows together, which agree with thinc up to rounding."""
    whole = OPS.gemm(X, Y, trans2=True)
    assert whole == pytest.approx(NumpyOps().gemm(X, Y, trans2=True), abs=1e-5)
    assert np.array_equal(OPS.gemm(X[start:end], Y, trans2=True), whole[start:end])


def test_equal_rows_of_a_block_have_equal_products() -> None:
    """The chosen number of rows is one of the possible ones, and a block of equal rows gives equal products."""
    rng = np.random.default_rng(2)
    for width, outputs in ((48, 30), (160, 480), (7, 1)):
        n = block_rows(width, outputs)
        assert n in {*BLOCK_ROWS, 1}
        row, weights = (rng.normal(size=(size, width)).astype(np.float32) for size in (1, outputs))
        product = np.repeat(row, n, axis=0) @ weights.T
        assert (product == product[0]).all()


def test_the_shipped_pipeline_multiplies_in_blocks() -> None:
    """All layers of all components use the blockwise operations."""
    models = [getattr(component, "model", None) for _, component in load_pipeline().pipeline]
    assert any(models)
    assert all(isinstance(node.ops, BlockOps) for model in models if model for node in model.walk())

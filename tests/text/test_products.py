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
    """Any run of rows gives the same digits as all rows together."""
    whole = OPS.gemm(X, Y, trans2=True)
    assert np.array_equal(OPS.gemm(X[start:end], Y, trans2=True), whole[start:end])


def test_products_are_those_of_thinc() -> None:
    """All forms of a product agree with thinc's, up to rounding."""
    theirs = NumpyOps()
    assert OPS.gemm(X, Y, trans2=True) == pytest.approx(theirs.gemm(X, Y, trans2=True), abs=1e-5)
    assert np.array_equal(OPS.gemm(X, X, trans1=True), theirs.gemm(X, X, trans1=True))
    out = np.zeros((len(X), len(Y)), np.float32)
    assert OPS.gemm(X, Y, out=out, trans2=True) is out


def test_the_shipped_pipeline_multiplies_in_blocks() -> None:
    """Every layer of every component does."""
    models = [getattr(component, "model", None) for _, component in load_pipeline().pipeline]
    assert any(models)
    assert all(isinstance(node.ops, BlockOps) for model in models if model for node in model.walk())

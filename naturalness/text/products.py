"""Matrix products of the shipped pipeline.

spaCy's own kernels are generic and slow. NumPy's are fast, but the digits of a row may depend on the number of rows
multiplied with it and on its place among them. In blocks of a fixed number of rows, they do not, if the kernel treats
all rows of such a block alike, which is tried once for each shape.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
from thinc.api import NumpyOps
from threadpoolctl import ThreadpoolController

from naturalness.arrays import FloatArray

BLOCK_ROWS = (64, 32, 16, 8, 4, 2)
"""Numbers of rows in a block, the fastest first. OpenBLAS's kernels for AVX-512 treat 64 rows alike; those
for Haswell and Zen, which some processors with AVX-512 get too, at most 8."""
TRIED = 8
"""Rows that are tried."""


@cache
def block_rows(width: int, outputs: int) -> int:
    """Return the largest block in which equal rows of this width have equal products."""
    rng = np.random.default_rng(0)
    tried, weights = (rng.normal(size=(n, width)).astype(np.float32) for n in (TRIED, outputs))
    for n in BLOCK_ROWS:
        products = np.matmul(np.repeat(tried, n, axis=0).reshape(TRIED, n, width), weights.T)
        if np.array_equal(products, np.repeat(products[:, :1], n, axis=1)):
            return n
    return 1


class BlockOps(NumpyOps):  # type: ignore[misc]  # no stubs
    """thinc's operations with products computed by NumPy, in blocks of rows, by one thread."""

    def gemm(
        self, x: Any, y: Any, out: FloatArray | None = None, trans1: bool = False, trans2: bool = False
    ) -> FloatArray:
        """Return the product of two matrices; a row of it depends on the same row of ``x`` only."""
        if out is not None or trans1 or not trans2 or not len(x):
            product: FloatArray = super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
            return product
        # Matrices of this size are too small to gain from threads.
        with self._library.limit(limits=1):
            size = block_rows(x.shape[1], len(y))
            blocks = -(-len(x) // size)
            rows = np.zeros((blocks * size, x.shape[1]), np.float32)
            rows[: len(x)] = x
            product = np.matmul(rows.reshape(blocks, size, -1), y.T).reshape(len(rows), len(y))
        return product[: len(x)]

    @cached_property
    def _library(self) -> ThreadpoolController:
        return ThreadpoolController().select(user_api="blas")

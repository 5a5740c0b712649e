"""Matrix products of the shipped pipeline.

spaCy's own kernels are generic and slow. NumPy's are fast, but the digits of a row may depend on the number of rows
multiplied with it; in blocks of a fixed number of rows, they do not.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from thinc.api import NumpyOps
from threadpoolctl import ThreadpoolController

from naturalness.arrays import FloatArray

BLOCK_ROWS = 64


class BlockOps(NumpyOps):  # type: ignore[misc]  # no stubs
    """thinc's operations with products computed by NumPy, in blocks of rows, by one thread."""

    def gemm(
        self, x: Any, y: Any, out: FloatArray | None = None, trans1: bool = False, trans2: bool = False
    ) -> FloatArray:
        """Return the product of two matrices; a row of it depends on the same row of ``x`` only."""
        if out is not None or trans1 or not trans2 or not len(x):
            product: FloatArray = super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
            return product
        blocks = -(-len(x) // BLOCK_ROWS)
        rows = np.zeros((blocks * BLOCK_ROWS, x.shape[1]), np.float32)
        rows[: len(x)] = x
        product = np.empty((len(rows), len(y)), np.float32)
        # Matrices of this size are too small to gain from threads.
        with self._library.limit(limits=1):
            for start in range(0, len(rows), BLOCK_ROWS):
                block = slice(start, start + BLOCK_ROWS)
                np.matmul(rows[block], y.T, out=product[block])
        return product[: len(x)]

    @cached_property
    def _library(self) -> ThreadpoolController:
        return ThreadpoolController().select(user_api="blas")

"""Sign constraints of columns, and ridge regression under them.

Without them, columns that measure nearly the same get weights of opposite signs, and a text with one more error can get
a better score. Only columns that count damage, errors, repetition and unknown words are constrained; the ratings decide
whether long, rare or likely words are better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import lsq_linear

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError
from naturalness.features.detector import DAMAGE, SUFFIXES
from naturalness.models.detector import KINDS
from training.tables import read_table

DETECTORS = tuple(DAMAGE + suffix for suffix in SUFFIXES)
"""Groups of the detectors' damage."""
TABLE = read_table(__file__, "signs.toml")
BETTER = frozenset(TABLE["better"]) | {f"{group}__{name}" for group in DETECTORS for name in TABLE["soundness"]}
WORSE_GROUPS = (*DETECTORS, "rules", "repetition")
"""Groups whose other columns all count errors."""
WORSE = frozenset(TABLE["worse"])
KINDS_OF_DAMAGE = frozenset(f"{group}__{kind}_share" for group in DETECTORS for kind in KINDS[1:])
"""Columns of a single kind of damage; each keeps a minimum weight, since explanations name what lowers a score."""
LEAST = 0.04
"""Minimum weight of a kind of damage, in log-odds per deviation."""
ROUNDING = 1e-12


def sign_of(column: str) -> int:
    """Return 1 if higher values of a column are clearly better, -1 if they are clearly worse, otherwise 0."""
    if column in BETTER:
        return 1
    return -1 if column in WORSE or column.partition("__")[0] in WORSE_GROUPS else 0


def signs(columns: Sequence[str]) -> FloatArray:
    """Return the sign of each column; 0 for gap indicators."""
    return np.array([sign_of(column) for column in columns], dtype=np.float64)


def leasts(columns: Sequence[str]) -> FloatArray:
    """Return the minimum absolute weight of each column."""
    return np.array([LEAST if column in KINDS_OF_DAMAGE else 0.0 for column in columns])


def solve(gram: FloatArray, target: FloatArray, sign: FloatArray, least: FloatArray) -> FloatArray:
    """Return the w that minimises w'Gw/2 - t'w, with no weight of the wrong sign or smaller than its least.

    Constrained weights that would be smaller become ``sign * least``; all others are free.
    """
    low, high = np.where(sign > 0, least, -np.inf), np.where(sign < 0, -least, np.inf)
    root = np.linalg.cholesky(gram)
    best = lsq_linear(root.T, np.linalg.solve(root, target), (low, high), method="bvls", tol=ROUNDING)
    if not best.success:
        raise TrainingError(f"no weights of these signs were found: {best.message}; report this")
    weights: FloatArray = best.x
    return weights

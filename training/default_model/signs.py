"""Columns of which more is plainly better or plainly worse, and a ridge that keeps to that.

Without it, weights of columns that say nearly the same take opposite signs, and a text with one
more error of a kind can get the better score. Only what counts damage, errors, repetition and
unknown words is held; whether long, rare or likely words are better is for the ratings to say.
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
    """Return 1 where more of a column is plainly better, -1 where it is plainly worse, else 0."""
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
    """The w that minimises w'Gw/2 - t'w with no weight of the wrong sign, or smaller than its least.

    Those with a sign that would be smaller become ``sign * least``. Any other has no least.
    """
    low, high = np.where(sign > 0, least, -np.inf), np.where(sign < 0, -least, np.inf)
    root = np.linalg.cholesky(gram)
    best = lsq_linear(root.T, np.linalg.solve(root, target), (low, high), method="bvls", tol=ROUNDING)
    if not best.success:
        raise TrainingError(f"no weights of these signs were found: {best.message}; report this")
    weights: FloatArray = best.x
    return weights

"""Find texts that show a cause of low scores that no rated text shows.

A text shows a cause if the columns that detect errors of that cause (from the detector, the rules or the checker) are
higher than for nine in ten texts of the pool.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from naturalness.arrays import BoolArray
from naturalness.explaining.causes import TABLES, cause_of
from naturalness.models.learners.prepared import learn_preparation
from naturalness.studio.annotate.asking.pool import Pool
from naturalness.studio.annotate.asking.space import SAMPLE_ROWS

SLIPS: Mapping[str, str] = TABLES["slips"]
"""Descriptions of the causes that a text can show, keyed by cause; overall soundness is not one of them."""
WITNESSES = ("damage", "damage_fast", "damage_large", "rules", "grammar")
"""Names of feature groups whose columns measure errors; higher values are worse."""
SHOWN_QUANTILE = 0.9
"""Quantile of the pool above which a text shows a cause; texts equal to it, which may be most, do not."""


@lru_cache(maxsize=4)
def shown_by(pool: Pool) -> Mapping[str, BoolArray]:
    """Return, for each cause, which texts of the pool show it, (n,) each, in the order of `SLIPS`."""
    rows = np.flatnonzero(pool.usable)
    witnesses = [i for i, name in enumerate(pool.columns) if name.partition("__")[0] in WITNESSES]
    by_cause: dict[str, BoolArray] = {}
    if not len(rows):
        return by_cause
    table = pool.table[rows][:, witnesses]
    preparation = learn_preparation(table[:: max(1, len(table) // SAMPLE_ROWS)])
    values = preparation.apply(table)[:, : len(witnesses)]
    causes = np.array([cause_of(pool.columns[i]) for i in witnesses])
    for cause in SLIPS:
        if (causes == cause).any():
            level = values[:, causes == cause].max(axis=1)
            shown = np.zeros(len(pool), dtype=np.bool_)
            shown[rows] = level > np.quantile(level, SHOWN_QUANTILE)
            by_cause[cause] = shown
    return by_cause

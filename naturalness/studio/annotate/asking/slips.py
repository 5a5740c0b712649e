"""Find the causes of low scores that each text shows, and the causes that few rated texts show.

A text shows a cause if the columns that detect errors of that cause (from the detector, the rules or the checker) are
higher than for nine in ten texts of the pool. If the pool has no columns that detect errors, the columns of the cause
must lie further from the middle of the pool than for nine in ten texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.explaining.causes import TABLES, TITLES, cause_of
from naturalness.models.learners.prepared import learn_preparation
from naturalness.studio.annotate.asking.pool import Judgement, Pool, rated_texts
from naturalness.studio.annotate.asking.space import SAMPLE_ROWS

SLIPS: Mapping[str, str] = TABLES["slips"]
"""Descriptions of the causes that a text can show, keyed by cause; overall soundness is not one of them."""
WITNESSES = ("damage", "damage_fast", "damage_large", "rules", "grammar")
"""Names of feature groups whose columns measure errors; higher values are worse."""
SHOWN_QUANTILE = 0.9
"""Quantile of the pool above which a text shows a cause."""
RARE_BELOW = 1
"""Number of rated texts below which a cause is rare; with a limit of three, questions about causes cost more than they
gained (docs/annotating-choice.md)."""


@lru_cache(maxsize=4)
def shown_by(pool: Pool) -> Mapping[str, BoolArray]:
    """Return, for each cause, which texts of the pool show it, (n,) each, in the order of `SLIPS`."""
    rows = np.flatnonzero(pool.usable)
    if not len(rows):
        return {}
    read_for = _columns(pool.columns)
    indices_read = sorted({index for indices, _ in read_for.values() for index in indices})
    table = pool.table[rows][:, indices_read]
    preparation = learn_preparation(table[:: max(1, len(table) // SAMPLE_ROWS)])
    standard = dict(zip(indices_read, preparation.apply(table).T, strict=False))
    by_cause: dict[str, BoolArray] = {}
    for cause, (indices, worse) in read_for.items():
        values = np.array([standard[index] for index in indices])
        level = values.max(axis=0) if worse else np.sqrt((values**2).mean(axis=0))
        shown = np.zeros(len(pool), dtype=np.bool_)
        shown[rows] = _high(level)
        if shown.any():
            by_cause[cause] = shown
    return by_cause


def _columns(columns: Sequence[str]) -> dict[str, tuple[list[int], bool]]:
    """Return the indices of the columns that show each cause, and whether higher values are worse."""
    causes = [cause_of(column) for column in columns]
    witness = [column.partition("__")[0] in WITNESSES for column in columns]
    by_cause: dict[str, tuple[list[int], bool]] = {}
    for cause in SLIPS:
        indices = [i for i, name in enumerate(causes) if name == cause]
        witnesses = [i for i in indices if witness[i]]
        if witnesses or (indices and not any(witness)):
            by_cause[cause] = (witnesses or indices, bool(witnesses))
    return by_cause


def _high(level: FloatArray) -> BoolArray:
    """Return which values exceed the quantile `SHOWN_QUANTILE`; values equal to it, which may be most, do not count."""
    return level > np.quantile(level, SHOWN_QUANTILE)


def rated_of(pool: Pool, judgements: Sequence[Judgement]) -> dict[str, int]:
    """Return, for each cause, the number of rated texts that show it or that a rater attributed to it."""
    asked = rated_texts(judgements)
    named: dict[str, set[int]] = {}
    for judgement in judgements:
        named.setdefault(judgement.cause, set()).add(judgement.text)
    return {
        cause: len({int(text) for text in asked[shown[asked]]} | named.get(cause, set()))
        for cause, shown in shown_by(pool).items()
    }


def rare_causes(pool: Pool, judgements: Sequence[Judgement], candidates: BoolArray) -> dict[str, int]:
    """Return the causes with fewer than `RARE_BELOW` rated texts, each with that number, rarest first. Causes that no
    candidate shows are omitted."""
    shown, rated = shown_by(pool), rated_of(pool, judgements)
    rare = [c for c, n in rated.items() if n < RARE_BELOW and bool((shown[c] & candidates).any())]
    return {cause: rated[cause] for cause in sorted(rare, key=lambda cause: rated[cause])}


def wording_of_cause(cause: str, rated: int) -> str:
    """Return a reason such as ``no sentence with agreement slips so far``."""
    what = SLIPS.get(cause) or f"unusual {TITLES.get(cause, cause)}"
    return f"{'few sentences' if rated else 'no sentence'} with {what} so far"

"""How often the model and the raters disagree in each category, and where clearly more often.

Texts of one source are not independent. An interval is Wilson's (1927) for as many texts as the
variance over sources is worth (Korn & Graubard 1998). Whether a category differs from the rest is
asked by a score test whose variance is summed over sources (Liang & Zeger 1986), and the
probabilities of all categories are corrected for their number (Holm 1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, IntArray
from naturalness.reports.raters.categories import Category
from naturalness.reports.raters.judged import Judged
from naturalness.statistics.measures import effective, wilson
from naturalness.statistics.significance import ALPHA, holm

FEWEST = 10
"""Labelled texts in a category, and outside it, under which nothing is tested."""
WORSE, BETTER = "worse", "better"


@dataclass(frozen=True, slots=True)
class Rate:
    """Disagreements in a category; shares are 0..1, NaN where no text has a label."""

    dimension: str
    name: str
    texts: int
    """With a label."""
    errors: int
    rate: float
    """Share of texts told another label than the raters'."""
    low: float
    high: float
    too_high: float
    """Share told a better label than the raters' (falsely natural)."""
    too_low: float
    """Share told a worse one."""
    rest: float
    """Error rate of all other texts."""
    p: float
    """That it differs from the rest by chance, corrected for all categories; NaN if not tested."""
    verdict: str = ""
    """``worse`` or ``better`` than the rest where that is clear."""


def find_rates(judged: Judged, categories: Sequence[Category]) -> tuple[Rate, ...]:
    """The whole, named ``all``, then each category that some labelled texts are in and some not."""
    known, groups = judged.known, judged.data.groups
    every = np.ones(len(known), dtype=bool)
    made = [_rate(judged, Category("all", "all", every))]
    ps: list[float] = []
    for category in categories:
        if not (category.rows & known).any() or not (~category.rows & known).any():
            continue
        made.append(_rate(judged, category))
        inside = category.rows[known]
        ps.append(p_of_difference(judged.wrong[known], inside, groups[known]))
    corrected = [math.nan, *holm(ps)]
    pairs = zip(made, corrected, strict=True)
    return tuple(replace(rate, p=p, verdict=_verdict(rate, p)) for rate, p in pairs)


def _rate(judged: Judged, category: Category) -> Rate:
    rows, rest = category.rows & judged.known, ~category.rows & judged.known
    n, wrong = int(rows.sum()), judged.wrong[rows].astype(np.float64)
    low = high = math.nan
    if n:
        worth = effective(wrong, judged.data.groups[rows])
        low, high = wilson(float(wrong.mean()) * worth, worth)
    return Rate(
        category.dimension,
        category.name,
        n,
        int(wrong.sum()),
        _share(judged.wrong, rows),
        low,
        high,
        too_high=_share(judged.too_high, rows),
        too_low=_share(judged.too_low, rows),
        rest=_share(judged.wrong, rest),
        p=math.nan,
    )


def _share(what: BoolArray, rows: BoolArray) -> float:
    return float(what[rows].mean()) if rows.any() else math.nan


def _verdict(rate: Rate, p: float) -> str:
    if math.isnan(p) or p >= ALPHA:
        return ""
    return WORSE if rate.rate > rate.rest else BETTER


def p_of_difference(wrong: BoolArray, inside: BoolArray, groups: IntArray) -> float:
    """Two-sided probability of such a difference in rates by chance; NaN where too few texts."""
    n, m = int(inside.sum()), int((~inside).sum())
    if n < FEWEST or m < FEWEST or wrong.all() or not wrong.any():
        return math.nan
    pull = (inside - inside.mean()) * (wrong - wrong.mean())
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=pull)
    variance = float((sums**2).sum())
    return math.erfc(abs(float(pull.sum())) / math.sqrt(2 * variance)) if variance else math.nan

"""How the figure on the test share has grown with the answers, and what more of them would add."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.reports.raters.learning_curve import (
    LAST,
    PLAIN,
    LearningCurve,
    Step,
    answer,
    known_deviation,
    known_mean,
    slope,
)

SHARES = (0.25, 0.5, 0.75)
REPEATS = 4
FEWEST = 12
"""Texts, or pairs, of the smallest part that is learned from."""


def grow(
    size: int,
    scores_of: Callable[[IntArray], FloatArray | None],
    scores: FloatArray,
    figure: Callable[[FloatArray, IntArray], float],
    name: str,
    *,
    seed: int = 0,
) -> LearningCurve | None:
    """The curve of ``figure`` (of scores and places in the test share) over parts of all texts.

    ``scores_of`` teaches with some of them and scores the test share, ``scores`` are those by all.
    In each repeat the parts grow in another order; for the slope's interval the test share is drawn
    anew with them, since it is small as well. None where there are too few texts.
    """
    parts = [share for share in SHARES if share * size >= FEWEST]
    if len(parts) < 2:
        return None
    rng = np.random.default_rng(seed)
    sizes = np.array([*(math.ceil(share * size) for share in parts), size])
    whole = np.arange(len(scores), dtype=np.int64)
    found, drawn = np.full((2, REPEATS, len(sizes)), np.nan)
    for repeat in range(REPEATS):
        order = rng.permutation(size)
        again = rng.integers(len(scores), size=len(scores))
        for place, number in enumerate(sizes):
            told = scores if number == size else scores_of(np.sort(order[:number]))
            if told is not None:
                found[repeat, place] = figure(told, whole)
                drawn[repeat, place] = figure(told, again)
    steps = tuple(
        Step(int(n), known_mean(values), known_deviation(values)) for n, values in zip(sizes, found.T, strict=True)
    )
    gain, low, high = slope(np.tile(sizes, (REPEATS, 1))[:, -LAST:], drawn[:, -LAST:])
    return LearningCurve(PLAIN, name, REPEATS, steps, gain, low, high, answer(gain, low, high))

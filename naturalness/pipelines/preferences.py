"""A rating per text from pairs of which one was preferred, after Bradley and Terry (1952)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.models.learners.prepared import FloatArray

PRIOR = 0.5
"""Times that each text is taken to have won, and to have lost, against one of middling strength.

Without it a text that won all its pairs would be infinitely strong, and texts that no chain of
pairs links could not be compared.
"""
CLOSE = 1e-9
STEPS = 10_000


def preferred(texts: int, pairs: Sequence[tuple[int, int, float]]) -> FloatArray:
    """The chance that each text is preferred to one of middling strength, (0, 1); higher => better.

    ``pairs`` are two texts and the share of the win that the first one has: 1, 0, or 1/2 where
    neither was better. NaN for texts in no pair. Bradley & Terry (1952), Biometrika 39; fitted as
    in Hunter (2004), Annals of Statistics 32, with `PRIOR` as in Caron & Doucet (2012).
    *Shape:* (texts,)
    """
    if not pairs:
        return np.full(texts, np.nan)
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in (0, 1))
    share = np.array([pair[2] for pair in pairs], dtype=np.float64)
    wins = PRIOR + np.bincount(first, share, texts) + np.bincount(second, 1 - share, texts)
    strength = np.ones(texts)
    for _ in range(STEPS):
        each = 1 / (strength[first] + strength[second])
        met = np.bincount(first, each, texts) + np.bincount(second, each, texts)
        better = wins / (met + 2 * PRIOR / (strength + 1))
        change = float(np.max(np.abs(np.log(better / strength))))
        strength = better
        if change < CLOSE:
            break
    known = np.bincount(first, minlength=texts) + np.bincount(second, minlength=texts) > 0
    return np.where(known, strength / (1 + strength), np.nan)

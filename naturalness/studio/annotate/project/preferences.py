"""Compute a rating for each text from preferences between pairs of texts, after Bradley and Terry (1952)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.logistic import fit_logistic, sigmoid

PRIOR_OUTCOMES = 0.5
"""Number of wins, and of losses, against a text of average strength that each text is given in addition.

Otherwise, a text that won all its pairs would be infinitely strong, and texts not linked by any chain of pairs could
not be compared.
"""


def preferred(pairs: Sequence[tuple[int, int, float]]) -> tuple[IntArray, FloatArray]:
    """Return the texts that occur in pairs, and the probability that each is preferred to one of average strength,
    (0, 1); higher is better.

    ``pairs`` hold two texts and the result for the first: 1 for a win, 0 for a loss, or 1/2 if neither was better.
    Bradley & Terry (1952), Biometrika 39: the most probable strengths given the pairs and `PRIOR_OUTCOMES`.
    """
    texts, positions = np.unique([pair[:2] for pair in pairs], return_inverse=True)
    first, second = np.eye(len(texts))[positions.reshape(-1, 2).T]
    design = np.vstack([first - second, np.eye(len(texts))])
    target = np.array([*(pair[2] for pair in pairs), *[0.5] * len(texts)])
    weight = np.repeat([1.0, 2 * PRIOR_OUTCOMES], [len(pairs), len(texts)])
    return texts, sigmoid(fit_logistic(design, target, weight, np.zeros(len(texts))))

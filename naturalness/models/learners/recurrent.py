"""A pooled bidirectional GRU as plain arrays, run in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.calibration import sigmoid
from naturalness.models.learners.words import words_of


@dataclass(frozen=True, slots=True)
class Recurrent:
    """Two GRUs (Cho et al. 2014), one from each end; mean and maximum over the words; a margin.

    The three gates of a GRU stand one below the other: reset, update, new. What belongs to the one
    that reads from the left stands above what belongs to the other.

    *Shapes:* with vectors of w numbers and h numbers kept by each, ``into`` (6h, w), ``across``
    (6h, h), ``into_bias`` and ``across_bias`` (6h,), ``last`` (4h,).
    """

    kind: ClassVar[str] = "recurrent"
    into: FloatArray
    across: FloatArray
    into_bias: FloatArray
    across_bias: FloatArray
    last: FloatArray
    """Weights of the means, then of the maxima."""
    intercept: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Margins."""
        texts = words_of(rows, self.into.shape[1])
        sums = np.array([(self._pooled(words) * self.last).sum() for words in texts])
        return sums.astype(np.float64) + float(self.intercept[0])

    def _pooled(self, words: FloatArray) -> FloatArray:
        """Means and maxima over the words: (4h,)."""
        read = np.stack([(self.into * word).sum(axis=1) for word in words]) + self.into_bias
        half = read.shape[1] // 2
        states = np.hstack(
            [
                _run(read[:, :half], self.across[:half], self.across_bias[:half]),
                _run(read[::-1, half:], self.across[half:], self.across_bias[half:])[::-1],
            ]
        )
        return np.concatenate([states.sum(axis=0) / len(states), states.max(axis=0)])


def _run(read: FloatArray, across: FloatArray, bias: FloatArray) -> FloatArray:
    """States of a GRU after each word: (n_words, h); ``read`` is what it makes of the words."""
    h = across.shape[1]
    state = np.zeros(h)
    states = np.empty((len(read), h))
    for i, word in enumerate(read):
        own = (across * state).sum(axis=1) + bias
        reset, update = sigmoid(word[: 2 * h] + own[: 2 * h]).reshape(2, h)
        new = np.tanh(word[2 * h :] + reset * own[2 * h :])
        state = (1.0 - update) * new + update * state
        states[i] = state
    return states

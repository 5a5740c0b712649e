"""Bootstrap intervals of rank correlations over sources (1,000 replicates)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.statistics.bootstrap import draw
from naturalness.statistics.weighted import Column, Ranked, spearman

RESAMPLES = 1000
ENDS = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its bootstrap replicates."""

    value: float
    drawn: FloatArray

    def __sub__(self, other: Figure) -> Figure:
        """Return the difference, replicate by replicate; both share their resamples."""
        return Figure(self.value - other.value, self.drawn - other.drawn)

    def cell(self) -> list[float]:
        """Return the figure and its 95 % interval, rounded."""
        low, high = np.nanpercentile(self.drawn, ENDS)
        return [round(float(v), 3) for v in (self.value, low, high)]


def mean_of(parts: list[Figure]) -> Figure:
    """Return the mean over independently resampled sets."""
    return Figure(float(np.mean([part.value for part in parts])), np.mean([part.drawn for part in parts], axis=0))


def correlated(
    scores: Mapping[str, FloatArray], ratings: FloatArray, sources: NDArray[np.int64], seed: int
) -> dict[str, Figure]:
    """Return Spearman of each metric with the ratings, all on the same rows and resamples."""
    columns = {name: Column.of(values) for name, values in scores.items()}
    truth = Column.of(ratings)
    whole = np.ones((len(ratings), 1))
    value = {
        name: float(spearman(whole, Ranked.of(column, whole), Ranked.of(truth, whole))[0])
        for name, column in columns.items()
    }
    drawn: dict[str, list[FloatArray]] = {name: [] for name in scores}
    for weights in draw(sources, RESAMPLES, seed):
        rated = Ranked.of(truth, weights)
        for name, column in columns.items():
            drawn[name].append(spearman(weights, Ranked.of(column, weights), rated))
    return {name: Figure(value[name], np.concatenate(drawn[name])) for name in scores}


def shared(won: Mapping[str, FloatArray], sources: NDArray[np.int64], seed: int) -> dict[str, Figure]:
    """Return the mean of each metric's rows, such as whether a pair was ordered correctly."""
    out: dict[str, list[FloatArray]] = {name: [] for name in won}
    for weights in draw(sources, RESAMPLES, seed):
        for name, values in won.items():
            out[name].append(values @ weights / weights.sum(axis=0))
    return {name: Figure(float(won[name].mean()), np.concatenate(out[name])) for name in won}

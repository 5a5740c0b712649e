"""Intervals of rank correlations: sources are drawn, 1,000 times, and their rows come along."""

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
    """A figure, and the same figure of each resample."""

    value: float
    drawn: FloatArray

    def __sub__(self, other: Figure) -> Figure:
        """The difference, resample by resample: both had the same ones."""
        return Figure(self.value - other.value, self.drawn - other.drawn)

    def cell(self) -> list[float]:
        """The figure and the ends of its 95 % interval, rounded."""
        low, high = np.nanpercentile(self.drawn, ENDS)
        return [round(float(v), 3) for v in (self.value, low, high)]


def mean_of(parts: list[Figure]) -> Figure:
    """The mean over sets that were drawn independently of each other."""
    return Figure(float(np.mean([part.value for part in parts])), np.mean([part.drawn for part in parts], axis=0))


def correlated(
    scores: Mapping[str, FloatArray], ratings: FloatArray, sources: NDArray[np.int64], seed: int
) -> dict[str, Figure]:
    """Spearman of each judge with the ratings, all on the same rows and resamples."""
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
    """The mean of each judge's rows, such as whether a pair was ordered rightly."""
    out: dict[str, list[FloatArray]] = {name: [] for name in won}
    for weights in draw(sources, RESAMPLES, seed):
        for name, values in won.items():
            out[name].append(values @ weights / weights.sum(axis=0))
    return {name: Figure(float(won[name].mean()), np.concatenate(out[name])) for name in won}

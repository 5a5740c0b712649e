"""Which systems differ, and which cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.reports.systems.resampling import Sums, difference, mean, t_test
from naturalness.statistics.bootstrap import FEWEST_SOURCES, Interval, Resampling, bca, draw, leave_out
from naturalness.statistics.significance import ALPHA, holm


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems, the better one first."""

    first: str
    second: str
    difference: Interval
    """Mean naturalness of the first less that of the second."""
    p: float
    """Two-sided; NaN where there are too few texts."""
    n_shared: int
    """Inputs that both answered and on which they are compared; 0 where they are compared on all
    texts of each."""
    corrected: float = math.nan
    """p corrected for all pairs (Holm)."""

    @property
    def differs(self) -> bool:
        """Whether the first is better beyond chance, after correction."""
        return self.corrected < ALPHA


def compare_pairs(
    systems: Sequence[str], score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> tuple[Pair, ...]:
    """All pairs of systems; column ``score`` of ``sums`` is what is compared.

    ``per_input`` has the mean score of each system on each input, (n_systems, n_inputs), NaN where
    it has none. Where two systems share at least half of the inputs of the smaller, they are
    compared on these alone, each input counted once.
    """
    order = _best_first(sums, score)
    pairs = [
        _pair(systems, i, j, score, sums, per_input, how) for place, i in enumerate(order) for j in order[place + 1 :]
    ]
    corrected = holm([pair.p for pair in pairs])
    return tuple(replace(pair, corrected=p) for pair, p in zip(pairs, corrected, strict=True))


def _best_first(sums: Sums, score: int) -> list[int]:
    means = [float(mean(i, score)(sums.whole)[0]) for i in range(len(sums.units))]
    return sorted(range(len(means)), key=lambda i: (math.isnan(means[i]), -means[i], i))


def _pair(
    systems: Sequence[str], i: int, j: int, score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> Pair:
    if per_input is not None:
        known = ~np.isnan(per_input[[i, j]])
        both = known.all(axis=0)
        n = int(both.sum())
        if n >= max(FEWEST_SOURCES, int(known.sum(axis=1).min()) / 2):
            gaps = per_input[i, both] - per_input[j, both]
            found, p = paired(gaps, how)
            if found.value < 0:
                i, j, found = j, i, Interval(-found.value, -found.high, -found.low)
            return Pair(systems[i], systems[j], found, p, n)
    gap = difference(mean(i, score), mean(j, score))
    return Pair(systems[i], systems[j], sums.figure(gap, i, j), sums.test(gap, i, j).p, 0)


def paired(gaps: FloatArray, how: Resampling) -> tuple[Interval, float]:
    """The mean of differences with its interval, and p of its being 0."""
    alone, value = np.arange(len(gaps)), float(gaps.mean())
    drawn = np.concatenate([gaps @ w for w in draw(alone, how.resamples, how.seed)]) / len(gaps)
    left = np.concatenate([(gaps @ w) / w.sum(axis=0) for w in leave_out(alone, how.seed)])
    return bca(value, drawn, left), t_test(value, drawn, len(gaps)).p


def means_per_input(scores: FloatArray, member: IntArray, inputs: IntArray, n_systems: int) -> FloatArray:
    """Mean score of each system on each input: (n_systems, n_inputs); NaN where it has none."""
    n_inputs = int(inputs.max()) + 1 if len(inputs) else 0
    known = ~np.isnan(scores)
    at = (member * n_inputs + inputs)[known]
    size = n_systems * n_inputs
    sums = np.bincount(at, weights=scores[known], minlength=size)
    many = np.bincount(at, minlength=size)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / many, dtype=np.float64).reshape(n_systems, n_inputs)


def groups_of(order: Sequence[str], pairs: Sequence[Pair]) -> list[list[str]]:
    """Systems cut into groups, best first, within which no two differ.

    Each group takes what follows as long as it differs from none that is in it. Two systems of
    different groups may still not differ: differing is not transitive.
    """
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.differs}
    out: list[list[str]] = []
    for system in order:
        if out and all(frozenset((system, one)) not in differ for one in out[-1]):
            out[-1].append(system)
        else:
            out.append([system])
    return out

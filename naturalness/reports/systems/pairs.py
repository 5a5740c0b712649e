"""Significance tests for the differences between systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.pages.formats import enumeration
from naturalness.reports.systems.resampling import Sums, difference, mean, sum_up, t_test
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval, Resampling, bca, draw, leave_out
from naturalness.statistics.significance import ALPHA, with_holm

MAX_NAMED = 5
"""The largest number of systems that a sentence names; the others are only counted."""
MAX_SENTENCES = 6
"""The largest number of sentences on single systems."""


@dataclass(frozen=True, slots=True)
class SystemPair:
    """A comparison of two systems, with the better one as the first."""

    first: str
    second: str
    difference: Interval
    """The mean naturalness of the first system minus the mean naturalness of the second."""
    p: float
    """The two-sided p-value of the difference; NaN for too few texts."""
    n_shared: int
    """The number of shared inputs on which the systems are compared; 0 if they are compared on all their texts."""
    corrected: float = math.nan
    """The p-value, corrected for the number of pairs (Holm)."""

    @property
    def differs(self) -> bool:
        """Whether the first system is significantly better after correction."""
        return self.corrected < ALPHA

    def winner(self) -> str:
        """Return the first system if it is significantly better, else an empty string."""
        return self.first if self.differs else ""


def compare_pairs(
    systems: Sequence[str], score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> tuple[SystemPair, ...]:
    """Return a comparison for each pair of systems, the best first, using the column ``score`` of ``sums``.

    ``per_input`` has the mean score of each system on each input, (n_systems, n_inputs), with NaN for missing scores;
    it is None if systems share no inputs. If two systems share at least `MIN_SOURCES` inputs, and at least half of the
    inputs of the system with fewer inputs, they are compared on the shared inputs, each weighted equally.
    """
    both = combinations(range(len(systems)), 2)
    pairs = [_pair(systems, i, j, score, sums, per_input, how) for i, j in both]
    return tuple(with_holm(pairs, [pair.p for pair in pairs]))


def _pair(
    systems: Sequence[str], i: int, j: int, score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> SystemPair:
    if per_input is not None:
        known = ~np.isnan(per_input[[i, j]])
        shared = known.all(axis=0)
        n = int(shared.sum())
        if n >= max(MIN_SOURCES, int(known.sum(axis=1).min()) / 2):
            gaps = per_input[i, shared] - per_input[j, shared]
            gap_interval, p = paired(gaps, how)
            if gap_interval.value < 0:
                i, j, gap_interval = j, i, Interval(-gap_interval.value, -gap_interval.high, -gap_interval.low)
            return SystemPair(systems[i], systems[j], gap_interval, p, n)
    gap = difference(mean(i, score), mean(j, score))
    return SystemPair(systems[i], systems[j], sums.figure(gap, i, j), sums.test(gap, i, j).p, 0)


def paired(gaps: FloatArray, how: Resampling) -> tuple[Interval, float]:
    """Return the mean of the differences with its interval, and the two-sided p-value for the hypothesis that
    the mean is 0.
    """
    alone, value = np.arange(len(gaps)), float(gaps.mean())
    drawn = np.concatenate([gaps @ w for w in draw(alone, how.resamples, how.seed)]) / len(gaps)
    left = np.concatenate([(gaps @ w) / w.sum(axis=0) for w in leave_out(alone, how.seed)])
    return bca(value, drawn, left), t_test(value, drawn, len(gaps)).p


def means_per_input(scores: FloatArray, member: IntArray, inputs: IntArray, n_systems: int) -> FloatArray:
    """Return the mean score of each system on each input, (n_systems, n_inputs); NaN for an input without a score."""
    n_inputs = int(inputs.max()) + 1 if len(inputs) else 0
    known = ~np.isnan(scores)
    at = (member * n_inputs + inputs)[known]
    size = n_systems * n_inputs
    sums = np.bincount(at, weights=scores[known], minlength=size)
    many = np.bincount(at, minlength=size)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / many, dtype=np.float64).reshape(n_systems, n_inputs)


def tell_order(order: Sequence[str], pairs: Sequence[SystemPair], few: Sequence[str]) -> list[str]:
    """Return sentences that say which systems sound more natural than others.

    ``order`` lists the systems with enough texts, the best first, and ``few`` lists the other systems.
    """
    better = [pair for pair in pairs if pair.differs]
    sentences = []
    for system in order:
        worse = [pair.second for pair in better if pair.first == system]
        if worse:
            sentences.append(f"{system} sounds more natural than {enumeration(worse, MAX_NAMED)}")
    if len(order) == 2 and sentences:
        (gap,) = [pair.difference for pair in better if {pair.first, pair.second} == set(order)]
        sentences[0] += f", by {gap.value:.3f} (95 % interval {gap.low:.3f} to {gap.high:.3f})"
    elif len(order) > 1 and not sentences:
        sentences.append(f"{enumeration(order, MAX_NAMED)} do not differ clearly in naturalness")
    if len(sentences) > MAX_SENTENCES:
        sentences[MAX_SENTENCES:] = ["The table of pairs has the rest"]
    if few:
        verb = "has" if len(few) == 1 else "have"
        sentences.append(f"{enumeration(few, MAX_NAMED)} {verb} too few texts to be compared")
    return [f"{sentence}." for sentence in sentences]


def compare_systems(
    names: Sequence[str], member: IntArray, table: FloatArray, score: int, inputs: IntArray | None, how: Resampling
) -> tuple[Sums, tuple[SystemPair, ...], tuple[str, ...]]:
    """Return the sums of ``table`` over systems, the tests of all pairs, and sentences about the tests.

    ``names`` are the systems, the best first, and ``score`` is the column that is tested. ``member`` has the index of
    each text's system. If systems share inputs, ``inputs`` has the index of each text's input.
    """
    sums = sum_up(table, member, len(names), inputs, how)
    per_input = None
    if inputs is not None and len(inputs):
        per_input = means_per_input(table[:, score], member, inputs, len(names))
    pairs = compare_pairs(names, score, sums, per_input, how)
    comparable = [name for name, n in zip(names, sums.units, strict=True) if n >= MIN_SOURCES]
    return sums, pairs, tuple(tell_order(comparable, pairs, [name for name in names if name not in comparable]))


def best_first(scores: Mapping[str, Sequence[float]]) -> list[str]:
    """Return systems sorted by mean score, the best first; systems without scores come last."""
    known = {name: [value for value in values if not math.isnan(value)] for name, values in scores.items()}
    means = {name: float(np.mean(values)) if values else -math.inf for name, values in known.items()}
    return sorted(means, key=lambda name: (-means[name], name))

"""Sums over the texts of each system, with bootstrap and jackknife replicates, from which all figures and the
significance tests of differences are computed.

If systems answered the same inputs, inputs are resampled, and with each input the texts that all systems wrote for it,
so that an input's difficulty cancels out in differences between systems. Otherwise, each system's texts are resampled
separately.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.pages.formats import enumeration
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval, Resampling, bca, draw, leave_out
from naturalness.statistics.significance import ALPHA, Test, two_sided, with_holm

Statistic = Callable[[FloatArray], FloatArray]
"""A function that computes one figure per replicate, given sums of shape (n_systems, n_columns, n_replicates)."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of columns over the scored texts of each system, with replicates of these sums."""

    whole: FloatArray
    """The sums over all texts: (n_systems, n_columns, 1); the last column is the number of texts."""
    drawn: FloatArray
    """The bootstrap replicates: (n_systems, n_columns, n_resamples)."""
    left: FloatArray
    """The jackknife replicates, each without one text or input: (n_systems, n_columns, n_replicates)."""
    units: tuple[int, ...]
    """The number of texts, or of inputs, that are resampled for each system."""
    together: bool
    """Whether inputs that systems share are resampled, rather than each system's texts."""

    def value(self, statistic: Statistic) -> float:
        """Return a figure computed from all texts."""
        return float(statistic(self.whole)[0])

    def figure(self, statistic: Statistic, *systems: int) -> Interval:
        """Return a figure with its interval; the ends are NaN unless all ``systems`` have enough texts."""
        value = self.value(statistic)
        if min((self.units[system] for system in systems), default=0) < MIN_SOURCES:
            return Interval(value)
        return bca(value, statistic(self.drawn), statistic(self.left))

    def test(self, statistic: Statistic, *systems: int) -> Test:
        """Test whether a figure differs from 0, using its bootstrap standard deviation; p is NaN for too few texts."""
        units = [self.units[system] for system in systems]
        if min(units, default=0) < MIN_SOURCES:
            return Test()
        free = min(units) if self.together else sum(units) - len(units) + 1
        return t_test(self.value(statistic), statistic(self.drawn), free)


def t_test(value: float, drawn: FloatArray, n: int) -> Test:
    """Test whether a figure differs from 0, using its bootstrap standard deviation and Student's t with n - 1 degrees
    of freedom.

    The share of replicates beyond 0 is not used as p, because its smallest value above 0 is one divided by the number
    of replicates, which is too large to remain significant after correction for all pairs of many systems.
    """
    if math.isnan(value):
        return Test()
    spread = float(np.nanstd(drawn))
    # A spread below this limit is only rounding error: equal sums may differ in their last digits.
    if spread < 1e-12:
        return Test(0.0, 1.0) if abs(value) < 1e-9 else Test(math.copysign(math.inf, value), 0.0)
    # The bootstrap variance is too small by the factor (n - 1) / n.
    t = value / (spread * math.sqrt(n / (n - 1))) if n > 1 else math.nan
    return Test(t, two_sided(t, n - 1))


def sum_up(table: FloatArray, member: IntArray, n_systems: int, groups: IntArray | None, how: Resampling) -> Sums:
    """Sum the columns of ``table``, (n_texts, n_columns), over the texts of each system.

    ``member`` has the index of each text's system. If systems share inputs, ``groups`` has the index of each text's
    input.
    """
    known = ~np.isnan(table).any(axis=1)
    table, member = np.column_stack([table, np.ones(len(table))])[known], member[known]
    if groups is not None and len(table):
        return _together(table, member, groups[known], n_systems, how)
    return _apart(table, member, n_systems, how)


def _together(table: FloatArray, member: IntArray, groups: IntArray, n_systems: int, how: Resampling) -> Sums:
    inside = [np.flatnonzero(member == system) for system in range(n_systems)]
    rows = [np.ascontiguousarray(table[rows_inside].T) for rows_inside in inside]

    def weigh(weights: FloatArray) -> FloatArray:
        return np.array([values @ weights[at] for values, at in zip(rows, inside, strict=True)])

    drawn = [weigh(weights) for weights in draw(groups, how.resamples, how.seed)]
    left = [weigh(weights) for weights in leave_out(groups, how.seed)]
    units = tuple(len(np.unique(groups[rows_inside])) for rows_inside in inside)
    whole = weigh(np.ones((len(table), 1)))
    return Sums(whole, np.dstack(drawn), np.dstack(left), units, together=True)


def _apart(table: FloatArray, member: IntArray, n_systems: int, how: Resampling) -> Sums:
    parts = [np.ascontiguousarray(table[member == system].T) for system in range(n_systems)]
    whole = np.array([values.sum(axis=1, keepdims=True) for values in parts])
    drawn, left = [], []
    for system, values in enumerate(parts):
        alone = np.arange(values.shape[1])
        if not len(alone):
            drawn.append(np.zeros((len(values), how.resamples)))
            continue
        # With a common seed, the same rows would be drawn for all systems of equal size.
        seed = int(np.random.SeedSequence([how.seed, system]).generate_state(1)[0])
        drawn.append(np.hstack([values @ w for w in draw(alone, how.resamples, seed)]))
        gone = np.hstack([values @ w for w in leave_out(alone, how.seed)])
        others = np.repeat(whole, gone.shape[1], axis=2)
        others[system] = gone
        left.append(others)
    units = tuple(values.shape[1] for values in parts)
    return Sums(whole, np.array(drawn), np.dstack([whole, *left]), units, together=False)


def mean(system: int, column: int, below: int | None = None) -> Statistic:
    """Return a statistic: the mean of a column over a system's texts.

    If ``below`` is given, it is 100 times the sum of the column divided by the sum of column ``below``. It is NaN if
    the denominator is 0.
    """
    if below is None:
        return lambda sums: divide(sums[system, column], sums[system, -1])
    return lambda sums: 100.0 * divide(sums[system, column], sums[system, below])


def less_others(figure_of: Callable[[int], Statistic], system: int, n_systems: int) -> Statistic:
    """Return a statistic: a system's figure minus the mean figure of the other systems, which are weighted equally.

    The statistic is NaN if there are no other systems.
    """

    def figure(sums: FloatArray) -> FloatArray:
        value = figure_of(system)(sums)
        if n_systems < 2:
            return np.full_like(value, np.nan)
        others = np.array([figure_of(other)(sums) for other in range(n_systems) if other != system])
        known = ~np.isnan(others)
        return value - divide(np.nansum(others, axis=0), known.sum(axis=0))

    return figure


def difference(first: Statistic, second: Statistic) -> Statistic:
    """Return a statistic: the first statistic minus the second."""
    return lambda sums: first(sums) - second(sums)


def divide(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return the elementwise quotients of two arrays; division by 0 gives NaN."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(below != 0, above / below, np.nan), dtype=np.float64)


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


def shared_by(first: IntArray, second: IntArray) -> IntArray:
    """Return the inputs that two systems share, given the inputs of their texts; none if they are fewer than
    `MIN_SOURCES`, or than half of the inputs of the system with fewer inputs.
    """
    shared = np.intersect1d(first, second)
    enough = len(shared) >= max(MIN_SOURCES, min(len(np.unique(first)), len(np.unique(second))) / 2)
    return shared if enough else shared[:0]


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
    each text's system. If systems share inputs, ``inputs`` has the index of each text's input, and two systems are
    compared on the inputs that both have.
    """
    sums, known = sum_up(table, member, len(names), inputs, how), ~np.isnan(table[:, score])

    def compare_pair(i: int, j: int) -> SystemPair:
        of, first, second, column, shared = sums, i, j, score, np.arange(0)
        if inputs is not None:
            shared = shared_by(*(inputs[known & (member == system)] for system in (i, j)))
        if inputs is not None and len(shared):
            rows = known & np.isin(member, (i, j)) & np.isin(inputs, shared)
            of = sum_up(table[rows][:, [score]], (member[rows] == j).astype(np.int64), 2, inputs[rows], how)
            first, second, column = 0, 1, 0
        gap = difference(mean(first, column), mean(second, column))
        interval, p = of.figure(gap, first, second), of.test(gap, first, second).p
        if interval.value < 0:
            i, j, interval = j, i, Interval(-interval.value, -interval.high, -interval.low)
        return SystemPair(names[i], names[j], interval, p, len(shared))

    tested = [compare_pair(i, j) for i, j in combinations(range(len(names)), 2)]
    pairs = with_holm(tested, [pair.p for pair in tested])
    comparable = [name for name, n in zip(names, sums.units, strict=True) if n >= MIN_SOURCES]
    return sums, tuple(pairs), tuple(tell_order(comparable, pairs, [name for name in names if name not in comparable]))


def best_first(scores: Mapping[str, Sequence[float]]) -> list[str]:
    """Return systems sorted by mean score, the best first; systems without scores come last."""
    known = {name: [value for value in values if not math.isnan(value)] for name, values in scores.items()}
    means = {name: float(np.mean(values)) if values else -math.inf for name, values in known.items()}
    return sorted(means, key=lambda name: (-means[name], name))

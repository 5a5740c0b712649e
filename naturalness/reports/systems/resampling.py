"""Sums over each system's texts, with those of resamples: all figures come from these.

Where systems answered the same inputs, inputs are drawn and every system's texts for them come
along: what one hard input does to all systems then cancels in their differences. Else each
system's texts are drawn by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval, Resampling, bca, draw, leave_out
from naturalness.statistics.significance import Test, two_sided

Statistic = Callable[[FloatArray], FloatArray]
"""From sums, (n_systems, n_columns, n_draws), to a figure of each draw."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of columns over each system's texts; texts without a score are in none of them."""

    whole: FloatArray
    """(n_systems, n_columns, 1); the last column is the number of texts."""
    drawn: FloatArray
    """(n_systems, n_columns, n_resamples)."""
    left: FloatArray
    """The same with one text or input left out at a time."""
    units: tuple[int, ...]
    """Texts or inputs of each system that are drawn."""
    together: bool
    """Whether systems share the inputs that are drawn."""

    def figure(self, statistic: Statistic, *systems: int) -> Interval:
        """Return a figure with its interval; none where one of ``systems`` has too few texts."""
        value = float(statistic(self.whole)[0])
        if min((self.units[system] for system in systems), default=0) < MIN_SOURCES:
            return Interval(value)
        return bca(value, statistic(self.drawn), statistic(self.left))

    def test(self, statistic: Statistic, *systems: int) -> Test:
        """Test whether a figure is 0, by its deviation over resamples; NaN of too few texts."""
        units = [self.units[system] for system in systems]
        if min(units, default=0) < MIN_SOURCES:
            return Test()
        free = min(units) if self.together else sum(units) - len(units) + 1
        return t_test(float(statistic(self.whole)[0]), statistic(self.drawn), free)


def t_test(value: float, drawn: FloatArray, n: int) -> Test:
    """Test a figure against its bootstrap deviation with Student's t, n - 1 degrees of freedom.

    p is not the share of resamples beyond 0: that has no value below one in their number, and
    correction for all pairs of many systems needs smaller ones.
    """
    if math.isnan(value):
        return Test()
    spread = float(np.nanstd(drawn))
    # Sums that should be equal differ in their last digits.
    if spread < 1e-12:
        return Test(0.0, 1.0) if abs(value) < 1e-9 else Test(math.copysign(math.inf, value), 0.0)
    # Resamples of n vary less than samples of n by one degree of freedom.
    t = value / (spread * math.sqrt(n / (n - 1))) if n > 1 else math.nan
    return Test(t, two_sided(t, n - 1))


def sum_up(table: FloatArray, member: IntArray, n_systems: int, groups: IntArray | None, how: Resampling) -> Sums:
    """Sum the columns of ``table``, (n_texts, n_columns), over systems numbered by ``member``.

    ``groups`` numbers the inputs, where systems share them.
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
        # A seed of its own, or systems of equal size would have the same places drawn.
        seed = int(np.random.SeedSequence([how.seed, system]).generate_state(1)[0])
        drawn.append(np.hstack([values @ w for w in draw(alone, how.resamples, seed)]))
        gone = np.hstack([values @ w for w in leave_out(alone, how.seed)])
        others = np.repeat(whole, gone.shape[1], axis=2)
        others[system] = gone
        left.append(others)
    units = tuple(values.shape[1] for values in parts)
    return Sums(whole, np.array(drawn), np.dstack([whole, *left]), units, together=False)


def mean(system: int, column: int) -> Statistic:
    """Return the statistic of the mean of a column over a system's texts."""
    return ratio(system, column, -1)


def ratio(system: int, above: int, below: int) -> Statistic:
    """Return the statistic of one column's sum over another's; NaN where the latter is 0."""

    def figure(sums: FloatArray) -> FloatArray:
        return divide(sums[system, above], sums[system, below])

    return figure


def mean_or_rate(system: int, above: int, below: int | None) -> Statistic:
    """Return the statistic for a system's mean or, given a column ``below``, for its rate per 100 of that column."""
    if below is None:
        return mean(system, above)
    rate = ratio(system, above, below)
    return lambda sums: 100.0 * rate(sums)


def less_others(figure_of: Callable[[int], Statistic], system: int, n_systems: int) -> Statistic:
    """Return a figure of a system less its mean over the other systems, each counted once.

    NaN of a single system.
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
    """Return the statistic of one figure less another."""
    return lambda sums: first(sums) - second(sums)


def divide(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide elementwise; NaN where divided by 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(below != 0, above / below, np.nan), dtype=np.float64)

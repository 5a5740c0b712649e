"""What is left of the differences between systems when their texts were equally long.

Short texts have less room for errors and score differently. Within systems, naturalness is
regressed on the logarithm of the number of words, one slope for all; each system's mean is then
moved along it to the mean length of all systems. Whether length itself is the fault of a system, as
of one that leaves things out, is not for numbers to say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.reports.systems.answers import LOG_SCORE, LOG_SQUARED, LOG_WORDS, SCORE, WORDS, Measured
from naturalness.reports.systems.resampling import Statistic, Sums, divide, mean
from naturalness.statistics.bootstrap import Interval


@dataclass(frozen=True, slots=True)
class Length:
    """How long a system's texts are, and its mean naturalness at equal length."""

    system: str
    words: Interval
    """Mean number of words per text."""
    given_length: Interval
    """Mean naturalness moved to the length of all systems."""
    moved: float
    """By how much that moves it."""


def lengths(systems: tuple[str, ...], measured: Measured, sums: Sums) -> tuple[tuple[Length, ...], Interval]:
    """Each system's lengths, and the slope: naturalness gained by twice as many words."""
    out = []
    for place, system in enumerate(systems):
        words = sums.figure(mean(place, measured[WORDS]), place)
        given = sums.figure(_at_equal_length(place, measured), place)
        plain = float(mean(place, measured[SCORE])(sums.whole)[0])
        out.append(Length(system, words, given, given.value - plain))
    doubled: Statistic = lambda drawn: np.log(2) * slope(drawn, measured)  # noqa: E731
    everyone = [place for place, units in enumerate(sums.units) if units]
    return tuple(out), sums.figure(doubled, *everyone)


def slope(sums: FloatArray, measured: Measured) -> FloatArray:
    """The common slope within systems; 0 where all texts of each system are equally long."""
    n = sums[:, -1]
    x, y, xx, xy = (sums[:, measured[name]] for name in (LOG_WORDS, SCORE, LOG_SQUARED, LOG_SCORE))
    within = np.nansum(xx - divide(x * x, n), axis=0)
    both = np.nansum(xy - divide(x * y, n), axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(within > 1e-9, both / within, 0.0), dtype=np.float64)


def _at_equal_length(system: int, measured: Measured) -> Statistic:
    def figure(sums: FloatArray) -> FloatArray:
        logs = divide(sums[:, measured[LOG_WORDS]], sums[:, -1])
        known = ~np.isnan(logs)
        usual = divide(np.nansum(logs, axis=0), known.sum(axis=0))
        own = mean(system, measured[SCORE])(sums)
        out: FloatArray = own - slope(sums, measured) * (logs[system] - usual)
        return out

    return figure

"""How natural each system sounds: mean, median, share below the threshold, and what it lacks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.reports.systems.answers import BELOW, SCORE, UNLIKE, WORDS, Answer, Measured
from naturalness.reports.systems.resampling import Sums, mean
from naturalness.statistics.bootstrap import Interval

BINS = 20
"""Of the histograms, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is told of the scores of one system."""

    system: str
    n_texts: int
    n_scored: int
    mean: Interval
    """Naturalness, 0..1."""
    median: float
    below: Interval
    """Share of scored texts below the model's threshold, 0..1."""
    unlike: Interval
    """Share of scored texts that are unlike those of training, 0..1: little is known of them."""
    words: float
    """Mean number of words of scored texts."""
    reasons: tuple[tuple[str, int], ...]
    """Why texts have no score, the most frequent reason first."""
    histogram: tuple[int, ...]
    """Scored texts in each of `BINS` bins."""


def standing(system: str, place: int, answers: Sequence[Answer], measured: Measured, sums: Sums) -> Standing:
    """Figures of one system, the ``place``-th of ``sums``; ``answers`` are its own."""
    scores = np.array([one.explanation.naturalness for one in answers if one.scored])
    why = Counter(one.explanation.reason or "no reason given" for one in answers if not one.scored)

    def share(column: str) -> Interval:
        return sums.figure(mean(place, measured[column]), place)

    return Standing(
        system,
        len(answers),
        len(scores),
        mean=share(SCORE),
        median=float(np.median(scores)) if len(scores) else math.nan,
        below=share(BELOW),
        unlike=share(UNLIKE),
        words=float(mean(place, measured[WORDS])(sums.whole)[0]),
        reasons=tuple(sorted(why.items(), key=lambda item: (-item[1], item[0]))),
        histogram=histogram(scores),
    )


def histogram(scores: Sequence[float] | np.ndarray) -> tuple[int, ...]:
    """Scores in each of `BINS` bins of equal width; 1 is in the last."""
    places = np.minimum((np.asarray(scores, dtype=np.float64) * BINS).astype(np.int64), BINS - 1)
    return tuple(np.bincount(places, minlength=BINS).tolist())

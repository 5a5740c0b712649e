"""The standing of each system: its scores and its least natural texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.reports.systems.answers import (
    BELOW,
    SCORE,
    UNLIKE,
    VOICE,
    VOICED,
    WORDS,
    Column,
    SystemText,
    TextTable,
)
from naturalness.reports.systems.resampling import Sums, divide, mean
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """The figures of one system."""

    system: str
    n_texts: int
    n_scored: int
    mean: Interval
    """The mean naturalness, 0..1."""
    voice: Interval
    """The mean voice of the texts that have one, 0..1."""
    median: float
    below: Interval
    """The share of scored texts whose naturalness is below the model's threshold, 0..1."""
    unlike: Interval
    """The share of scored texts that are unlike the training texts, 0..1; the scores of such texts mean little."""
    words: float
    """The mean number of words in scored texts."""
    reasons: tuple[tuple[str, int], ...]
    """The reasons why texts have no score, each with its count, the most frequent first."""


def standing(system: str, number: int, answers: Sequence[SystemText], measured: TextTable, sums: Sums) -> SystemFigures:
    """Return the figures of one system; ``number`` is its index in ``sums``, and ``answers`` are its texts."""
    scores = np.array([answer.explanation.naturalness for answer in answers if answer.scored])
    why = Counter(answer.explanation.reason or "no reason given" for answer in answers if not answer.scored)

    def share(column: Column) -> Interval:
        return sums.figure(mean(number, measured[column]), number)

    return SystemFigures(
        system,
        len(answers),
        len(scores),
        mean=share(SCORE),
        voice=_mean_voice(number, measured, sums),
        median=float(np.median(scores)) if len(scores) else math.nan,
        below=share(BELOW),
        unlike=share(UNLIKE),
        words=sums.value(mean(number, measured[WORDS])),
        reasons=tuple(sorted(why.items(), key=lambda item: (-item[1], item[0]))),
    )


def _mean_voice(number: int, measured: TextTable, sums: Sums) -> Interval:
    """Return the mean voice of one system; without an interval if fewer than `MIN_SOURCES` texts have a voice."""
    total, many = measured[VOICE], measured[VOICED]
    figure = sums.figure(lambda values: divide(values[number, total], values[number, many]), number)
    return figure if sums.whole[number, many, 0] >= MIN_SOURCES else Interval(figure.value)


MAX_TEXTS = 6
"""The largest number of texts listed for each system."""


def worst_of(answers: Sequence[SystemText]) -> tuple[SystemText, ...]:
    """Return the least natural scored texts, the worst first; of equal texts, only the first is listed."""
    distinct = {answer.explanation.text: answer for answer in reversed(answers) if answer.scored}
    order = sorted(distinct.values(), key=lambda answer: (answer.explanation.naturalness, answer.row))
    return tuple(order[:MAX_TEXTS])

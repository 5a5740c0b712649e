"""The standing of each system: its scores and its least natural texts."""

from __future__ import annotations

import math
import re
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
MIN_OVERLAP = 0.75
"""The smallest Jaccard index, computed on the distinct words of two texts, at which they are near duplicates."""
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Worst:
    """One of a system's least natural texts, with the number of its near duplicates."""

    answer: SystemText
    alike: int


def worst_of(answers: Sequence[SystemText]) -> tuple[Worst, ...]:
    """Return the least natural scored texts, the worst first; of near duplicates, only the worst is listed."""
    order = sorted(
        (answer for answer in answers if answer.scored), key=lambda answer: (answer.explanation.naturalness, answer.row)
    )
    worst: list[SystemText] = []
    seen: list[frozenset[str]] = []
    n_alike: list[int] = []
    for answer in order:
        words = bag(answer.explanation.text)
        same = next((i for i, other in enumerate(seen) if alike(words, other)), None)
        if same is not None:
            n_alike[same] += 1
        elif len(worst) < MAX_TEXTS:
            worst.append(answer)
            seen.append(words)
            n_alike.append(0)
    return tuple(map(Worst, worst, n_alike))


def bag(text: str) -> frozenset[str]:
    """Return the distinct words of a text, ignoring case; all numbers are treated as the same word."""
    return frozenset(DIGITS.sub("0", word) for word in WORD.findall(text.casefold()))


def alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Return whether two texts are near duplicates."""
    if not first and not second:
        return True
    return len(first & second) >= MIN_OVERLAP * len(first | second)

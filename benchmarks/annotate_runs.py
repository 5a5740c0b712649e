"""Simulate a rater, and train models after given numbers of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.annotate_sets import Measured, Parted, part
from naturalness.statistics.correlation import spearman
from naturalness.studio.annotate.asking import Judgement, choose
from naturalness.studio.annotate.asking.taught import spearman_figure
from naturalness.studio.annotate.asking.teaching import rated_of, teach_rated, texts_of
from naturalness.studio.annotate.project.records import POINTS, Scale

ANSWERS = (50, 100, 200, 400)
CURVE = (25, 50, 75, 100, 150, 200, 300, 400)
"""Numbers of answers at which the curve of random choice is measured."""
RATER = "simulated"
LEARNER: dict[str, float] = {"alpha": 100.0}
"""The ridge penalty, the same for all strategies, so that only the choice of texts differs."""
FOLDS = 3
"""Folds of the calibration, which does not change the ranking."""


@dataclass(frozen=True, slots=True)
class After:
    """Figures after a given number of answers."""

    true: float
    """Spearman of the model trained on all answers, on the held-out third of the set."""
    shown: float
    """The figure that the page would show: on the test share, of the model trained without it."""
    low: float
    high: float
    shown_true: float
    """The true figure of that model, on the held-out third."""

    @property
    def inside(self) -> bool:
        """Return whether the interval contains the true figure."""
        return self.low <= self.shown_true <= self.high


def answer(parted: Parted, strategy: str, answers: int, seed: int) -> list[Judgement]:
    """The answers of a rater who says what the set says. A question that is asked again is answered
    the same; it counts as an answer, and teaches nothing.
    """
    judgements: list[Judgement] = []
    for turn in range(answers):
        choice = choose(parted.pool, judgements, turn=turn, busy=frozenset(), rater=RATER, seed=seed, strategy=strategy)
        if choice is None:
            break
        text = choice.texts[0]
        value = float(parted.ratings[text])
        judgements.append(Judgement(text, value, choice.test, choice.again, RATER))
    return judgements


def after(parted: Parted, judgements: Sequence[Judgement], scale: Scale) -> After:
    """Train as the page does, and evaluate on the held-out third."""
    texts = texts_of(parted.pool, judgements)
    rated = rated_of(parted.pool, texts, scale)
    final, shown = (
        teach_rated(rated.part(use), parameters=LEARNER, folds=FOLDS)
        for use in (np.arange(len(texts.rows)), np.flatnonzero(~texts.test))
    )
    if final is None or shown is None:
        raise SystemExit(f"{len(judgements)} answers are too few to learn from")
    said = texts.values[texts.test]
    figure = spearman_figure(shown.rank(parted.pool.table[texts.rows[texts.test]]), said)
    return After(
        spearman(final.rank(parted.test), parted.truth),
        figure.value,
        figure.low,
        figure.high,
        spearman(shown.rank(parted.test), parted.truth),
    )


Runs = dict[str, dict[int, list[After]]]
"""By strategy and number of answers, one entry per seed."""


def run_set(
    data: Measured, strategies: Iterable[str], seeds: Sequence[int], curves: Mapping[str, Sequence[int]]
) -> Runs:
    """All runs of a set. ``curves`` are the numbers of answers of strategies that need others than
    `ANSWERS`.
    """
    out: Runs = {}
    for strategy in strategies:
        wanted = curves.get(strategy, ANSWERS)
        out[strategy] = {n: [] for n in wanted}
        for seed in seeds:
            parted, scale = part(data, seed), Scale(POINTS, *data.scale)
            judgements = answer(parted, strategy, max(wanted), seed)
            for n in wanted:
                out[strategy][n].append(after(parted, judgements[:n], scale))
            print(f"  {strategy}, seed {seed}", flush=True)
    return out


def worth(ours: float, counts: Sequence[int], random: Sequence[float]) -> float:
    """How many random answers give a figure, by straight lines between the points of the random
    curve, which never falls; not more than the most that were tried.
    """
    rising = np.maximum.accumulate(np.asarray(random, dtype=np.float64))
    if ours >= rising[-1]:
        return float(counts[-1])
    rank = int(np.searchsorted(rising, ours, side="right"))
    if rank == 0:
        return float(counts[0])
    left, right = rising[rank - 1], rising[rank]
    share = (ours - left) / (right - left)
    return float(counts[rank - 1] + share * (counts[rank] - counts[rank - 1]))

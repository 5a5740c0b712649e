"""Measure the cost of explaining against scoring, on the same texts, parsed anew each time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from naturalness.pipelines.scorer import NaturalnessModel

ROUNDS = 3
WARM = 10
"""Texts of the warm-up, so that all models are open before timing starts."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds per text, the median of the rounds."""

    score: float
    explain: float

    @property
    def ratio(self) -> float:
        """Return the ratio of explaining to scoring, which is above 1, since explaining also scores."""
        return self.explain / self.score


def cost(model: NaturalnessModel, texts: Sequence[str]) -> dict[str, Cost]:
    """Return the cost of texts in one batch and one by one; scoring and explaining alternate."""
    ways: dict[str, Callable[[Callable[[list[str]], object]], float]] = {
        "together": lambda action: _seconds(action, [list(texts)]),
        "one at a time": lambda action: _seconds(action, [[text] for text in texts]),
    }
    model.score(texts[:WARM])
    model.explain(texts[:WARM])
    seconds_of = {}
    for name, way in ways.items():
        rounds = [(way(model.score), way(model.explain)) for _ in range(ROUNDS)]
        score, explain = (statistics.median(each) for each in zip(*rounds, strict=True))
        seconds_of[name] = Cost(score / len(texts), explain / len(texts))
    return seconds_of


def _seconds(action: Callable[[list[str]], object], batches: Sequence[list[str]]) -> float:
    started = time.perf_counter()
    for batch in batches:
        action(batch)
    return time.perf_counter() - started

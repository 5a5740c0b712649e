"""What explaining costs beside scoring, on the same texts, each time parsed anew."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from naturalness.pipelines.scorer import NaturalnessModel

ROUNDS = 3
WARM = 10
"""Texts that are scored and explained first, so that all is open when the clock starts."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds per text, the middle one of the rounds."""

    score: float
    explain: float

    @property
    def ratio(self) -> float:
        """How many times as long explaining takes; above 1, for it scores too."""
        return self.explain / self.score


def cost(model: NaturalnessModel, texts: Sequence[str]) -> dict[str, Cost]:
    """Of texts together and one at a time; scoring and explaining take turns."""
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

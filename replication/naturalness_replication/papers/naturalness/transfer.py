"""From one set to another: a forest that learned one set judges the others, untouched.

Intervals are 95 %, of a bootstrap over the texts of the set that is judged (over sources, where
texts share one). Beside it stands what is reached by learning from the set itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.elimination import JUDGE, PARAMETERS
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.statistics.bootstrap import Resampling, bca, replicates
from naturalness.statistics.weighted import Column, Ranked, spearman
from naturalness_replication.papers.cache import Cache, identity

RESAMPLES = Resampling(1000)
Figure = tuple[float, float, float]
"""A value and the ends of its interval."""
Judged = dict[str, Figure]


def transfers(sets: Mapping[str, Rated], cache: Cache) -> dict[str, dict[str, Judged]]:
    """Return figures by training set, then by test set."""
    judgements: dict[str, dict[str, Judged]] = {}
    for source, data in sets.items():
        others = {name: other for name, other in sets.items() if name != source}
        key = [identity(rated) for rated in sets.values()]
        judgements[source] = cache(
            f"from {source} to the others",
            [source, key, PARAMETERS, RESAMPLES.resamples],
            lambda data=data, others=others: _judge(data, others),
        )
    return judgements


def _judge(data: Rated, others: Mapping[str, Rated]) -> dict[str, Any]:
    learned = learn(data, Settings(learner=JUDGE, parameters=dict(PARAMETERS)))
    return {name: judged(*learned.judge(other.table), other) for name, other in others.items()}


def judged(naturalness: FloatArray, labels: IntArray, data: Rated) -> Judged:
    """Return figures of scores and labels with their intervals."""
    x, y = Column.of(naturalness), Column.of(data.ratings)
    cells = [[(labels == t) & (data.labels == label) for label in (0, 1)] for t in (0, 1)]

    def measure(weights: FloatArray, some: int) -> dict[str, FloatArray]:
        total = weights.sum(axis=0)
        n = np.array([[cell @ weights for cell in row] for row in cells])  # told, truth, weights
        weighted = sum(
            n[:, c].sum(axis=0) * 2 * n[c, c] / np.maximum(n[:, c].sum(axis=0) + n[c].sum(axis=0), 1e-12)
            for c in (0, 1)
        )
        return {
            "spearman": spearman(weights, Ranked.of(x, weights), Ranked.of(y, weights))[None],
            "accuracy": ((n[0, 0] + n[1, 1]) / total)[None],
            "weighted_f1": (weighted / total)[None],
        }

    whole, drawn, left = replicates(measure, data.groups, RESAMPLES, 0)
    out = {}
    for name in whole:
        bounds = bca(float(whole[name][0, 0]), drawn[name][0], left[name][0])
        out[name] = bounds.value, bounds.low, bounds.high
    return out

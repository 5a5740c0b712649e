"""How good a saved model is on rated texts that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.features.base import FloatArray
from naturalness.pipelines.folds import IntArray
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.measures import figures
from naturalness.pipelines.scorer import NaturalnessModel

RESAMPLES = 500
INTERVAL = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Assessment:
    """Figures on unseen texts, each with its 95 % interval."""

    texts: int
    seen: int
    """Texts left out because the model was trained on them."""
    figures: dict[str, tuple[float, float, float]]
    """Value, lower and upper end."""


def unseen(data: Rated, model: NaturalnessModel) -> Rated:
    """The texts that the model was not trained on."""
    rows = [i for i, text in enumerate(data.texts) if not model.knows(text)]
    return data.part(np.array(rows, dtype=np.int64))


def assess(data: Rated, model: NaturalnessModel, *, seed: int = 0) -> Assessment:
    """Judge texts that were not trained on; intervals by resampling sources (Efron 1979).

    Labels are compared by name where the model tells the same ones, else by their order.
    """
    fresh = unseen(data, model)
    naturalness, names = model.judge(fresh.table)
    places = [model.classes.index(name) for name in names]
    told = np.array(places, dtype=np.int64)
    if len(model.classes) != len(fresh.classes):
        # Another number of labels: the best against the rest is what both have.
        told = np.where(told == len(model.classes) - 1, len(fresh.classes) - 1, 0)
    values = _figures(fresh, naturalness, told, np.arange(len(fresh)))
    sources, members = np.unique(fresh.groups, return_inverse=True)
    rows_of = [np.flatnonzero(members == i) for i in range(len(sources))]
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(RESAMPLES if len(fresh) else 0):
        picks = rng.integers(len(sources), size=len(sources))
        rows = np.concatenate([rows_of[i] for i in picks])
        drawn.append(_figures(fresh, naturalness, told, rows))
    return Assessment(
        len(fresh),
        len(data) - len(fresh),
        {name: (value, *_ends([d[name] for d in drawn])) for name, value in values.items()},
    )


def _figures(
    data: Rated, naturalness: FloatArray, told: IntArray, rows: IntArray
) -> dict[str, float]:
    part = data.part(rows)
    return figures(
        naturalness[rows], told[rows], part.labels, part.graded, data.classes, part.lengths
    )


def _ends(values: list[float]) -> tuple[float, float]:
    defined = [value for value in values if value == value]
    if not defined:
        return float("nan"), float("nan")
    low, high = np.percentile(defined, INTERVAL)
    return float(low), float(high)

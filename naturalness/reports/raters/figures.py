"""How well the model agrees with the raters, in figures; and which labels it mistakes for which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from naturalness.reports.assess import with_intervals
from naturalness.reports.raters.judged import Judged
from naturalness.statistics.measures import choose_threshold
from naturalness.statistics.reliability import Part, reliability_parts

TITLES: Mapping[str, str] = {
    "accuracy": "accuracy",
    "weighted_f1": "weighted F1",
    "roc_auc": "ROC AUC",
    "spearman": "Spearman",
    "pearson": "Pearson",
    "spearman_given_length": "Spearman, length known",
}
"""The figures that are told, and what they are called."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval; NaN where undefined."""

    name: str
    title: str
    value: float
    low: float
    high: float
    ceiling: float
    """What a perfect judge would reach on ratings as blurred as these; NaN where not known."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each label was given (row) and told (column)."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    threshold: float
    """Naturalness from which on a text is told the best of two labels; NaN of several labels, and
    the mean over the judges of several folds."""
    better: float
    """The threshold that would have had the highest accuracy here; NaN of several labels."""
    accuracy: float
    """With that threshold. It was found on the same texts, so it flatters."""
    usual: float
    """Accuracy of telling the most frequent label always."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Told naturalness against the share of texts that raters call by the best label."""

    parts: tuple[Part, ...]
    error: float
    """Mean distance of the two, weighted by texts, 0..1; lower is better. NaN without labels."""


def find_figures(judged: Judged, ceilings: Mapping[str, float], *, seed: int = 0) -> tuple[Figure, ...]:
    """All figures; intervals by resampling sources."""
    found = with_intervals(judged.data, judged.naturalness, judged.told, seed=seed)
    return tuple(Figure(name, title, *found[name], ceilings.get(name, math.nan)) for name, title in TITLES.items())


def find_confusion(judged: Judged) -> Confusion:
    """The table, and what another threshold would do."""
    known, size = judged.known, len(judged.data.classes)
    truth, told = judged.data.labels[known], judged.told[known]
    counts = np.zeros((size, size), dtype=np.int64)
    np.add.at(counts, (truth, told), 1)
    threshold = better = accuracy = math.nan
    if size == 2 and len(truth):
        thresholds = [model.saved.description.threshold for model in judged.models]
        told_by = np.bincount(judged.judge, minlength=len(thresholds))
        threshold = float(np.average(thresholds, weights=told_by))
        naturalness, natural = judged.naturalness[known], truth == 1
        better = choose_threshold(naturalness, natural, "accuracy")
        accuracy = float(((naturalness >= better) == natural).mean())
        if any(len(model.classes) > 2 for model in judged.models):
            threshold = math.nan  # the model tells several labels, by no threshold
    usual = float(counts.sum(axis=1).max() / len(truth)) if len(truth) else math.nan
    rows = tuple(tuple(int(n) for n in row) for row in counts)
    return Confusion(judged.data.classes, rows, threshold, better, accuracy, usual)


def find_calibration(judged: Judged) -> Calibration:
    """About ten parts of equal size."""
    known = judged.known
    natural = judged.data.labels[known] == judged.best
    parts = reliability_parts(judged.naturalness[known], natural)
    total = sum(part.texts for part in parts)
    apart = sum(part.texts * abs(part.told - part.natural) for part in parts)
    return Calibration(tuple(parts), apart / total if total else math.nan)

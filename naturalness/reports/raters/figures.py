"""Agreement of model and raters: figures, confusion, calibration, histograms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray
from naturalness.reports.assess import with_intervals
from naturalness.reports.raters.judged import JudgedTexts
from naturalness.statistics.measures import ReliabilityPart, choose_threshold, reliability_parts

TITLES: Mapping[str, str] = {
    "accuracy": "accuracy",
    "weighted_f1": "weighted F1",
    "roc_auc": "ROC AUC",
    "spearman": "Spearman",
    "pearson": "Pearson",
    "spearman_given_length": "Spearman, length known",
}
"""Titles of the reported figures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval; NaN where undefined."""

    name: str
    title: str
    value: float
    low: float
    high: float
    ceiling: float
    """The figure of a perfect judge on ratings as noisy as these; NaN if unknown."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of the raters' labels (rows) and the predicted labels (columns)."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    threshold: float
    """The naturalness from which a text gets the better of two labels, averaged over the judges of folds; NaN for more
    labels."""
    better: float
    """The threshold with the highest accuracy on these texts; NaN for more than two labels."""
    accuracy: float
    """The accuracy at that threshold; optimistic, because it was chosen on the same texts."""
    usual: float
    """The accuracy of always predicting the most frequent label."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Predicted naturalness against the share of texts to which raters give the best label."""

    parts: tuple[ReliabilityPart, ...]
    error: float
    """The mean distance of the two, weighted by texts, 0..1; lower is better. NaN without labels."""


def find_figures(judged: JudgedTexts, ceilings: Mapping[str, float], *, seed: int = 0) -> tuple[Figure, ...]:
    """Return all figures of agreement; intervals resample sources."""
    intervals = with_intervals(judged.data, judged.naturalness, judged.predicted, seed=seed)
    return tuple(Figure(name, title, *intervals[name], ceilings.get(name, math.nan)) for name, title in TITLES.items())


def find_confusion(judged: JudgedTexts) -> Confusion:
    """Return the confusion of labels, with the best threshold and its accuracy."""
    known, size = judged.known, len(judged.data.classes)
    truth, predicted = judged.data.labels[known], judged.predicted[known]
    counts = np.zeros((size, size), dtype=np.int64)
    np.add.at(counts, (truth, predicted), 1)
    threshold = better = accuracy = math.nan
    if size == 2 and len(truth):
        thresholds = [model.saved.description.threshold for model in judged.models]
        n_judged = np.bincount(judged.judge, minlength=len(thresholds))
        threshold = float(np.average(thresholds, weights=n_judged))
        naturalness, natural = judged.naturalness[known], truth == 1
        better = choose_threshold(naturalness, natural, "accuracy")
        accuracy = float(((naturalness >= better) == natural).mean())
        if any(len(model.classes) > 2 for model in judged.models):
            threshold = math.nan  # the model predicts several labels, without a threshold
    usual = float(counts.sum(axis=1).max() / len(truth)) if len(truth) else math.nan
    rows = tuple(tuple(int(n) for n in row) for row in counts)
    return Confusion(judged.data.classes, rows, threshold, better, accuracy, usual)


def find_calibration(judged: JudgedTexts) -> Calibration:
    """Return the calibration in about ten parts of equal size."""
    known = judged.known
    natural = judged.data.labels[known] == judged.best
    parts = reliability_parts(judged.naturalness[known], natural)
    total = sum(part.texts for part in parts)
    distance = sum(part.texts * abs(part.predicted - part.natural) for part in parts)
    return Calibration(tuple(parts), distance / total if total else math.nan)


BINS = 20
MAX_SYSTEMS = 12
"""The largest number of histograms; systems beyond it, those with the fewest texts, share one."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of texts in `BINS` equal parts of 0..1, the last of which includes 1."""

    name: str
    texts: int
    counts: tuple[int, ...]
    naturalness: float
    """Mean, 0..1."""
    rating: float
    """Mean rating; NaN without ratings."""
    natural: float
    """Share with the best label; NaN without labels."""


def by_label(judged: JudgedTexts) -> tuple[Histogram, ...]:
    """Return a histogram for each label that occurs, from worst to best."""
    labels = judged.data.labels
    return tuple(
        _histogram(judged, labels == label, name)
        for label, name in enumerate(judged.data.classes)
        if (labels == label).any()
    )


def by_system(judged: JudgedTexts, systems: Sequence[str | None]) -> tuple[Histogram, ...]:
    """Return a histogram for each system, by name; none for a single system. Texts of several systems are left out."""
    counts = Counter(system for system in systems if system is not None)
    if len(counts) < 2:
        return ()
    largest = sorted(name for name, _ in _largest_systems(counts))
    names = np.array([system if system is not None else "" for system in systems], dtype=object)
    known = np.array([system is not None for system in systems], dtype=bool)
    histograms = [_histogram(judged, known & (names == name), name) for name in largest]
    rest = known & ~np.isin(names, largest)
    if rest.any():
        histograms.append(_histogram(judged, rest, f"{len(counts) - len(largest)} others"))
    return tuple(histograms)


def _largest_systems(counts: Counter[str]) -> list[tuple[str, int]]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ordered if len(ordered) <= MAX_SYSTEMS else ordered[: MAX_SYSTEMS - 1]


def _histogram(judged: JudgedTexts, rows: BoolArray, name: str) -> Histogram:
    values, data = judged.naturalness[rows], judged.data
    counts, _ = np.histogram(values, bins=BINS, range=(0.0, 1.0))
    ratings, labels = data.ratings[rows], data.labels[rows]
    rated, known = ratings[~np.isnan(ratings)], labels[labels >= 0]
    return Histogram(
        name,
        int(rows.sum()),
        tuple(int(n) for n in counts),
        float(values.mean()) if len(values) else math.nan,
        float(rated.mean()) if len(rated) else math.nan,
        float((known == judged.best).mean()) if len(known) else math.nan,
    )

"""Measure how well model and raters agree: figures, confusion matrix and calibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.differences import won
from naturalness.pipelines.evaluation import pairs_within_sources
from naturalness.reports.raters.judged import JudgedTexts
from naturalness.statistics.bootstrap import Interval, draw_rows, percentile_ends, too_few
from naturalness.statistics.measures import (
    ReliabilityPart,
    choose_threshold,
    figures,
    independent,
    reliability_parts,
    share_ends,
)

RESAMPLES = 500

FIGURES = ("accuracy", "weighted_f1", "roc_auc", "spearman", "spearman_given_length", "pearson")
"""The names of the reported figures."""


@dataclass(frozen=True, slots=True)
class PairShare:
    """The share of correctly ordered pairs, 0..1, with its 95 % interval; NaN without pairs."""

    value: float
    low: float
    high: float
    pairs: int
    sources: int
    """The number of pairs that share neither a source nor a text."""


def share_of(outcomes: FloatArray, groups: IntArray) -> PairShare:
    """Return the share of correctly ordered pairs, given their outcomes as computed by `won` and the groups of both
    texts, (n, 2); NaN outcomes are ignored.
    """
    known = ~np.isnan(outcomes)
    values, sources = outcomes[known], groups[known]
    value = float(values.mean()) if len(values) else math.nan
    return PairShare(value, *share_ends(values, sources), len(values), independent(sources))


@dataclass(frozen=True, slots=True)
class Confusion:
    """The confusion matrix, with the raters' labels as rows and the predicted labels as columns."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    threshold: float
    """The smallest naturalness at which a text gets the better of two labels, averaged over the judged texts if
    several models judged them; NaN for more than two labels.
    """
    better: float
    """The threshold with the highest accuracy on these texts; NaN for more than two labels."""
    accuracy: float
    """The accuracy with the threshold ``better``. It is optimistic, because that threshold was chosen on the same
    texts.
    """
    usual: float
    """The accuracy reached by always predicting the most frequent label."""


@dataclass(frozen=True, slots=True)
class CalibrationFigures:
    """The predicted naturalness of texts, compared with the share of these texts to which raters give the best
    label.
    """

    parts: tuple[ReliabilityPart, ...]
    error: float
    """The mean distance between prediction and share, weighted by the number of texts, 0..1; lower is better. NaN if
    no text is labelled.
    """


def with_intervals(judged: JudgedTexts) -> dict[str, Interval]:
    """Return each figure of agreement with its 95 % interval, bootstrapped over sources (Efron 1979), and the shares of
    correctly ordered pairs of a source; the ends are NaN if there are too few sources to resample.

    The interval of the accuracy, which is a share, is that of `share_ends`: if all labels are right, so are those of
    every resample. Other figures then have no interval.
    """
    groups, known = judged.data.groups, judged.known
    values = _figures(judged, np.arange(len(groups)))
    resamples = 0 if too_few(len(np.unique(groups))) else RESAMPLES
    resampled = [_figures(judged, rows) for rows in draw_rows(groups, resamples, 0)]
    intervals = {}
    for name, value in values.items():
        drawn = [figures_of_resample[name] for figures_of_resample in resampled]
        intervals[name] = Interval(value, *(percentile_ends(drawn) if len({*drawn}) > 1 else (math.nan, math.nan)))
    if resamples:
        right = 1 - judged.wrong[known].astype(np.float64)
        intervals["accuracy"] = Interval(values["accuracy"], *share_ends(right, groups[known]))
    for name, pairs in pairs_within_sources(judged.data).items():
        share = share_of(won(judged.naturalness, pairs), groups[pairs])
        intervals[name] = Interval(share.value, share.low, share.high)
    return intervals


def _figures(judged: JudgedTexts, rows: IntArray) -> dict[str, float]:
    part = judged.data.part(rows)
    return figures(
        judged.naturalness[rows], judged.predicted[rows], part.labels, part.graded, part.classes, part.lengths
    )


def find_confusion(judged: JudgedTexts) -> Confusion:
    """Return the confusion matrix, with the best threshold and its accuracy."""
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
            threshold = math.nan  # the model predicts more than two labels, without a threshold
    usual = float(counts.sum(axis=1).max() / len(truth)) if len(truth) else math.nan
    rows = tuple(tuple(int(n) for n in row) for row in counts)
    return Confusion(judged.data.classes, rows, threshold, better, accuracy, usual)


def find_calibration(judged: JudgedTexts) -> CalibrationFigures:
    """Return the calibration, computed on about ten parts with roughly equal numbers of texts."""
    known = judged.known
    natural = judged.data.labels[known] == judged.best
    parts = reliability_parts(judged.naturalness[known], natural)
    total = sum(part.texts for part in parts)
    distance = sum(part.texts * abs(part.predicted - part.natural) for part in parts)
    return CalibrationFigures(tuple(parts), distance / total if total else math.nan)

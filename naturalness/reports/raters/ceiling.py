"""The ceiling: how well a perfect judge could agree with noisy means of few raters.

The share of the variance of ratings that lies between texts shows how noisy means are (`statistics.agreement`).
Ratings are simulated many times: true values with the variance that true values must have, and single ratings that
deviate from them like the ratings in the table. A judge who knows the true values is measured like the model. For the
Pearson correlation, the ceiling is the square root of the reliability of the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.agreement import agree
from naturalness.statistics.measures import choose_threshold, figures

Singles = Sequence[Sequence[float]]
Label = Callable[[Sequence[float], float], int]
"""Returns the index of the label for single ratings and their mean; -1 for none."""
N_SIMULATIONS = 40
MIN_TEXTS = 30
"""The number of texts with several ratings below which no ceiling is computed."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The figures that a perfect judge would reach on these ratings."""

    texts: int
    """Texts with two ratings or more, from which it is computed."""
    ratings: float
    """Mean number of ratings of these texts."""
    alpha: float
    """Krippendorff's alpha, ordinal: 1 for full agreement, 0 for chance."""
    single_rater: float
    """Pearson correlation of one rater with the mean of the others."""
    reliability: float
    """The correlation of the mean rating with the mean of as many other raters."""
    figures: dict[str, float]


def find_ceiling(
    singles: Singles,
    raters: Sequence[Sequence[str]] | None,
    label: Label | None,
    classes: Sequence[str],
    *,
    seed: int = 0,
) -> Ceiling | None:
    """Return the ceiling for texts with these single ratings; None if too few texts have several ratings.

    ``label`` derives labels from ratings; without it only correlations have a ceiling.
    """
    known = [i for i, ratings in enumerate(singles) if sum(v == v for v in ratings) > 1]
    if len(known) < MIN_TEXTS:
        return None
    items = [[v for v in singles[i] if v == v] for i in known]
    agreement = agree([singles[i] for i in known], None if raters is None else [raters[i] for i in known])
    base = Ceiling(
        agreement.items,
        agreement.ratings,
        agreement.alpha_ordinal,
        agreement.against_others_pearson,
        agreement.reliability,
        {"pearson": agreement.ceiling},
    )
    if not agreement.reliability > 0:
        return base
    return _simulated(base, items, label, classes, np.random.default_rng(seed))


def _simulated(
    base: Ceiling, items: list[list[float]], label: Label | None, classes: Sequence[str], rng: np.random.Generator
) -> Ceiling:
    means = np.array([np.mean(item) for item in items])
    # The variance of the means includes noise; shrink them to the variance of true values.
    true = means.mean() + math.sqrt(base.reliability) * (means - means.mean())
    residuals = np.concatenate(
        [
            (np.array(item) - mean) * math.sqrt(len(item) / (len(item) - 1))
            for item, mean in zip(items, means, strict=True)
        ]
    )
    sizes = [len(item) for item in items]
    simulated: list[dict[str, float]] = []
    for _ in range(N_SIMULATIONS):
        simulated_ratings = [t + rng.choice(residuals, n) for t, n in zip(true, sizes, strict=True)]
        ratings = np.array([of_text.mean() for of_text in simulated_ratings])
        labels = np.full(len(true), -1, dtype=np.int64)
        if label is not None:
            labels[:] = [
                label(of_text.tolist(), float(m)) for of_text, m in zip(simulated_ratings, ratings, strict=True)
            ]
        simulated.append(_measured(true, labels, ratings, classes))
    reached = {
        name: float(np.nanmean([of_text[name] for of_text in simulated]))
        for name in simulated[0]
        if not all(math.isnan(of_text[name]) for of_text in simulated)
    }
    return replace(base, figures=reached | base.figures)


def _measured(true: FloatArray, labels: IntArray, ratings: FloatArray, classes: Sequence[str]) -> dict[str, float]:
    """Return the figures of a judge who knows the true values and uses the best threshold for two labels."""
    known = labels >= 0
    predicted = np.zeros(len(true), dtype=np.int64)
    two = len(classes) == 2 and known.any()
    if two:
        low, high = float(true.min()), float(true.max())
        scaled = (true - low) / (high - low)
        threshold = choose_threshold(scaled[known], labels[known] == 1, "accuracy")
        predicted = (scaled >= threshold).astype(np.int64)
    values = figures(true, predicted, labels, ratings, classes, np.full(len(true), np.nan))
    names = ("accuracy", "weighted_f1", "roc_auc", "spearman", "pearson") if two else ("roc_auc", "spearman", "pearson")
    return {name: values[name] for name in names}

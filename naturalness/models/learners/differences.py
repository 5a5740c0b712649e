"""Learn which text of a pair is better: of pairs that people compared, or of rated texts of one source.

For compared pairs, the learner is a linear classifier of two classes. The training rows are differences of two prepared
rows: preferred minus rejected is class 1, and rejected minus preferred is class 0. The intercept is therefore
uninformative, and the learner looks for weights that give the preferred text the higher score: a Bradley-Terry model
(1952) in which a text's strength is a weighted sum of its columns. The same weights score single texts.

Ratings of several texts of a source (versions of a paragraph, outputs for an input) also say which of two texts is
better, whatever the source is worth. Ridge regression of ratings that are centred within their source, on rows that are
centred likewise, learns from these differences alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.calibration import Calibration, fit_sigmoid
from naturalness.statistics.measures import known_mean

MOST_VERSIONS = 100
"""The largest number of texts of a source that are compared; a source of more texts is a kind of text, such as a site,
rather than an original with versions."""
SHARE = 0.5
"""The smallest share of texts that must have another text of their source with another rating (`have_versions`)."""


def within(pairs: IntArray | None, rows: IntArray, n_rows: int) -> tuple[IntArray | None, BoolArray]:
    """Return the pairs whose texts are both among ``rows``, as positions in ``rows``, and a mask of these pairs."""
    if pairs is None:
        return None, np.zeros(0, dtype=np.bool_)
    position = np.full(n_rows, -1, dtype=np.int64)
    position[rows] = np.arange(len(rows))
    moved = position[pairs]
    complete = np.asarray((moved >= 0).all(axis=1), dtype=np.bool_)
    return moved[complete], complete


def differences(rows: FloatArray, pairs: IntArray) -> tuple[FloatArray, IntArray]:
    """Return the training rows (the differences of each pair in both directions) and their classes, 1 and 0."""
    apart = rows[pairs[:, 0]] - rows[pairs[:, 1]]
    return np.vstack([apart, -apart]), np.repeat(np.array([1, 0], dtype=np.int64), len(pairs))


def won(scores: FloatArray, pairs: IntArray) -> FloatArray:
    """Return how well the scores order each pair.

    1 if the preferred text has the higher score, 0 if the other text does, 1/2 if the scores are equal; NaN if a text
    has no score.
    """
    apart = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    return (np.sign(apart) + 1) / 2


def pair_accuracy(scores: FloatArray, pairs: IntArray) -> float:
    """Return the share of pairs that are ordered correctly, 0..1; ties count half. NaN if no pair has scores."""
    return known_mean(won(scores, pairs))


def pairs_of_sources(groups: IntArray, ratings: FloatArray, texts: Sequence[Hashable]) -> IntArray:
    """Return the pairs of different texts of one source with different ratings, the better text first, (m, 2).

    Texts whose rating is NaN and sources of more than `MOST_VERSIONS` texts are left out.
    """
    sources: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for row, (group, rating) in enumerate(zip(groups.tolist(), ratings.tolist(), strict=True)):
        if rating == rating:
            sources[group].append((rating, row))
    pairs = [
        (better, worse)
        for rated in sources.values()
        if len(rated) <= MOST_VERSIONS
        for (low, worse), (high, better) in combinations(sorted(rated), 2)
        if low < high and texts[worse] != texts[better]
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def have_versions(pairs: IntArray, n_rows: int) -> bool:
    """Return whether sources have enough texts of different ratings for models to learn from these pairs."""
    return len(np.unique(pairs)) >= SHARE * n_rows > 0


def centred(values: FloatArray, weight: FloatArray, groups: IntArray) -> FloatArray:
    """Subtract from each value the weighted mean of its group; ``values`` are (n,) or (n, p)."""
    _, row = np.unique(groups, return_inverse=True)
    total = np.bincount(row, weights=weight)
    columns = values.reshape(len(values), -1)
    means = np.column_stack([np.bincount(row, weights=weight * column) / total for column in columns.T])
    out: FloatArray = (columns - means[row]).reshape(values.shape)
    return out


def pair_criterion(pairs: IntArray, n_rows: int) -> Callable[[IntArray, FloatArray], float]:
    """Return a criterion by which parameters are chosen: a function of the rows of a fold and their decisions that
    returns the accuracy on the pairs in the fold.
    """

    def measure(rows: IntArray, decisions: FloatArray) -> float:
        inside, _ = within(pairs, rows, n_rows)
        assert inside is not None
        return pair_accuracy(decisions[:, 0], inside)

    return measure


def calibrate_pairs(decisions: FloatArray, pairs: IntArray, folds: list[IntArray], final: FloatArray) -> Calibration:
    """Return the map from a unit's outputs to the log-odds that a text is preferred to an average text.

    The slope is fitted so that differences of out-of-fold ``decisions`` (n, 1) predict which text of a pair is
    preferred. Only pairs within one fold are used, since decisions from different folds come from different models. An
    average text is one whose output is the mean of ``final`` (n, 1), the fitted unit's outputs for all texts.
    """
    inside = [within(pairs, test, len(decisions))[0] for test in folds]
    apart = np.concatenate(
        [
            (values := decisions[test, 0])[fold_pairs[:, 0]] - values[fold_pairs[:, 1]]
            for test, fold_pairs in zip(folds, inside, strict=True)
            if fold_pairs is not None
        ]
    )
    margins = np.concatenate([apart, -apart])
    positive = np.repeat(np.array([1.0, 0.0]), len(apart))
    slope = fit_sigmoid(margins, positive, np.ones(len(margins)))[0] if len(apart) else 0.0
    return Calibration(np.array([slope]), np.array([-slope * float(final.mean())]))

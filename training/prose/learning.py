"""Recipe of the model of prose: the mean of voice and of a ridge regression of writers' ratings within sources.

Both are linear functions of columns and have the same weight: their scores are divided by their deviation. Voice is not
trained on ratings. The regression reads the detector's impression, and learns from differences between the versions of
a paragraph (`within-sources`), not from the quality of the paragraph itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.data.formats import location
from naturalness.data.rated import read_rated
from naturalness.features.detector import IMPRESSION
from naturalness.models.learners.calibration import Calibration, fit_sigmoid
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.differences import pair_accuracy
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.table import WITHIN
from naturalness.models.learners.tuning import Problem, fit_units
from naturalness.pipelines.evaluation import Protocol, pairs_within_sources
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.rated import rated_without_features
from naturalness.statistics.correlation import partial_spearman, spearman
from naturalness.statistics.logistic import sigmoid
from training.default_model.measure import put_cross_fitted, table_of
from training.default_model.recipe import Direction
from training.default_model.sets import SETS

LAMP, GROUPS = "LAMP", ("voice", "impression")
VOICE, SCORE = "voice__", "voice__score"
PENALTY = 100.0
"""Ridge penalty of the regression."""
FOLDS, SEED = Protocol(outer_folds=5), 0


def read_paragraphs(ratings: Path, work: Path | None, groups: Sequence[str] = GROUPS) -> Rated:
    """Return LAMP's paragraphs with their ratings, sources and features."""
    rated = read_rated(location(str(ratings / SETS[LAMP].file)), source_column="source")
    data = rated_without_features(replace(rated, rates=True), groups)
    table = table_of(LAMP, rated.texts, work, groups)
    put_cross_fitted(LAMP, table, rated.texts, data.columns, work)
    return replace(data, table=table)


def fit(data: Rated) -> Direction:
    """Fit both halves to all paragraphs."""
    preparation = learn_preparation(data.table)
    rows, names = preparation.apply(data.table), preparation.names(list(data.columns))
    impression = np.array([name.startswith(IMPRESSION) for name in names])
    voice = np.array([name.startswith(VOICE) and name != SCORE for name in names])
    weight, everything = np.ones(len(data)), np.arange(len(data), dtype=np.int64)
    problem = Problem(data.table, data.ratings, 0, weight, (), groups=data.groups)
    (ridge,) = fit_units(WITHIN, {"alpha": PENALTY}, problem, rows[:, impression], everything, SEED)
    coef = np.zeros(rows.shape[1])
    for part, weights in ((impression, ridge.coef_), (voice, _weights_of_voice(data, rows[:, voice]))):
        coef[part] = weights / np.std(rows[:, part] @ weights)
    return Direction(preparation, Linear(coef, np.zeros(1)))


def _weights_of_voice(data: Rated, rows: FloatArray) -> FloatArray:
    """Return the weights of prepared columns that add up to the log-odds of voice, by least squares.

    Its slopes depend on the length of a text, so on other lengths the sum only comes close to it.
    """
    share = data.table[:, data.columns.index(SCORE)]
    log_odds = np.log(share) - np.log1p(-share)
    weights: FloatArray = np.linalg.lstsq(rows, log_odds - log_odds.mean(), rcond=None)[0]
    return weights


def out_of_fold(data: Rated) -> FloatArray:
    """Return each paragraph's margin by a model that saw no version of it."""
    margins = np.full(len(data), np.nan)
    for train, test in FOLDS.splits(data):
        margins[test] = fit(data.part(train)).margins(data.table[test])
    return margins


def calibrated(data: Rated) -> Compiled:
    """Return the model: the score is the probability that a paragraph is rated in the better half of LAMP.

    The sigmoid is fitted to margins out of fold. It is flat, since the model says little about a paragraph's quality
    compared with those of other sources.
    """
    direction, better = fit(data), (data.ratings > np.median(data.ratings)).astype(np.float64)
    slope, offset = fit_sigmoid(out_of_fold(data), better, np.ones(len(data)))
    calibration = Calibration(np.array([slope]), np.array([offset]))
    return Compiled(direction.preparation, (direction.unit,), calibration)


def repeated(data: Rated, calibration: Calibration) -> FloatArray:
    """Return the scores of the tested paragraphs in ten splits, (10, n); NaN for training paragraphs."""
    splits = Protocol().splits(data)
    scores = np.full((len(splits), len(data)), np.nan)
    for row, (train, test) in enumerate(splits):
        margins = fit(data.part(train)).margins(data.table[test])
        scores[row, test] = sigmoid(calibration.apply(margins[:, None]))[:, 0]
    return scores


def drafts_and_edits(data: Rated) -> BoolArray:
    """Return a mask of the paragraphs whose source has two versions, nearly always a draft and its edit."""
    _, source, count = np.unique(data.groups, return_inverse=True, return_counts=True)
    return np.asarray(count[source] == 2, dtype=np.bool_)


def figures(data: Rated, scores: FloatArray) -> dict[str, float]:
    """Return how well scores order versions and all paragraphs, also given length."""
    out: dict[str, float] = {}
    two = drafts_and_edits(data)
    titles = ("draft and edit", two), ("all versions", np.ones_like(two))
    for title, rows in titles:
        every, fair = pairs_within_sources(data).values()
        for name, pairs in ((title, every), (f"{title}, better not shorter", fair)):
            out[name] = pair_accuracy(scores, pairs[rows[pairs[:, 0]]])
    out["Spearman"] = spearman(scores, data.ratings)
    out["Spearman given length"] = partial_spearman(scores, data.ratings, data.lengths)
    return {name: round(value, 3) for name, value in out.items()}

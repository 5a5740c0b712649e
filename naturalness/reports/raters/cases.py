"""The texts that a report lists: wrong predictions and doubtful labels, each with its explanation.

Doubtful labels are found by confident learning (Northcutt, Jiang & Chuang 2021). The model is confident of a class if
it predicts that class for a text at least as strongly as, on average, for the texts labelled with it; a generally
lenient or strict model therefore raises no suspicion. A label is doubtful if the model is confident of the other class
and not of the label's own class. If there are more than two labels, the classes are the best label and the rest.

Texts with doubtful labels are sorted by the distance between their rank by naturalness and their rank by rating: a text
rated just below the boundary between labels is not mislabelled, however natural its score. Without ratings, they are
sorted by how far their scores lie past the threshold at which the model is confident.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.data.compared import Joined
from naturalness.explaining.causes import cause_title
from naturalness.explaining.explanation import Explanation
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.statistics.correlation import ranks


@dataclass(frozen=True, slots=True)
class Suspects:
    """Texts with doubtful labels."""

    rows: IntArray
    """The indices of the texts, the most doubtful first."""
    natural_from: float
    """The smallest naturalness at which the model is confident that a text is natural; NaN if a class is missing."""
    unnatural_to: float
    """The largest naturalness at which the model is confident that a text is unnatural; NaN if a class is missing."""


def find_suspects(judged: JudgedTexts) -> Suspects:
    """Return the texts with doubtful labels, the most doubtful first."""
    known = np.flatnonzero(judged.known)
    natural = judged.data.labels[known] == judged.best
    if not natural.any() or natural.all():
        return Suspects(known[:0], math.nan, math.nan)
    scores = judged.naturalness[known]
    high, low = float(scores[natural].mean()), float(scores[~natural].mean())
    margin = beyond(scores, natural, high, low)
    apart = _apart(judged)[known]
    order = np.argsort(np.where(np.isnan(apart), -margin, -apart), kind="stable")
    rows = known[order[margin[order] > 0]]
    return Suspects(rows, high, low)


def _apart(judged: JudgedTexts) -> FloatArray:
    """Return the distance between each text's rank by naturalness and its rank by rating, 0..1; all NaN unless all
    texts have ratings.
    """
    out = np.full(len(judged.naturalness), np.nan)
    rated = ~np.isnan(judged.data.ratings)
    if rated.all():
        positions = [ranks(x) / len(x) for x in (judged.naturalness, judged.data.ratings)]
        out = np.abs(positions[0] - positions[1])
    return out


def beyond(scores: FloatArray, natural: BoolArray, high: float, low: float) -> FloatArray:
    """Return how far each score lies past the threshold at which the model is confident that the label is wrong.

    The threshold is ``low`` for texts labelled natural, and ``high`` for the others. A label is doubtful if the result
    is above 0. A score at which the model is confident of the label gets -inf; this matters for weak models, for which
    ``low`` can exceed ``high``.
    """
    margin = np.where(natural, low - scores, scores - high)
    consistent = np.where(natural, scores >= high, scores <= low)
    return np.where(consistent, -np.inf, margin)


MAX_LISTED = 50
"""The largest number of texts in each list."""
BATCH = 16


@dataclass(frozen=True, slots=True)
class Case:
    """A listed text with the labels given by the raters and by the model, and its explanation."""

    row: int
    """The number of the text's first row in the file, counted from 1."""
    text: str
    naturalness: float
    """The naturalness, 0..1, predicted by a model that was not trained on the text."""
    predicted: str
    label: str
    """The label given by the raters."""
    rating: float
    """The rating; NaN if unrated."""
    single: tuple[float, ...]
    """The individual ratings; empty if there are none."""
    system: str
    """The system that wrote the text; empty if unknown."""
    cause: str
    """The cause that lowers the score most; empty if none lowers it."""
    explanation: Explanation


def choose(judged: JudgedTexts, wrong: BoolArray) -> IntArray:
    """Return the indices of wrong predictions, sorted by the distance between predicted and given label, then by
    confidence.
    """
    rows = np.flatnonzero(wrong)
    apart = np.abs(judged.predicted - judged.data.labels)[rows].astype(np.float64)
    higher = judged.predicted[rows] > judged.data.labels[rows]
    sure = np.where(higher, judged.naturalness[rows], 1 - judged.naturalness[rows])
    return rows[np.lexsort((rows, -sure, -apart))]


def explained(judged: JudgedTexts, rows: Sequence[int], advance: Advance) -> dict[int, Explanation]:
    """Explain texts, each with the model that judged it, and return the explanations keyed by row."""
    explanations: dict[int, Explanation] = {}
    advance(0, len(rows))
    for number, model in enumerate(judged.models):
        judged_rows = [row for row in rows if judged.judge[row] == number]
        for start in range(0, len(judged_rows), BATCH):
            rows_of_batch = judged_rows[start : start + BATCH]
            batch = model.explain([judged.data.texts[row] for row in rows_of_batch])
            explanations |= dict(zip(rows_of_batch, batch, strict=True))
            advance(len(explanations), len(rows))
    return explanations


def make_cases(
    judged: JudgedTexts,
    rows: Sequence[int],
    explanations: dict[int, Explanation],
    joined: Joined,
    joined_rows: IntArray,
) -> tuple[Case, ...]:
    """Return the cases of these rows; ``joined_rows`` are the indices of all judged texts in ``joined``."""
    classes = judged.data.classes
    return tuple(
        Case(
            joined.rows[at] + 1,
            judged.data.texts[row],
            float(judged.naturalness[row]),
            classes[judged.predicted[row]],
            classes[judged.data.labels[row]] if judged.data.labels[row] >= 0 else "",
            float(judged.data.ratings[row]),
            tuple(float(v) for v in joined.singles[at] if v == v) if joined.singles else (),
            (joined.systems[at] or "") if joined.systems else "",
            cause_title(explanations[row].cause),
            explanations[row],
        )
        for row, at in zip(rows, joined_rows[rows].tolist(), strict=True)
    )

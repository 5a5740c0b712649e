"""The texts that a report lists: wrong predictions, each with its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, IntArray
from naturalness.data.compared import Joined
from naturalness.explaining.causes import cause_title
from naturalness.explaining.explanation import Explanation
from naturalness.reports.raters.judged import Advance, JudgedTexts

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

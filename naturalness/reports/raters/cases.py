"""Single texts that a report lists, each with its explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, IntArray
from naturalness.explaining.causes import TITLES
from naturalness.explaining.explanation import Explanation
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.judged import Advance, Judged

SENTENCES = 50
"""Texts that are listed of each kind."""
BATCH = 16
Explain = Callable[[NaturalnessModel, Sequence[str]], list[Explanation]]


@dataclass(frozen=True, slots=True)
class Case:
    """A text with the verdicts of raters and model."""

    row: int
    """Number of the (first) row in the file, from 1."""
    text: str
    naturalness: float
    """0..1, of a model that had not seen it."""
    told: str
    label: str
    """The raters'."""
    rating: float
    """NaN where there is none."""
    single: tuple[float, ...]
    """Single ratings; empty where there are none."""
    system: str
    """Empty where it is not known."""
    cause: str
    """What lowers the score first of all; empty where nothing does."""
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which texts are listed, by their numbers, the gravest first, and how many there are."""

    rows: IntArray
    total: int


def choose(judged: Judged, which: BoolArray, most: int) -> Chosen:
    """The gravest of wrong texts: told label and raters' farthest apart, then the surest."""
    rows = np.flatnonzero(which)
    apart = np.abs(judged.told - judged.data.labels)[rows].astype(np.float64)
    higher = judged.told[rows] > judged.data.labels[rows]
    sure = np.where(higher, judged.naturalness[rows], 1 - judged.naturalness[rows])
    order = np.lexsort((rows, -sure, -apart))
    return Chosen(rows[order[:most]], len(rows))


def explained(judged: Judged, rows: Sequence[int], explain: Explain, advance: Advance) -> dict[int, Explanation]:
    """The explanations of texts, by their numbers, each by the model that judged it."""
    found: dict[int, Explanation] = {}
    advance(0, len(rows))
    for number, model in enumerate(judged.models):
        own = [row for row in rows if judged.judge[row] == number]
        for start in range(0, len(own), BATCH):
            part = own[start : start + BATCH]
            told = explain(model, [judged.data.texts[row] for row in part])
            found |= dict(zip(part, told, strict=True))
            advance(len(found), len(rows))
    return found


def make_cases(
    judged: Judged,
    rows: Sequence[int],
    explanations: dict[int, Explanation],
    *,
    file_rows: Sequence[int],
    systems: Sequence[str | None] | None,
    singles: Sequence[Sequence[float]] | None,
) -> tuple[Case, ...]:
    """The texts of these numbers; the other lists have an entry for each judged text."""
    classes = judged.data.classes
    return tuple(
        Case(
            int(file_rows[row]) + 1,
            judged.data.texts[row],
            float(judged.naturalness[row]),
            classes[judged.told[row]],
            classes[judged.data.labels[row]] if judged.data.labels[row] >= 0 else "",
            float(judged.data.ratings[row]),
            tuple(float(v) for v in singles[row] if v == v) if singles else (),
            (systems[row] or "") if systems else "",
            TITLES.get(explanations[row].cause, ""),
            explanations[row],
        )
        for row in rows
    )

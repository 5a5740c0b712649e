"""Answers as what can be learned from and measured on: apart from the first question on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.annotate.asking.pool import AnswerScale, Given, Pool, means_of
from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.pipelines.learning import Rated

LABELS, PAIRS = "labels", "pairs"
NAMES = ("unnatural", "natural")


@dataclass(frozen=True, slots=True)
class Texts:
    """Rated texts, each once, with the mean of what was said of it."""

    rows: IntArray
    """Places in the pool."""
    values: FloatArray
    test: BoolArray
    """Whether a text is of the test share, whoever was asked about it."""
    waiting: int
    """Rated texts that are not measured."""


def texts_of(pool: Pool, given: Sequence[Given]) -> Texts:
    """The rated texts that are measured."""
    rows, values = means_of(given)
    apart = {one.text for one in given if one.test}
    known = pool.usable[rows]
    test = np.array([int(row) in apart for row in rows], dtype=np.bool_)
    return Texts(rows[known], values[known], test[known], int((~known).sum()))


@dataclass(frozen=True, slots=True)
class Compared:
    """Pairs, each once; pairs of which the one is as good as the other teach nothing."""

    rows: IntArray
    """Places of both texts, (n, 2)."""
    better: BoolArray
    """Whether the first was preferred."""
    test: BoolArray
    waiting: int


def pairs_of(pool: Pool, given: Sequence[Given]) -> Compared:
    """The pairs of measured texts that were told apart."""
    said: dict[tuple[int, int], float] = {}
    apart: set[int] = set()
    for one in given:
        if one.other is None:
            continue
        first, second = sorted((one.text, one.other))
        sign = 1.0 if one.text == first else -1.0
        said[first, second] = said.get((first, second), 0.0) + sign * one.value
        if one.test:
            apart.update(one.asked)
    rows = np.array(list(said), dtype=np.int64).reshape(-1, 2)
    values = np.array(list(said.values()), dtype=np.float64)
    known = pool.usable[rows].all(axis=1)
    told = known & (values != 0)
    inside: IntArray = np.isin(rows, sorted(apart)).sum(axis=1)
    told &= inside != 1  # one text of the test share: the pair neither teaches nor tests
    return Compared(rows[told], values[told] > 0, inside[told] == 2, int((~known).sum()))


def classes_of(scale: AnswerScale) -> tuple[str, ...]:
    """The labels, where there are two, which are told apart; more are learned as ratings, so that
    a middle one that is seldom given can be learned too.
    """
    if scale.kind != LABELS or round(scale.high - scale.low) != 1:
        return ()
    return scale.labels if len(scale.labels) == 2 else NAMES


def rated_of(pool: Pool, texts: Texts, scale: AnswerScale, use: BoolArray) -> Rated:
    """Some of the rated texts, as learning reads them."""
    rows, values = texts.rows[use], texts.values[use]
    classes = classes_of(scale)
    labels = np.full(len(rows), -1, dtype=np.int64)
    if classes:
        # Raters who are of two minds about a text say nothing of it.
        share = values - scale.low
        labels = np.where(share == 0.5, -1, (share > 0.5).astype(np.int64))
    same = np.array([pool.texts[row] for row in rows.tolist()])
    groups = np.unique(same, return_inverse=True)[1] if len(rows) else np.empty(0)
    return Rated(
        texts=(),
        table=pool.table[rows],
        columns=pool.columns,
        labels=labels,
        ratings=values,
        groups=groups.astype(np.int64),
        classes=classes or NAMES,
        scale=(scale.low, scale.high),
        rates=not classes,
    )

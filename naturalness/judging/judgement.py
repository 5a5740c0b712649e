"""Read, measure and judge texts once. Scores, columns and explanations are all derived from the judgement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.foreign import doubt
from naturalness.errors import excerpt
from naturalness.features import column_names, round_significant
from naturalness.features.base import FeatureGroup, Measured
from naturalness.features.measuring import measure_docs
from naturalness.features.texts import as_texts
from naturalness.judging.model import OpenedModel
from naturalness.judging.people import Standing
from naturalness.judging.scores import LISTS, Scores
from naturalness.text.parsing import are_english, source_of
from naturalness.text.view import Doc


@dataclass(frozen=True)
class Judgement:
    """Docs with their features and the scores of a model; use it only while the Docs are in memory."""

    model: OpenedModel
    docs: Sequence[Doc]
    columns: Sequence[str]
    """Names of all measured columns: the model's and any others that were requested."""
    measured: Measured
    table: FloatArray
    """Values of the model's columns, in the model's order."""
    scores: Scores
    """Scores of the texts, within the register if one was named."""
    overall: Sequence[float]
    """Naturalness of each text, ignoring the register, 0..1."""

    @property
    def usable(self) -> list[int]:
        """The indices of texts with a score."""
        return [i for i, value in enumerate(self.overall) if not math.isnan(value)]

    @cached_property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The bounds of each score's 95 % interval, on the same scale as the score; NaN if unknown."""
        ends = self.model.saved.background.interval(np.array(self.overall, dtype=np.float64))
        low, high = ([self.on_scale(i, x) for i, x in enumerate(round_significant(end).tolist())] for end in ends)
        return low, high

    def on_scale(self, i: int, naturalness: float) -> float:
        """Return a naturalness score on the scale of text ``i``'s register; unchanged if the text has no register."""
        people = self.model.people
        if not self.scores.standings or people is None:
            return naturalness
        return people.standing(naturalness, self.scores.standings[i].register).naturalness

    def part(self, rows: Sequence[int]) -> Judgement:
        """Return the judgement of some of the texts."""
        measured, scores = self.measured, self.scores
        index = list(rows)

        def chosen(values: Sequence[Any]) -> list[Any]:
            return [values[i] for i in index] if values else []

        lists: dict[str, Any] = {name: chosen(getattr(scores, name)) for name in LISTS}
        return replace(
            self,
            docs=chosen(self.docs),
            measured=Measured(measured.table[index], chosen(measured.reasons), chosen(measured.gaps)),
            table=self.table[index],
            scores=replace(
                scores,
                naturalness=scores.naturalness[index],
                axes={name: values[index] for name, values in scores.axes.items()},
                **lists,
            ),
            overall=chosen(self.overall),
        )


def judge_docs(
    model: OpenedModel,
    docs: Sequence[Doc],
    *,
    register: str | None = None,
    groups: Sequence[FeatureGroup] | None = None,
) -> Judgement:
    """Measure and judge Docs; ``groups`` are the groups to measure, including the model's (the default)."""
    here = model.groups if groups is None else groups
    columns = column_names(here)
    measured = measure_docs(list(docs), here)
    table = measured.table[:, model.positions_in(columns)]
    texts = [source_of(doc).original for doc in docs]
    english = are_english(docs)
    doubts = list(map(doubt, texts)) if english else [""] * len(texts)
    scores = replace(_scores(model, replace(measured, table=table), texts, doubts), english=english)
    within = _within(model, scores, register) if register else scores
    # A text that is not English prose is not praised, even if the model scores it anyway.
    labels = [
        None if doubted and label != model.classes[0] else label
        for label, doubted in zip(within.labels, doubts, strict=True)
    ]
    return Judgement(model, docs, columns, measured, table, replace(within, labels=labels), scores.naturalness.tolist())


def _scores(model: OpenedModel, measured: Measured, texts: Sequence[str], doubts: Sequence[str]) -> Scores:
    """Return the scores of a table of the model's columns.

    The score of a text that cannot be judged is NaN. So is that of a text that is not English prose, unless the model
    has `score_anyway`.
    """
    values, decided = model.decide(measured.table)
    naturalness, labels = values, list[str | None](decided)
    axes = {}
    if model.kind:
        for name, axis in model.kind.axes(model.saved.compiled, measured.table).items():
            axes[name] = round_significant(axis)
    reasons = []
    for i, (reason, doubted, gap) in enumerate(zip(measured.reasons, doubts, measured.gaps, strict=True)):
        unscored = reason or ("" if model.score_anyway else doubted)
        reasons.append(unscored or "; ".join(filter(None, [doubted, gap])))
        if unscored:
            labels[i] = None
            for column in (naturalness, *axes.values()):
                column[i] = math.nan
    return Scores(naturalness, labels, reasons, texts, axes, threshold=model.threshold)


def _within(model: OpenedModel, scores: Scores, register: str) -> Scores:
    """Return the scores within a register or, for ``"auto"``, within the register guessed for each text."""
    people = model.known_people
    registers = people.names(scores.texts, register)
    standings = list(map(people.standing, scores.naturalness.tolist(), registers))

    def label(standing: Standing, overall: str | None) -> str | None:
        if overall is None or len(model.classes) > 2:  # more than two labels do not follow from naturalness alone
            return overall
        return model.classes[int(standing.naturalness >= model.threshold)]

    return replace(
        scores,
        naturalness=np.array([standing.naturalness for standing in standings]),
        labels=list(map(label, standings, scores.labels)),
        standings=standings,
    )


def list_texts(texts: Any) -> list[Any]:
    """Return texts or Docs as a list, with empty texts for None and NaN; raise TypeError if they are neither."""
    if hasattr(texts, "__iter__") and not hasattr(texts, "__len__"):
        texts = list(texts)
    items = as_texts(texts, gaps=True)
    if items is None:
        first = f"; text 0 is {type(texts[0]).__name__}: {excerpt(texts[0])}" if isinstance(texts, list | tuple) else ""
        raise TypeError(f"expected texts or parsed Docs, found {type(texts).__name__}{first}")
    return items

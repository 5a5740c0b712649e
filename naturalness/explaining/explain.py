"""Texts explained: one parse for score, causes, places and whether the score may be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.causes import OPINION, cause_title
from naturalness.explaining.contributions import Shares, effects, share_out
from naturalness.explaining.explanation import Contribution, Edit, Explanation, Explanations, Moved, without_score
from naturalness.explaining.findings import find
from naturalness.explaining.naming import name_cause
from naturalness.explaining.opinion import disliked, head_of
from naturalness.explaining.shown import MIN_CONTRIBUTION
from naturalness.explaining.unlike import unlike
from naturalness.features import significant
from naturalness.features.measuring import Measured, measure_docs
from naturalness.features.people import People, Standing, require_people
from naturalness.features.reference import Usual
from naturalness.models.detector import NOTHING, Detected, detect
from naturalness.models.learners.prepared import measured
from naturalness.text.parsing import are_english, parse, short_memory, source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel, Scores

FEATURES = 3
"""Features that are named in a cause."""


def explain_texts(
    model: NaturalnessModel, texts: Sequence[str], *, edits: int = 0, batch_size: int = 64, register: str | None = None
) -> Explanations:
    """Why each text has its score; ``edits`` is how many changes to look for (0 to 3; slow).

    With a ``register`` scores, intervals and edits are on its scale (`NaturalnessModel.score`).

    The same text gets the same explanation in any company.
    """
    explanations = Explanations()
    for start in range(0, len(texts), batch_size):
        with short_memory(nlp=model.nlp):
            docs = parse(texts[start : start + batch_size], nlp=model.nlp)
            explanations += explain_docs(model, docs, edits=edits, register=register)
            del docs
    return explanations


def explain_docs(
    model: NaturalnessModel, docs: Sequence[Doc], *, edits: int = 0, register: str | None = None
) -> Explanations:
    """Explain Docs parsed by the model's pipeline."""
    description = model.saved.description
    numbers = measure_docs(list(docs), model.groups)
    table = model.select(numbers.table)
    scores = model.judge_measured(Measured(table, numbers.reasons, numbers.gaps))
    good = [i for i, value in enumerate(scores.naturalness) if not math.isnan(value)]
    sound = [docs[i] for i in good]
    evidence = dict(zip(good, zip(find(sound, description.groups), _detected(sound), strict=True), strict=True))
    reasons = dict(zip(good, _explained(model, table[good]), strict=True))
    usual, head = model.usual, head_of(model.groups)
    changes = dict(zip(good, _edits(model, sound, scores, good, edits), strict=True))
    low, high = model.saved.background.interval(np.array(scores.naturalness, dtype=np.float64))
    explanations = Explanations()
    for i, doc in enumerate(docs):
        text = source_of(doc).original
        if i not in reasons:
            explanations.append(without_score(text, scores.reasons[i], unit=model.unit, threshold=model.threshold))
            continue
        base, total, contributions = reasons[i]
        findings, detected = evidence[i]
        if head is not None and any(c.cause == OPINION and c.value <= -MIN_CONTRIBUTION for c in contributions):
            findings = (*findings, *disliked(doc, head))
        explanations.append(
            Explanation(
                text,
                scores.naturalness[i],
                significant(low[i]),
                significant(high[i]),
                scores.labels[i],
                scores.reasons[i],
                model.unit,
                base,
                total,
                contributions,
                findings,
                unlike(doc, table[i], description.columns, usual),
                edits=changes[i],
                cause=name_cause(detected, findings, contributions),
                axes={name: values[i] for name, values in scores.axes.items()},
                threshold=model.threshold,
            )
        )
    if not register:
        return explanations
    within = model.within(scores, [explanation.text for explanation in explanations], register)
    return Explanations(
        _judged_within(explanation, standing, label, require_people(model.people, model.name))
        for explanation, standing, label in zip(explanations, within.standings, within.labels, strict=True)
    )


def _judged_within(explanation: Explanation, standing: Standing, label: str | None, people: People) -> Explanation:
    """Return an explanation whose score, interval and edits are on the scale of a register."""

    def scaled(score: float) -> float:
        return people.standing(score, standing.register).naturalness

    edits = tuple(
        replace(
            edit,
            naturalness=scaled(edit.naturalness),
            gain=significant(scaled(edit.naturalness) - standing.naturalness),
        )
        for edit in explanation.edits
    )
    return replace(
        explanation,
        naturalness=standing.naturalness,
        low=scaled(explanation.low),
        high=scaled(explanation.high),
        label=label,
        edits=edits,
        standing=standing,
    )


def _detected(docs: Sequence[Doc]) -> list[Detected]:
    """What the detector says of each Doc; of other languages than English nothing."""
    if are_english(docs):
        return detect(docs)
    return [NOTHING] * len(docs)


def _edits(
    model: NaturalnessModel, docs: Sequence[Doc], scores: Scores, rows: Sequence[int], most: int
) -> Sequence[tuple[Edit, ...]]:
    """What would raise the score of each Doc with one; nothing is looked for unless asked.

    What could stand in a sentence is known of English alone.
    """
    if not most or not are_english(docs):
        return [()] * len(docs)
    # Opened when asked for: an explanation without edits starts sooner.
    from naturalness.explaining.edits import propose_edits

    return propose_edits(model, docs, [scores.naturalness[i] for i in rows], most=most)


def _explained(model: NaturalnessModel, table: FloatArray) -> list[tuple[float, float, tuple[Contribution, ...]]]:
    """Base, total and contributions of rows of the model's columns."""
    saved, usual = model.saved, model.usual
    names, parts, means = model.prepared, model.parts, model.readable
    rows = saved.compiled.preparation.apply(table)
    shares: Shares = share_out(
        saved.compiled, saved.description.verdict, rows, saved.background.rows, list(parts.values())
    )
    index = {name: i for i, name in enumerate(saved.description.columns)}
    out = []
    for row, values, prepared, total in zip(table, shares.values, rows, shares.total, strict=True):
        alone = effects(saved.compiled, prepared, saved.background.rows, list(means))
        moved = {j: effect for j, effect in zip(means, alone.tolist(), strict=True) if effect}
        contributions = []
        for (cause, columns), value in zip(parts.items(), values.tolist(), strict=True):
            movers = [j for j in columns.tolist() if j in moved]
            strongest = sorted(movers, key=lambda j: (-abs(moved[j]), j))[:FEATURES]
            features = tuple(
                _moved(names[j], row, index, moved[j], means[j], usual, model.words[measured(names[j])])
                for j in strongest
            )
            contributions.append(Contribution(cause, cause_title(cause), significant(value), features))
        contributions.sort(key=lambda contribution: -abs(contribution.value))
        out.append((significant(shares.base[0]), significant(total), tuple(contributions)))
    return out


def _moved(
    column: str, row: FloatArray, index: dict[str, int], effect: float, means: str, usual: Usual | None, words: str
) -> Moved:
    name = measured(column)
    value = float(row[index[name]])
    share = usual.share(name, value) if usual else math.nan
    above_zero = usual.above_zero.get(name, math.nan) if usual else math.nan
    return Moved(column, value, significant(share), significant(effect), means, words, significant(above_zero))

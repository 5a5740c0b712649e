"""Explain judgements: causes, findings, whether to trust the score, and edits with the scores that they lead to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from naturalness.arrays import FloatArray, IntArray
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import SOUNDNESS, cause_title, faults_of, parts_of, readable
from naturalness.explaining.contributions import effects, share_out
from naturalness.explaining.explanation import (
    Contribution,
    Edit,
    Explanation,
    Explanations,
    MovedFeature,
    Repair,
    without_score,
)
from naturalness.explaining.findings import find
from naturalness.explaining.mending import SHOWN, Correction, attempts, choose, read_again
from naturalness.explaining.naming import FAULTLESS, divided, evidence, name_cause
from naturalness.explaining.rewriting import replaced
from naturalness.explaining.unlike import unlike
from naturalness.features import resolve, significant
from naturalness.features.base import needs_parse
from naturalness.features.describe import words_of
from naturalness.features.measuring import check_annotation
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.model import OpenedModel
from naturalness.models.detector import NOTHING, detect, share_readings
from naturalness.models.learners.prepared import measured
from naturalness.models.mender import mender
from naturalness.text.parsing import are_english, read_docs, source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc


def propose(judgement: Judgement, *, most: int = 3) -> Iterator[tuple[tuple[Edit, ...], Repair | None]]:
    """Yield the ``most`` likeliest edits of each text and its repair; scores ignore registers.

    An edit that leaves a text without a score is left out, and so is a repair with such an edit.
    """
    docs, rows = judgement.docs, []
    several = attempts(docs)
    repairs = read_again(docs, [*map(choose, several)])
    for doc, tried, chosen in zip(docs, several, repairs, strict=True):
        original, by_change = source_of(doc).original, {correction.change: correction for correction in chosen}
        seen = [by_change.get(c.change, c) for _, c in tried if c.probability >= SHOWN]
        likely = sorted(seen, key=lambda correction: -correction.probability)[:most]
        ways = [*((only,) for only in dict.fromkeys([*likely, *chosen])), chosen]
        texts = {changes: replaced(original, [c.change for c in changes]) for changes in ways if changes}
        rows.append((original, likely, chosen, texts))
    scored = iter(_scores(judgement.model, docs, [[*texts.values()] for *_, texts in rows]))
    for (original, likely, chosen, texts), value in zip(rows, judgement.overall, strict=True):
        scores = {changes: score for changes in texts if not math.isnan(score := next(scored))}
        edits = {
            only: _edit(only, original, texts[only,], scores[only,], value)
            for only in dict.fromkeys([*likely, *chosen])
            if (only,) in scores
        }
        whole = chosen in scores and edits.keys() >= set(chosen)
        steps = tuple(edits[correction] for correction in chosen) if whole else ()
        score = scores.get(chosen, math.nan)
        repair = Repair(texts[chosen], score, round(score - value, 6), steps) if whole else None
        yield tuple(edits[correction] for correction in likely if correction in edits), repair


def _scores(model: OpenedModel, docs: Sequence[Doc], texts: Sequence[Sequence[str]]) -> Sequence[float]:
    """Return the scores of the variants of each Doc, one after another; all are read together."""
    every = [*chain.from_iterable(texts)]
    if not every:
        return []
    variants = read_docs(every, nlp=model.nlp, parsed=any(map(needs_parse, model.groups)))
    several = iter(variants)
    for doc, of_doc in zip(docs, texts, strict=True):
        share_readings([*islice(several, len(of_doc))], doc)
    return judge_docs(model, variants).overall


def _edit(correction: Correction, original: str, text: str, score: float, value: float) -> Edit:
    """Return a correction as an edit of a text with a naturalness of ``value``."""
    start, end, after = correction.change
    why = correction.probability, correction.kind, correction.reason
    return Edit(start, end, original[start:end], after, round(score - value, 6), score, text, *why)


Part = TypeVar("Part", Edit, Repair)
Proposal = tuple[tuple[Edit, ...], Repair | None]
FEATURES = 3
"""The largest number of features that are named for a cause."""
MAX_MODELS = 8
"""The number of models for which the meanings of columns are cached."""


class Meanings(NamedTuple):
    """The meanings of a model's prepared columns."""

    names: list[str]
    parts: dict[str, IntArray]
    """The column indices of each cause that the model reads, keyed by cause."""
    readable: list[int]
    """The indices of the columns that a reader can understand."""
    words: dict[str, str]
    """The readable name of each measured column, keyed by column name."""


@lru_cache(maxsize=MAX_MODELS)
def meanings_of(model: OpenedModel) -> Meanings:
    """Return the meanings of the columns of a model."""
    names = model.saved.compiled.preparation.names(list(model.saved.description.columns))
    return Meanings(names, parts_of(names), readable(names, model.groups), words_of(model.groups))


def read_once(docs: list[Doc]) -> list[Doc]:
    """Read Docs that will be judged and explained, and return them; the detector need not read them again."""
    if are_english(docs):
        mender().read(docs)
    return docs


def explain(judgement: Judgement, *, edits: int = 0) -> Explanations:
    """Explain each text of a judgement of parsed Docs; ``edits`` is the largest number of edits to propose per text
    (0 to 3; slow).
    """
    model, scores = judgement.model, judgement.scores
    good = judgement.part(judgement.usable)
    check_annotation(good.docs, resolve(["dependency"]))
    findings_of = find(good.docs, model.saved.description.groups)
    english = are_english(good.docs)  # the detector and the edits support only English
    tagged_in = mender().read(good.docs) if english else [()] * len(good.docs)
    detected_in = detect(good.docs) if english else [NOTHING] * len(good.docs)
    proposed: Iterable[Proposal] = [((), None)] * len(good.docs)
    if edits and english:
        proposed = propose(good, most=edits)
    measurements = iter(
        zip(good.docs, findings_of, detected_in, tagged_in, contributions_of(good), proposed, strict=True)
    )
    columns = model.saved.description.columns
    faultless = FAULTLESS[model.unit] * (SOUNDNESS in meanings_of(model).parts)
    low, high = judgement.bounds
    explanations = Explanations()
    for i, (text, value) in enumerate(zip(scores.texts, judgement.overall, strict=True)):
        standing = scores.standings[i] if scores.standings else None
        if math.isnan(value):
            unscored = without_score(text, scores.reasons[i], unit=model.unit, threshold=model.threshold)
            explanations.append(replace(unscored, standing=standing))
            continue
        doc, findings, detected, tagged, (base, total, contributions), (shown, repair) = next(measurements)
        seen = evidence(detected, findings, tagged)
        contributions = _specific(contributions, seen, faultless)
        explanations.append(
            Explanation(
                text,
                scores.naturalness[i].item(),
                low[i],
                high[i],
                scores.labels[i],
                scores.reasons[i],
                model.unit,
                significant(base + faultless),
                total,
                contributions,
                findings,
                unlike(doc, judgement.table[i], columns, model.usual),
                **_on_scale(shown, repair, judgement, i),
                cause=mended_cause(repair, seen) or name_cause(contributions, seen),
                voice=scores.voice[i].item(),
                axes={name: values[i].item() for name, values in scores.axes.items()},
                threshold=model.threshold,
                standing=standing,
            )
        )
    return explanations


def mended_cause(repair: Repair | None, seen: Mapping[str, float]) -> str:
    """Return the cause with the most evidence among those that a repair mends; empty if no edit raises the score."""
    mended = {
        CAUSES[fault]: step.gain
        for step in sorted(repair.steps if repair else (), key=lambda step: step.gain)
        for fault in faults_of(step.kind, step.before, step.after)
        if step.gain > 0
    }
    return max(mended, key=lambda cause: (seen.get(cause, 0.0), mended[cause]), default="")


def _specific(
    contributions: Sequence[Contribution], seen: Mapping[str, float], faultless: float
) -> tuple[Contribution, ...]:
    """Return the contributions with overall soundness divided among the causes, the strongest first."""
    values = divided({part.cause: part.value for part in contributions}, seen, faultless)
    parts = [replace(part, value=significant(values[part.cause])) for part in contributions]
    return tuple(sorted(parts, key=lambda part: -abs(part.value)))


def _on_scale(edits: tuple[Edit, ...], repair: Repair | None, judgement: Judgement, i: int) -> dict[str, Any]:
    """Return edits and repair as fields of an explanation, with scores on the scale of the text's register."""
    if not judgement.scores.standings:
        return {"edits": edits, "repair": repair}

    def converted(part: Part) -> Part:
        naturalness = judgement.on_scale(i, part.naturalness)
        return replace(part, naturalness=naturalness, gain=significant(naturalness - judgement.scores.naturalness[i]))

    if repair:
        repair = replace(converted(repair), steps=tuple(map(converted, repair.steps)))
    return {"edits": tuple(map(converted, edits)), "repair": repair}


def contributions_of(judgement: Judgement) -> list[tuple[float, float, tuple[Contribution, ...]]]:
    """Return the base, the total and the contributions for each text."""
    saved, usual = judgement.model.saved, judgement.model.usual
    means = meanings_of(judgement.model)
    rows = saved.compiled.preparation.apply(judgement.table)
    shares = share_out(saved.compiled, rows, saved.background.rows, list(means.parts.values()))
    position = {name: i for i, name in enumerate(saved.description.columns)}

    def moved(j: int, effect: float, row: FloatArray) -> MovedFeature:
        column = means.names[j]
        name = measured(column)
        value = float(row[position[name]])
        share = usual.share(name, value) if usual else math.nan
        return MovedFeature(column, value, significant(share), significant(effect), means.words[name])

    explained = []
    for row, values, prepared, total in zip(judgement.table, shares.values, rows, shares.total, strict=True):
        by_column = effects(saved.compiled, prepared, saved.background.rows, means.readable)
        effect = {j: value for j, value in zip(means.readable, by_column.tolist(), strict=True) if value}
        contributions = []
        for (cause, columns), value in zip(means.parts.items(), values.tolist(), strict=True):
            movers = sorted((j for j in columns.tolist() if j in effect), key=lambda j: (-abs(effect[j]), j))
            features = tuple(moved(j, effect[j], row) for j in movers[:FEATURES])
            contributions.append(Contribution(cause, cause_title(cause), significant(value), features))
        contributions.sort(key=lambda contribution: -abs(contribution.value))
        explained.append((significant(shares.base[0]), significant(total), tuple(contributions)))
    return explained

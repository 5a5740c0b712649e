"""Edits of judged texts, with the scores that the texts would have: single edits, and the repair that combines them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from naturalness.explaining.explanation import Edit, Repair
from naturalness.explaining.mending import SHOWN, Correction, attempts, choose
from naturalness.explaining.rewriting import replaced
from naturalness.features.base import needs_parse
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.model import OpenedModel
from naturalness.models.detector import share_readings
from naturalness.text.parsing import read_docs, source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc


def propose(judgement: Judgement, *, most: int = 3) -> Iterator[tuple[tuple[Edit, ...], Repair | None]]:
    """Yield the ``most`` likeliest edits of each text and its repair; scores ignore registers.

    An edit that leaves a text without a score is left out, and so is a repair with such an edit.
    """
    docs, groups = judgement.docs, judgement.model.saved.description.groups
    rows = []
    for doc, tried in zip(docs, attempts(docs, groups), strict=True):
        likely = [correction for _, correction in tried if correction.probability >= SHOWN][:most]
        chosen, original = choose(tried), source_of(doc).original
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

"""Edits of judged texts, with the scores that the texts would have: single edits, and the repair that combines them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from naturalness.explaining.explanation import Edit, Repair
from naturalness.explaining.mending import SHOWN, Correction, attempts, mend
from naturalness.explaining.rewriting import replaced
from naturalness.features.base import needs_parse
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.models.detector import share_readings
from naturalness.text.parsing import read_docs, source_of


def propose(judgement: Judgement, *, most: int = 3) -> Iterator[tuple[tuple[Edit, ...], Repair | None]]:
    """Yield the ``most`` likeliest edits of each text and its repair; scores ignore registers.

    An edit that leaves a text without a score is left out, and so is a repair with such an edit.
    """
    docs, model = judgement.docs, judgement.model
    groups, parsed = model.saved.description.groups, any(map(needs_parse, model.groups))
    for doc, tried, chosen, value in zip(
        docs, attempts(docs, groups), mend(docs, groups), judgement.overall, strict=True
    ):
        original = source_of(doc).original
        likely = [correction for _, correction in tried if correction.probability >= SHOWN][:most]
        single = list(dict.fromkeys([*likely, *chosen]))
        if not single:
            yield (), None
            continue
        texts = [replaced(original, [c.change for c in changes]) for changes in (*((only,) for only in single), chosen)]
        variants = read_docs(texts, nlp=model.nlp, parsed=parsed)
        share_readings(variants, doc)
        scores = judge_docs(model, variants).overall
        edits = {
            correction: _edit(correction, original, text, score, value)
            for correction, text, score in zip(single, texts, scores, strict=False)
            if not math.isnan(score)
        }
        whole = bool(chosen) and not math.isnan(scores[-1]) and edits.keys() >= set(chosen)
        steps = tuple(edits[correction] for correction in chosen) if whole else ()
        repair = Repair(texts[-1], scores[-1], round(scores[-1] - value, 6), steps) if whole else None
        yield tuple(edits[correction] for correction in likely if correction in edits), repair


def _edit(correction: Correction, original: str, text: str, score: float, value: float) -> Edit:
    """Return a correction as an edit of a text with a naturalness of ``value``."""
    start, end, after = correction.change
    why = correction.probability, correction.kind, correction.reason, correction.alternatives
    return Edit(start, end, original[start:end], after, round(score - value, 6), score, text, *why)

"""Judgements of single words: offsets, surprisal, probability of damage, and kind of damage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.models.detector import DOUBTFUL, KINDS, detect
from naturalness.models.language import shipped
from naturalness.text.parsing import original_span
from naturalness.text.view import Doc, view


@dataclass(frozen=True, slots=True)
class Mark:
    """A word or punctuation mark of a text, with its surprisal and damage."""

    start: int
    end: int
    """Offset in the original text of the character after the last one."""
    text: str
    surprisal: float
    """Negative natural log of the word's probability given the preceding words of its sentence, summed over its pieces.
    0 or more; the higher, the less likely the word. NaN if the sentence was not read."""
    damage: float
    """Probability that the word is damaged, 0 to 1; NaN if the sentence was not read."""
    kind: str
    """The most probable kind of damage, from `KINDS`; empty if ``damage`` is below 0.5."""


def marks(docs: Sequence[Doc]) -> list[list[Mark]]:
    """Return a `Mark` for each word of each Doc, from the detector and the small language model.

    Both networks store their results beside the Doc, so they do not run again if features of the Docs have been
    measured before.
    """
    foretold, detected = shipped.neural().foretell(docs), detect(docs)
    marked: list[list[Mark]] = []
    for doc, prediction, detection in zip(docs, foretold, detected, strict=True):
        seen = view(doc)
        surprisal = np.full(len(doc), np.nan)
        inner = prediction.mixed.tokens >= 0
        tokens = prediction.mixed.tokens[inner]
        surprisal[tokens] = 0.0
        np.add.at(surprisal, tokens, -prediction.mixed.logprobs[inner])
        damage = np.full(len(seen.texts), np.nan)
        damage[list(detection.tokens)] = detection.damage
        kinds = dict(zip(detection.tokens, detection.logs[:, 1:].argmax(axis=1), strict=True))
        marked.append([])
        for i, position in enumerate(seen.positions):
            token = doc[position]
            start, end = original_span(doc, token.idx, token.idx + len(token))
            kind = KINDS[1 + int(kinds[i])] if damage[i] >= DOUBTFUL else ""
            marked[-1].append(Mark(start, end, token.text, float(surprisal[position]), float(damage[i]), kind))
    return marked

"""Word by word, with offsets: how surprising, how likely damaged, and in what way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.models.detector import DOUBTFUL, KINDS, detect
from naturalness.models.language import shipped
from naturalness.text.parsing import original_span
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Mark:
    """A word, or a mark of punctuation, of a text."""

    start: int
    end: int
    """Characters of the original text."""
    text: str
    surprisal: float
    """-ln p given what stands before it in its sentence, over all its pieces; 0 or more, higher is
    less likely. NaN where its sentence was not read."""
    damage: float
    """Probability that something is wrong there, 0 to 1; NaN where its sentence was not read."""
    kind: str
    """The likeliest of `KINDS` there; empty unless ``damage`` is 0.5 or more."""


def marks(docs: Sequence[Doc]) -> list[list[Mark]]:
    """Return the words of each Doc, as the detector and the small language model see them.

    Both store their results beside the Doc: after features were measured, this costs nothing.
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

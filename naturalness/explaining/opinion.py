"""Find words without which the rating head predicts a higher rating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from naturalness.explaining.places import spanned
from naturalness.features.detector import RATING, DetectorFeatures
from naturalness.models.detector import Detector, rated_parts, readings_of
from naturalness.text.view import view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from naturalness.explaining.explanation import Finding
    from naturalness.features.base import FeatureGroup

MIN_GAIN = 0.3
"""The smallest increase in the predicted rating, in standard deviations, for which a word is marked."""
MAX_MARKS = 3
"""The largest number of words marked in a text."""
MAX_TOKENS = 60
"""The largest number of tokens in a text that is examined: the text is read once per token, without that token."""


def head_of(groups: Sequence[FeatureGroup]) -> Detector | None:
    """Return the rating head's network if the model reads it, else None."""
    heads = [group for group in groups if isinstance(group, DetectorFeatures) and group.kind == RATING]
    return heads[0].detector() if heads else None


def disliked(doc: Doc, judge: Detector) -> Iterator[Finding]:
    """Yield the words that lower the predicted rating most; none if the text has to be read in several parts."""
    parts = rated_parts(doc, judge.network)
    seen = view(doc)
    if len(parts) != 1 or not 1 < len(parts[0]) <= MAX_TOKENS or len(parts[0]) != len(seen.texts):
        return
    (words,) = parts
    whole = readings_of(doc, judge)[words].rating
    without = judge.network.read([[*words[:i], *words[i + 1 :]] for i in range(len(words))])
    gains = np.array([reading.rating - whole for reading in without])
    worst = [i for i in sorted(seen.words, key=lambda i: (-gains[i], i))[:MAX_MARKS] if gains[i] >= MIN_GAIN]
    for i in sorted(worst):
        yield spanned(doc, seen, i, i, "disliked")

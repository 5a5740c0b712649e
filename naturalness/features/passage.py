"""Variety, repetition and length in texts of several sentences.

The values equal those of `lexical`, `repetition`, `surface` and `readability`, but are undefined for a single sentence.
So a linear model can give them weight in passages, where they matter to people, and none in sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.features import lexical, readability, repetition, surface
from naturalness.features.base import Columns, stack
from naturalness.features.requirements import asset
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


class PassageFeatures:
    """Numbers of other groups, for texts of two sentences or more."""

    name: ClassVar = "passage"
    requires: ClassVar = (asset("wordlist"),)
    features = Columns("passage")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return stack(map(measure, docs), len(self.features))


def measure(doc: Doc) -> list[float] | None:
    """Return one row, in the order of the table; None for a single sentence."""
    seen = view(doc)
    if len(seen.sentences) < 2:
        return None
    measured = (
        (lexical.LexicalFeatures.features, lexical.measure(seen)),
        (repetition.RepetitionFeatures.features, repetition.measure(doc)),
        (surface.SurfaceFeatures.features, surface.measure(doc)),
        (readability.ReadabilityFeatures.features, readability.measure(seen, load_wordlist())),
    )
    values = {feature.name: value for features, row in measured for feature, value in zip(features, row, strict=True)}
    return [values[feature.name] for feature in PassageFeatures.features]

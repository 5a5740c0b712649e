"""Variety, repetition and length of texts of several sentences: what makes a reply or a summary rich or dull.

The same numbers as in `lexical`, `repetition`, `surface` and `readability`, and undefined for a single sentence. So a
linear model can give them weight in passages, where people mind them, and none in sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.features import lexical, readability, repetition, surface
from naturalness.features.base import NAN, TOKENS_ALONE, Feature, rows
from naturalness.features.requirements import asset
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

SOURCES: tuple[tuple[tuple[Feature, ...], tuple[str, ...]], ...] = (
    (lexical.LexicalFeatures.features, ("n_tokens", "mtld", "mattr", "hdd")),
    (
        repetition.RepetitionFeatures.features,
        ("distinct_share", "bigram_share", "trigram_share", "longest_repeat_share"),
    ),
    (surface.SurfaceFeatures.features, ("n_sentences", "word_length_mean")),
    (readability.ReadabilityFeatures.features, ("zipf_mean",)),
)
"""Features of other groups, by name."""
POSITIONS = tuple([feature.name for feature in features].index(name) for features, names in SOURCES for name in names)
FEATURES = tuple(
    replace(feature, undefined="fewer than 2 sentences", words=f"{feature.title}, over several sentences")
    for features, names in SOURCES
    for name in names
    for feature in features
    if feature.name == name
)


class PassageFeatures:
    """Numbers of other groups, for texts of two sentences or more."""

    name: ClassVar = "passage"
    parsed: ClassVar = TOKENS_ALONE
    requires: ClassVar = (asset("wordlist"),)
    features: ClassVar = FEATURES

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> list[float]:
    """One row, in the order of the table above."""
    seen = view(doc)
    if len(seen.sentences) < 2:
        return [NAN] * len(FEATURES)
    measured = (
        lexical.measure(seen),
        repetition.measure(doc),
        surface.measure(doc),
        readability.measure(seen, load_wordlist()),
    )
    positions = iter(POSITIONS)
    return [row[next(positions)] for row, (_, names) in zip(measured, SOURCES, strict=True) for _ in names]

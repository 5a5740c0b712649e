"""Length: of the text, its sentences and its words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, TOTAL, Feature, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.parsing import source_of
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


class SurfaceFeatures:
    """Lengths of the normalised text; a word's length is in characters."""

    name: ClassVar = "surface"
    parsed: ClassVar = TOKENS_ALONE
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = (
        Feature(
            "n_characters",
            "characters of the normalised text",
            "0..",
            "longer",
            several=TOTAL,
            undefined="never",
            words="length in characters",
        ),
        Feature(
            "n_sentences",
            "sentences with at least one word",
            "0..",
            "more sentences",
            several=TOTAL,
            undefined="never",
            words="number of sentences",
        ),
        Feature("sentence_length_mean", "words / sentences", "1..", "longer sentences", words="mean sentence length"),
        Feature(
            "sentence_length_max",
            "words of the longest sentence",
            "1..",
            "longer sentences",
            words="length of the longest sentence",
        ),
        Feature("word_length_mean", "characters of words / words", "1..", "longer words", words="mean word length"),
        Feature(
            "word_length_std",
            "standard deviation of word length",
            "0..",
            "more varied words",
            words="variation of word length",
        ),
        Feature(
            "word_length_max",
            "characters of the longest word",
            "1..",
            "longer words",
            words="length of the longest word",
        ),
        Feature(
            "punctuation_share",
            "tokens that are not words / tokens",
            "0..1",
            "more punctuation",
            undefined="no tokens",
            words="share of punctuation",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> tuple[float, ...]:
    """One row, in the order of the table above."""
    seen = view(doc)
    n_tokens, n_words = len(seen.lower), len(seen.words)
    punctuation = ratio(n_tokens - n_words, n_tokens)
    if not n_words:
        return (len(source_of(doc).text), 0, NAN, NAN, NAN, NAN, NAN, punctuation)
    lengths = [len(seen.lower[i]) for i in seen.words]
    average = sum(lengths) / n_words
    spread = math.sqrt(sum((length - average) ** 2 for length in lengths) / n_words)
    per_sentence = [len(words) for words in seen.sentence_words]
    return (
        len(source_of(doc).text),
        len(per_sentence),
        n_words / len(per_sentence),
        max(per_sentence),
        average,
        spread,
        max(lengths),
        punctuation,
    )

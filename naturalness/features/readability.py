"""Difficulty, familiarity and spelling of words, based on a word list compiled from this project's corpora.

Only words that contain a letter are counted; a clitic (``n't``, ``'s``) is part of the word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import WordList, load_wordlist
from naturalness.features.base import NAN, Columns, ratio, stack
from naturalness.features.requirements import asset
from naturalness.features.syllables import syllables
from naturalness.text.view import Doc, View, view

CLITICS = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ta"})
HALVES = frozenset({"gon", "wan"})
"""The first tokens of *gonna* and *wanna*, which are not misspelt although they are not words."""


class ReadabilityFeatures:
    """Syllables, Flesch scores, word frequencies, and unknown and misspelt words, over the whole text."""

    name: ClassVar = "readability"
    requires: ClassVar = (asset("wordlist"),)
    features = Columns("readability")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        words = load_wordlist()
        return stack((measure(view(doc), words) for doc in docs), len(self.features))

    def prepare(self) -> None:
        """Read the word list."""
        load_wordlist()


def measure(seen: View, known: WordList) -> tuple[float, ...]:
    """Return the values of a text in the order of ``tables/readability.csv``."""
    chosen = [
        i
        for i in seen.words
        if seen.lower[i] not in CLITICS
        and not seen.lower[i].isdigit()
        and (seen.lower[i].isalpha() or any(map(str.isalpha, seen.lower[i])))
    ]
    n = len(chosen)
    if not n:
        return (NAN,) * len(ReadabilityFeatures.features)
    counts = [syllables(seen.lower[i]) for i in chosen]
    counted = set(chosen)
    n_sentences = sum(not counted.isdisjoint(inside) for inside in seen.sentence_words)
    length, per_word = n / n_sentences, sum(counts) / n
    firsts = {inside[0] for inside in seen.sentence_words}
    zipf = [known.zipf(seen.lower[i]) for i in chosen if seen.lower[i] in known]
    unknown = [
        seen.lower[i]
        for i in chosen
        if seen.lower[i] not in known
        and seen.lower[i] not in HALVES
        and not known.knows(seen.lower[i])
        and (i in firsts or not seen.texts[i][:1].isupper())
    ]
    return (
        per_word,
        sum(count > 2 for count in counts) / n,
        206.835 - 1.015 * length - 84.6 * per_word,
        0.39 * length + 11.8 * per_word - 15.59,
        ratio(sum(zipf), len(zipf)),
        min(zipf, default=NAN),
        len(unknown) / n,
        sum(known.correction(word) is not None for word in unknown) / n,
    )

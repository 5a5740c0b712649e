"""Difficulty and familiarity of words, with spelling, by the word list of our corpora.

Only words with a letter count here, and a clitic (``n't``, ``'s``) belongs to the word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import WordList, load_wordlist
from naturalness.features.base import NAN, TOKENS_ALONE, Feature, ratio, rows
from naturalness.features.requirements import asset
from naturalness.features.syllables import syllables
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

CLITICS = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ta"})
HALVES = frozenset({"gon", "wan"})
"""What is left of gonna and wanna: no words, but not misspelt."""
NO_WORDS = "no words with a letter"


class ReadabilityFeatures:
    """Syllables, Flesch scores, word frequency, unknown and misspelt words of the whole text."""

    name: ClassVar = "readability"
    parsed: ClassVar = TOKENS_ALONE
    requires: ClassVar = (asset("wordlist"),)
    features: ClassVar = (
        Feature(
            "syllables_per_word",
            "syllables / words",
            "[1, ..",
            "harder words",
            undefined=NO_WORDS,
            words="syllables per word",
        ),
        Feature(
            "polysyllable_share",
            "words of three or more syllables / words",
            "[0, 1]",
            "harder words",
            "McLaughlin (1969)",
            undefined=NO_WORDS,
            words="words of three or more syllables",
        ),
        Feature(
            "flesch_reading_ease",
            "206.835 - 1.015 words/sentences - 84.6 syllables/words",
            "..121.22",
            "easier",
            "Flesch (1948)",
            undefined=NO_WORDS,
            words="reading ease (Flesch)",
        ),
        Feature(
            "flesch_kincaid_grade",
            "0.39 words/sentences + 11.8 syllables/words - 15.59",
            "-3.4..",
            "harder",
            "Kincaid et al. (1975)",
            undefined=NO_WORDS,
            words="school grade (Flesch-Kincaid)",
        ),
        Feature(
            "zipf_mean",
            "mean log10 frequency per billion of the known words",
            "0..8",
            "more frequent words",
            "van Heuven et al. (2014)",
            undefined="no known words",
            words="mean frequency of the words",
        ),
        Feature(
            "zipf_min",
            "log10 frequency per billion of the rarest known word",
            "0..8",
            "more frequent words",
            "van Heuven et al. (2014)",
            undefined="no known words",
            words="frequency of the rarest word",
        ),
        Feature(
            "unknown_share",
            "words outside the word list that are no names (a capital inside a sentence) / words",
            "[0, 1]",
            "more unknown words",
            undefined=NO_WORDS,
            words="words missing from the word list",
        ),
        Feature(
            "misspelt_share",
            "unknown words one edit away from a frequent word / words",
            "[0, 1]",
            "more misspellings",
            undefined=NO_WORDS,
            words="misspelt words",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        words = load_wordlist()
        return rows(docs, lambda doc: measure(view(doc), words), len(self.features))

    def prepare(self) -> None:
        """Read the word list."""
        load_wordlist()


def measure(seen: View, known: WordList) -> tuple[float, ...]:
    """One row, in the order of the table above."""
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

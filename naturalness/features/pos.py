"""Shares of the universal parts of speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import Feature, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

WORD_CLASSES: Mapping[str, tuple[str, str]] = {
    "ADJ": ("adjective", "adjectives"),
    "ADP": ("preposition", "prepositions"),
    "ADV": ("adverb", "adverbs"),
    "AUX": ("auxiliary", "auxiliaries"),
    "CCONJ": ("coordinating conjunction", "coordinating conjunctions"),
    "DET": ("determiner", "determiners"),
    "INTJ": ("interjection", "interjections"),
    "NOUN": ("noun", "nouns"),
    "NUM": ("numeral", "numerals"),
    "PART": ("particle", "particles"),
    "PRON": ("pronoun", "pronouns"),
    "PROPN": ("proper noun", "proper nouns"),
    "PUNCT": ("mark", "marks"),
    "SCONJ": ("subordinating conjunction", "subordinating conjunctions"),
    "SYM": ("symbol", "symbols"),
    "VERB": ("verb", "verbs"),
    "X": ("unclassified word", "unclassified words"),
}
"""The tags, and what one word of each and several are called."""
UPOS = tuple(WORD_CLASSES)
UD = "Universal Dependencies (Nivre et al., 2020)"


class PosFeatures:
    """One share per part of speech; they add up to 1 where every token has one."""

    name: ClassVar = "pos"
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = tuple(
        Feature(
            f"{tag.lower()}_share",
            f"tokens tagged {tag} / tokens",
            "[0, 1]",
            "more of them",
            UD,
            undefined="no tokens",
            words=f"share of {several}",
        )
        for tag, (_, several) in WORD_CLASSES.items()
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> list[float]:
    """One row, in the order of UPOS."""
    pos = view(doc).pos
    return [ratio(pos.count(tag), len(pos)) for tag in UPOS]

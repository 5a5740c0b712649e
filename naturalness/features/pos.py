"""Shares of the universal parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import Feature, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

UPOS = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
)
UD = "Universal Dependencies (Nivre et al., 2020)"


class PosFeatures:
    """One share per part of speech; they add up to 1 where every token has one."""

    name: ClassVar = "pos"
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = tuple(
        Feature(
            f"{tag.lower()}_share", f"tokens tagged {tag} / tokens", "[0, 1]", "more of them", UD, undefined="no tokens"
        )
        for tag in UPOS
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> list[float]:
    """One row, in the order of UPOS."""
    pos = view(doc).pos
    return [ratio(pos.count(tag), len(pos)) for tag in UPOS]

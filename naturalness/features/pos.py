"""Shares of the universal parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement, ratio, stack
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


class PosFeatures:
    """One share per part of speech; they add up to 1 where every token has one."""

    name: ClassVar = "pos"
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features = Columns("pos")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return stack(map(measure, docs), len(self.features))


def measure(doc: Doc) -> list[float]:
    """Return one row, in the order of `UPOS`."""
    pos = view(doc).pos
    return [ratio(pos.count(tag), len(pos)) for tag in UPOS]

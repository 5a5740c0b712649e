"""What a parser says of a Doc, kept beside it, so that groups and metrics share one parse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from naturalness.models.parsers.base import N_BEST, ConstituencyParser, ParsedSentence

if TYPE_CHECKING:
    from spacy.tokens import Doc


def parsed(parser: ConstituencyParser, docs: Sequence[Doc]) -> list[list[ParsedSentence]]:
    """For each Doc its sentences: the best tree, and the log-probabilities of the 50 best."""
    key = f"naturalness.trees.{parser.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc, found in zip(new, parser.nbest(new, N_BEST, keep=1), strict=True):
        doc.user_data[key] = found
    return [doc.user_data[key] for doc in docs]

"""Small language models trained on sentences of our own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from naturalness.models.language.training import Recipe, train_language_model
from naturalness.models.language.units import Kind
from tests.support.rated import sentences

HARBOUR = (
    "The boat left the harbour at noon.",
    "The boat came back at night.",
    "Old Peter saw the boat.",
    "We asked Peter about the harbour.",
    "Nobody saw Peter at the harbour.",
    "At noon the captain and Peter left.",
    "The captain spoke to Peter again.",
)
KITCHEN = (
    "The cook left the kitchen at noon.",
    "The cook came back with a spoon.",
    "Old Maria saw the spoon.",
    "We asked Maria about the kitchen.",
    "Nobody saw Maria with a spoon.",
    "At noon the cook and Maria left.",
    "The waiter spoke to Maria again.",
)


def many(n: int = 300, seed: int = 0) -> list[str]:
    """Return sentences with enough repetition to estimate discounts."""
    return [text for text, _, _ in sentences(n, seed)]


def train(
    folder: Path,
    texts: Iterable[str] = HARBOUR,
    *,
    kind: Kind = "words",
    order: int = 3,
    least: int = 1,
    arpa: bool = True,
) -> Path:
    """Train a model on texts; every word is known by default (``least``)."""
    train_language_model(texts, folder, Recipe(kind, least, order, arpa=arpa))
    return folder


@cache
def vocab() -> Vocab:
    """Return the vocabulary of a blank English pipeline."""
    return spacy.blank("en").vocab


def doc_of(*sentences: str) -> Doc:
    """Return a Doc of sentences whose tokens are separated by spaces."""
    rows = [sentence.split(" ") for sentence in sentences]
    starts = [i == 0 for row in rows for i in range(len(row))]
    words = [word for row in rows for word in row]
    return Doc(vocab(), words=words, sent_starts=starts)

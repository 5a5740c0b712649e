"""Passages of the corpora: consecutive sentences, as rows of pieces."""

from __future__ import annotations

import random
from collections.abc import Sequence

from naturalness.models.detector import detector
from naturalness.text.parsing import tokenise

SENTENCES = 5
"""Of a passage that teaches."""
MAX_PIECES = 78
"""Pieces of a sentence; longer ones are cut at the end."""
Document = Sequence[str]
Passage = Sequence[Sequence[int]]
"""The pieces of each sentence."""


def beginnings(every: Sequence[Document], n: int, size: int = SENTENCES) -> list[Document]:
    """Return the beginnings of at most ``n`` documents, evenly spaced."""
    step = max(1, len(every) // n)
    return [document[:size] for document in every[::step][:n]]


def inner(every: Sequence[Document], n: int, size: int = SENTENCES) -> list[Document]:
    """Return passages from any position in the documents, more from longer ones."""
    rng = random.Random(0)
    known = [document for document in every if len(document) > size]
    chosen = rng.choices(known, [len(document) - size for document in known], k=n)
    starts = [rng.randint(1, len(document) - size) for document in chosen]
    return [document[a : a + size] for document, a in zip(chosen, starts, strict=True)]


def passages_of(documents: Sequence[Document]) -> list[Passage]:
    """Cut the sentences of documents into pieces."""
    of_word = detector().network.pieces.of_word
    return [
        [[piece for token in doc for piece in of_word(token.text.lower())][:MAX_PIECES] for doc in tokenise(sentences)]
        for sentences in documents
    ]

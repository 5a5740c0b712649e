"""Passages of the corpora: some sentences in a row, as rows of pieces."""

from __future__ import annotations

import lzma
import random
from collections.abc import Sequence
from pathlib import Path

from naturalness.models.pieces import END, START, Pieces
from naturalness.text.parsing import tokenise

SENTENCES = 5
"""Of a passage that teaches."""
MAX_PIECES = 80
"""Pieces of a sentence; what is longer is cut at its end."""
Row = list[int]
Document = Sequence[str]


def documents(path: Path, fewest: int) -> list[list[str]]:
    """Documents of a corpus file with so many sentences at least."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        parts = file.read().split("\n\n")
    parsed = [[line.strip() for line in part.split("\n") if line.strip()] for part in parts]
    return [document for document in parsed if len(document) >= fewest]


def beginnings(every: Sequence[Document], n: int, size: int = SENTENCES) -> list[Document]:
    """How documents begin, at most ``n`` of them from all over."""
    step = max(1, len(every) // n)
    return [document[:size] for document in every[::step][:n]]


def inner(every: Sequence[Document], n: int, seed: int, size: int = SENTENCES) -> list[Document]:
    """Passages from anywhere, longer documents more often."""
    rng = random.Random(seed)
    known = [document for document in every if len(document) > size]
    chosen = rng.choices(known, [len(document) - size for document in known], k=n)
    starts = [rng.randint(1, len(document) - size) for document in chosen]
    return [document[a : a + size] for document, a in zip(chosen, starts, strict=True)]


def rows_of(sentences: Sequence[str], pieces: Pieces) -> list[Row]:
    """Pieces of each sentence between start and end."""
    start, end = pieces.rows[START], pieces.rows[END]
    rows = []
    for doc in tokenise(sentences):
        row = [piece for token in doc for piece in pieces.of_word(token.text.lower())]
        rows.append([start, *row[: MAX_PIECES - 2], end])
    return rows

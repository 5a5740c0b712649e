"""Which of MiniLM's word pieces the shipped encoder keeps: those that text is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from transformers import AutoTokenizer

from naturalness.models.parsers.chart.pieces import END, INSIDE, PADDING, START, UNKNOWN, Pieces
from training.constituency.network import ENCODER

KEPT = 15_000


def all_pieces() -> list[str]:
    """MiniLM's vocabulary in its order."""
    known = AutoTokenizer.from_pretrained(str(ENCODER)).get_vocab()
    return sorted(known, key=known.__getitem__)


def frequent_pieces(sentences: Iterable[Sequence[str]], kept: int = KEPT) -> list[str]:
    """The special pieces, all single ASCII characters, then the most frequent; in MiniLM's order.

    A word whose piece is gone is cut into smaller ones, down to letters.
    """
    everything = all_pieces()
    pieces = Pieces.of(everything)
    words = Counter(word for sentence in sentences for word in sentence)
    counts: Counter[str] = Counter()
    for word, n in words.items():
        for place in pieces.of_word(word):
            counts[everything[place]] += n
    special = [PADDING, UNKNOWN, START, END]
    ascii_marks = [
        piece
        for piece in everything
        if len(piece.removeprefix(INSIDE)) == 1 and piece.removeprefix(INSIDE).isascii()
    ]
    first = dict.fromkeys([*special, *ascii_marks])
    for piece, _ in counts.most_common():
        if len(first) == kept:
            break
        first.setdefault(piece)
    return [piece for piece in everything if piece in first]

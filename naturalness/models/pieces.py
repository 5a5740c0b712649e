"""Split words into pieces: WordPiece (Schuster & Nakajima 2012) with a vocabulary that ignores case and accents.

Each word of a Doc is split separately: first into parts, at punctuation marks; then the longest known piece is
repeatedly cut off from the left of each part. If at some point no known piece fits, the whole part becomes one unknown
piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

INSIDE = "##"
"""Prefix of a piece that does not begin a word."""
PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MAX_LETTERS = 100
"""Maximum number of letters of a part that is split; a longer part becomes one unknown piece."""
WORDS_REMEMBERED = 1 << 13
"""Maximum number of cached words."""
SPECIAL = (PADDING, UNKNOWN, START, END)
SHAPES = ("lower", "title", "upper", "mixed", "digit", "other", "first", "none")
"""Shapes of a word's spelling, which networks receive separately because pieces do not distinguish case."""


class Pieces:
    """Splits words into pieces, with a cache; a piece's index in the vocabulary is its row in the table of vectors."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.rows = {piece: i for i, piece in enumerate(vocabulary)}
        self.of_word = lru_cache(WORDS_REMEMBERED)(self._of_word)

    def _of_word(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces; every word has at least one piece."""
        return tuple(p for s in _stretches(word) for p in self._longest_first(s)) or (self.rows[UNKNOWN],)

    def _longest_first(self, stretch: str) -> Iterator[int]:
        if len(stretch) > MAX_LETTERS:
            yield self.rows[UNKNOWN]
            return
        rows: list[int] = []
        start = 0
        while start < len(stretch):
            for stop in range(len(stretch), start, -1):
                piece = (INSIDE if start else "") + stretch[start:stop]
                if piece in self.rows:
                    rows.append(self.rows[piece])
                    start = stop
                    break
            else:
                rows = [self.rows[UNKNOWN]]
                break
        yield from rows


def _stretches(word: str) -> list[str]:
    """Lower-case a word, strip its accents, and split it into alphanumeric runs and individual other characters."""
    plain = unicodedata.normalize("NFD", word.replace("’", "'").lower())
    stretches: list[str] = []
    glued = False
    for character in plain:
        if unicodedata.category(character) == "Mn" or not character.isprintable():
            continue
        if not character.isalnum():
            stretches.append(character)
            glued = False
        elif glued:
            stretches[-1] += character
        else:
            stretches.append(character)
            glued = True
    return stretches


def shape(word: str, position: int) -> int:
    """Return the index in `SHAPES` of a word's shape; ``position`` is the word's position in its sentence."""
    if word.islower():
        name = "lower"
    elif word.isupper() and len(word) > 1:
        name = "upper"
    elif word[:1].isupper() and (word[1:].islower() or len(word) == 1):
        name = "title" if position else "first"
    elif any(map(str.isdigit, word)):
        name = "digit"
    else:
        name = "mixed" if word.isalpha() else "other"
    return SHAPES.index(name)

"""Split words into pieces: WordPiece (Schuster & Nakajima 2012) with a vocabulary that ignores case and accents.

Each word of a Doc is split separately: first into parts, at punctuation marks; then the longest known piece is
repeatedly cut off from the left of each part. If at some point no known piece fits, the whole part becomes one unknown
piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

INSIDE = "##"
"""Prefix of a piece that does not begin a word."""
PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MAX_LETTERS = 100
"""Maximum number of letters of a part that is split; a longer part becomes one unknown piece."""
WORDS_REMEMBERED = 1 << 13
"""Maximum number of cached words; words of more than `LETTERS_REMEMBERED` letters are not cached."""
LETTERS_REMEMBERED = 64
SPECIAL = (PADDING, UNKNOWN, START, END)
SHAPES = ("lower", "title", "upper", "mixed", "digit", "other", "first", "none")
"""Shapes of a word's spelling, which networks receive separately because pieces do not distinguish case."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Splits words into pieces, with a cache."""

    rows: dict[str, int]
    """Row of each piece in the table of vectors: its index in the vocabulary."""
    cut: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, vocabulary: Sequence[str]) -> Pieces:
        """Return an instance for a vocabulary; a piece's index is its row."""
        return cls({piece: i for i, piece in enumerate(vocabulary)})

    def of_word(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces; every word has at least one piece."""
        rows = self.cut.get(word)
        if rows is None:
            stretches = _stretches(word)
            rows = tuple(p for s in stretches for p in self._longest_first(s))
            rows = rows or (self.rows[UNKNOWN],)
            if len(word) <= LETTERS_REMEMBERED:
                if len(self.cut) >= WORDS_REMEMBERED:
                    self.cut.clear()
                self.cut[word] = rows
        return rows

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

"""Words to pieces: WordPiece over a vocabulary without case and accents (Schuster & Nakajima 2012).

Words come from the Doc, so each is cut on its own: at marks first, then the longest known piece
from the left, again and again. A stretch that cannot be spelled is one unknown piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

INSIDE = "##"
"""Stands before a piece that does not begin a word."""
PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
LONGEST = 100
"""Letters of a stretch that is still cut; longer ones are unknown."""
REMEMBERED = 1 << 13
"""Words, of at most `LONGEST_REMEMBERED` characters each: texts may hold any."""
LONGEST_REMEMBERED = 64
SHAPES = ("lower", "title", "upper", "mixed", "digit", "other", "first", "none")
"""How a word is written, beside its pieces, which know no case."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Cuts words and remembers how."""

    places: dict[str, int]
    """Piece -> its row in the table of vectors."""
    cut: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, vocabulary: Sequence[str]) -> Pieces:
        """From the pieces in the order of their vectors."""
        return cls({piece: i for i, piece in enumerate(vocabulary)})

    def of_word(self, word: str) -> tuple[int, ...]:
        """Rows of the pieces of a word; at least one."""
        found = self.cut.get(word)
        if found is None:
            stretches = _stretches(word)
            found = tuple(p for s in stretches for p in self._longest_first(s))
            found = found or (self.places[UNKNOWN],)
            if len(word) <= LONGEST_REMEMBERED:
                if len(self.cut) >= REMEMBERED:
                    self.cut.clear()
                self.cut[word] = found
        return found

    def _longest_first(self, stretch: str) -> Iterator[int]:
        if len(stretch) > LONGEST:
            yield self.places[UNKNOWN]
            return
        found: list[int] = []
        start = 0
        while start < len(stretch):
            for stop in range(len(stretch), start, -1):
                piece = (INSIDE if start else "") + stretch[start:stop]
                if piece in self.places:
                    found.append(self.places[piece])
                    start = stop
                    break
            else:
                found = [self.places[UNKNOWN]]
                break
        yield from found


def _stretches(word: str) -> list[str]:
    """Letters and digits together, every other mark on its own; lower case, no accents."""
    plain = unicodedata.normalize("NFD", word.replace("’", "'").lower())
    found: list[str] = []
    glued = False
    for character in plain:
        if unicodedata.category(character) == "Mn" or not character.isprintable():
            continue
        if not character.isalnum():
            found.append(character)
            glued = False
        elif glued:
            found[-1] += character
        else:
            found.append(character)
            glued = True
    return found


def shape(word: str, place: int) -> int:
    """Index into `SHAPES` of the word at a place of its sentence."""
    if word.islower():
        name = "lower"
    elif word.isupper() and len(word) > 1:
        name = "upper"
    elif word[:1].isupper() and (word[1:].islower() or len(word) == 1):
        name = "title" if place else "first"
    elif any(map(str.isdigit, word)):
        name = "digit"
    else:
        name = "mixed" if word.isalpha() else "other"
    return SHAPES.index(name)

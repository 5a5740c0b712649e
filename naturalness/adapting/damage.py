"""A sentence that is being damaged: its words with their positions in the original, and a record of the changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from naturalness.text.view import CLITICS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NO_SPACE_BEFORE = frozenset({".", ",", ";", ":", "!", "?", ")", "]", "}", "%"})
NO_SPACE_AFTER = frozenset({"(", "[", "{", "$", "£", "€"})


@dataclass(frozen=True, slots=True)
class Damage:
    """One damage: its kind, and its span in the damaged text."""

    kind: str
    start: int
    end: int
    """The end of the span; equal to ``start`` if a word was dropped."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A damaged text with a record of its damages."""

    text: str
    original: str
    damages: tuple[Damage, ...]


@dataclass(eq=False, slots=True)
class Word:
    """A token of the sentence that is being damaged. Two words are equal only if they are the same object."""

    text: str
    space: bool
    """Whether a space follows the word."""
    token: Token | None = None
    """The parsed token; None for an inserted word."""
    touched: bool = False


@dataclass(eq=False, slots=True)
class Change:
    """One damage to a draft: the affected words or, if a word was dropped, the word beside the gap."""

    kind: str
    words: list[Word]
    gap: Literal["", "before", "after"] = ""
    """Whether a word was dropped before or after the first of `words`; empty if no word was dropped."""


@dataclass(eq=False, slots=True)
class Draft:
    """The words of a text and the changes made so far."""

    words: list[Word]
    changes: list[Change] = field(default_factory=list)

    @classmethod
    def of(cls, doc: Doc) -> Draft:
        """Return an undamaged draft of a parsed text."""
        return cls([Word(t.text, bool(t.whitespace_), t) for t in doc])

    def fresh(self) -> list[int]:
        """Return the positions of undamaged words; punctuation is left out."""
        return [i for i, word in enumerate(self.words) if not word.touched and any(map(str.isalnum, word.text))]

    def whole(self) -> list[int]:
        """Return the positions of undamaged words that can be moved or dropped, because they are not part of a
        contraction.
        """
        return [i for i in self.fresh() if not self._in_contraction(i)]

    def _in_contraction(self, i: int) -> bool:
        following = self.words[i + 1].text.lower() if i + 1 < len(self.words) else ""
        glued = not self.words[i].space and following in CLITICS
        return glued or self.words[i].text.lower() in CLITICS

    def replace(self, kind: str, at: int, text: str) -> None:
        """Replace the word at position ``at`` with another form or word."""
        word = self.words[at]
        before = word.text
        word.text = text.capitalize() if before[:1].isupper() and at == 0 else text
        word.touched = True
        if at and before.lower() in CLITICS and text.lower() not in CLITICS:
            self.words[at - 1].space = True  # I'm -> I is
        self.changes.append(Change(kind, [word]))

    def drop(self, kind: str, at: int) -> None:
        """Drop the word at position ``at``, and record the damage at the gap before the next word or, at the end
        of the text, after the last word.
        """
        del self.words[at]
        last = at == len(self.words)
        neighbour = self.words[at - 1 if last else at]
        neighbour.touched = True
        self.changes.append(Change(kind, [neighbour], "after" if last else "before"))

    def insert(self, kind: str, at: int, texts: Sequence[str]) -> None:
        """Insert new words before position ``at``."""
        new = [Word(text, True, None, True) for text in texts]
        self.words[at:at] = new
        self.changes.append(Change(kind, new))

    def reorder(self, kind: str, start: int, order: Sequence[int]) -> None:
        """Reorder the words from ``start`` on; ``order`` lists their old positions, relative to ``start``, in the
        new order.
        """
        old = self.words[start : start + len(order)]
        new = [old[k] for k in order]
        for word in new:
            word.touched = True
        self.words[start : start + len(order)] = new
        self.changes.append(Change(kind, new))

    def finish(self, original: str) -> Damaged:
        """Return the damaged text with its damages as character offsets; the sentence keeps its initial capital."""
        _keep_capital(self.words, original)
        starts: dict[int, tuple[int, int]] = {}
        parts: list[str] = []
        offset = 0
        for i, word in enumerate(self.words):
            following = self.words[i + 1] if i + 1 < len(self.words) else None
            space = " " if following is not None and _spaced(word, following) else ""
            starts[id(word)] = offset, offset + len(word.text)
            parts += [word.text, space]
            offset += len(word.text) + len(space)
        text = "".join(parts)
        damages = []
        for change in self.changes:
            spans = [starts[id(word)] for word in change.words if id(word) in starts]
            start, end = min(s for s, _ in spans), max(e for _, e in spans)
            if change.gap:
                start = end = start if change.gap == "before" else end
            damages.append(Damage(change.kind, start, end))
        ordered = tuple(sorted(damages, key=lambda d: (d.start, d.end)))
        return Damaged(text, original, ordered)


def _spaced(word: Word, following: Word) -> bool:
    """Return whether a space separates two words: as in the original if they were adjacent there, otherwise by rule."""
    here, there = word.token, following.token
    if here is not None and there is not None and here.doc is there.doc and here.i + 1 == there.i:
        return word.space
    low = following.text.lower()
    if here is None and there is None and not word.space:
        return False
    tight = low in CLITICS or low in NO_SPACE_BEFORE or word.text in NO_SPACE_AFTER
    return not tight


def _keep_capital(words: Sequence[Word], original: str) -> None:
    """If the original sentence began with a capital letter, move the capital to the new first word."""
    if not words or not original[:1].isupper():
        return
    for i, word in enumerate(words):
        token = word.token
        if not i or token is None or token.i:
            continue
        if token.pos_ != "PROPN" and word.text.istitle() and word.text != "I":
            word.text = word.text[:1].lower() + word.text[1:]
    words[0].text = words[0].text[:1].upper() + words[0].text[1:]

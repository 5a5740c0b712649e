"""A sentence under damage: words that know where they came from, and what was done to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NO_SPACE_BEFORE = frozenset({".", ",", ";", ":", "!", "?", ")", "]", "}", "n't", "%"})


@dataclass(frozen=True, slots=True)
class Damage:
    """One damage: its kind, its place in the damaged text, and what stood and stands there."""

    kind: str
    start: int
    end: int
    """Equal to ``start`` where a word was dropped."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Damaged:
    """A damaged text with the record of its damages."""

    text: str
    original: str
    damages: tuple[Damage, ...]
    amount: float
    """Words touched / words of the original, at most 1; 0 for an untouched text."""


@dataclass(eq=False, slots=True)
class Word:
    """A token of the sentence under damage; identity, not value, tells words apart."""

    text: str
    space: bool
    """Whether a space follows."""
    token: Token | None = None
    """The parsed token, None for an inserted word."""
    touched: bool = False


@dataclass(eq=False, slots=True)
class Change:
    """What one damage did: the words that carry it, or the word behind a gap."""

    kind: str
    words: list[Word]
    gap: bool
    before: str
    n_touched: int


@dataclass(eq=False, slots=True)
class Draft:
    """The words of a text and the changes made so far."""

    words: list[Word]
    changes: list[Change] = field(default_factory=list)

    @classmethod
    def of(cls, doc: Doc) -> Draft:
        """A draft of a parsed text, undamaged."""
        return cls([Word(t.text, bool(t.whitespace_), t) for t in doc])

    def fresh(self) -> list[int]:
        """Positions of words, not punctuation, that no damage has touched."""
        return [
            i for i, word in enumerate(self.words)
            if not word.touched and any(map(str.isalnum, word.text))
        ]  # fmt: skip

    def replace(self, kind: str, at: int, text: str) -> None:
        """Put another form in a word's place."""
        word = self.words[at]
        before = word.text
        word.text = text.capitalize() if before[:1].isupper() and at == 0 else text
        word.touched = True
        self.changes.append(Change(kind, [word], False, before, 1))

    def drop(self, kind: str, at: int) -> None:
        """Take a word out; the place is the gap before the next word."""
        word = self.words.pop(at)
        following = self.words[at] if at < len(self.words) else self.words[-1]
        following.touched = True
        if at and not word.space:
            self.words[at - 1].space = False
        self.changes.append(Change(kind, [following], True, word.text, 1))

    def insert(self, kind: str, at: int, texts: Sequence[str]) -> None:
        """Put new words before position ``at``."""
        new = [Word(text, True, None, True) for text in texts]
        if at and not self.words[at - 1].space:
            self.words[at - 1].space = True
        self.words[at:at] = new
        self.changes.append(Change(kind, new, False, "", len(new)))

    def reorder(self, kind: str, start: int, order: Sequence[int]) -> None:
        """Put ``words[start:]`` into another order, keeping the spaces where they are."""
        old = self.words[start : start + len(order)]
        spaces = [word.space for word in old]
        before = "".join(w.text + " " * w.space for w in old).strip()
        new = [old[k] for k in order]
        for word, space in zip(new, spaces, strict=True):
            word.space = space
            word.touched = True
        self.words[start : start + len(order)] = new
        self.changes.append(Change(kind, new, False, before, len(new)))

    def finish(self, original: str) -> Damaged:
        """The damaged text with offsets; a sentence still begins with a capital where it did."""
        _keep_capital(self.words, original)
        starts: dict[int, tuple[int, int]] = {}
        parts: list[str] = []
        offset = 0
        for i, word in enumerate(self.words):
            following = self.words[i + 1].text if i + 1 < len(self.words) else ""
            tight = following in NO_SPACE_BEFORE or following.startswith("'")
            space = " " if word.space and following and not tight else ""
            starts[id(word)] = offset, offset + len(word.text)
            parts += [word.text, space]
            offset += len(word.text) + len(space)
        damages = []
        for change in self.changes:
            spans = [starts[id(word)] for word in change.words if id(word) in starts]
            start, end = min(s for s, _ in spans), max(e for _, e in spans)
            text = "".join(parts)
            after = "" if change.gap else text[start:end]
            place = (start, start) if change.gap else (start, end)
            damages.append(Damage(change.kind, *place, change.before, after))
        n_words = sum(any(map(str.isalnum, piece)) for piece in original.split()) or 1
        touched = sum(change.n_touched for change in self.changes)
        amount = min(1.0, touched / n_words)
        ordered = tuple(sorted(damages, key=lambda d: (d.start, d.end)))
        return Damaged("".join(parts), original, ordered, amount)


def _keep_capital(words: Sequence[Word], original: str) -> None:
    """Move the capital of the sentence's start to the word that now stands there."""
    if not words or not original[:1].isupper():
        return
    for i, word in enumerate(words):
        token = word.token
        was_first = token is not None and token.i == 0
        if i and was_first and token is not None and token.pos_ != "PROPN" and word.text != "I":
            word.text = word.text[:1].lower() + word.text[1:]
    words[0].text = words[0].text[:1].upper() + words[0].text[1:]

"""Drafts of sentences to damage: lower-case words with their tags, original positions and damage.

Damage is drawn anew in every pass while the network learns, so drafts are plain lists and need no parser: tags and
arcs come from a file that is written once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps

from naturalness.text.normalisation import QUOTES

MIN_WORDS, MAX_WORDS = 4, 36
PLAIN = str.maketrans(QUOTES)
"""Quotes as the package's own texts have them."""


@dataclass(slots=True)
class Word:
    """A word in lower case."""

    text: str
    tag: str
    dep: str
    head: int
    """Place of the head in the sentence as it was written."""
    position: int
    """Position there; -1 for an inserted word."""
    kind: str = "sound"


Sentence = tuple[Word, ...]


@dataclass(slots=True)
class Draft:
    """The current words of a sentence, and the kinds of damage done to them."""

    words: list[Word]
    kinds: list[str] = field(default_factory=list)
    """Of the damages so far."""

    @classmethod
    def of(cls, sentence: Sentence) -> Draft:
        """Return a draft without damage."""
        return cls([replace(word) for word in sentence])

    def copy(self) -> Draft:
        """Return an independent copy."""
        return Draft([replace(word) for word in self.words], list(self.kinds))

    def sound(self, like: Callable[[Word], bool] = lambda word: True) -> list[int]:
        """Return the positions of untouched words, without punctuation, that satisfy a condition."""
        return [
            i for i, word in enumerate(self.words) if word.kind == "sound" and word.text[:1].isalnum() and like(word)
        ]

    def change(self, at: int, text: str, kind: str) -> bool:
        """Replace a word."""
        if not text or self.words[at].text == text:
            return False
        self.words[at].text, self.words[at].kind = text, kind
        self.kinds.append(kind)
        return True

    def insert(self, at: int, texts: Sequence[str], kind: str, tags: Sequence[str] = ()) -> bool:
        """Insert words before a position."""
        new = [Word(text, tags[k] if tags else "", "", -1, -1, kind) for k, text in enumerate(texts)]
        self.words[at:at] = new
        self.kinds.append(kind)
        return bool(new)

    def drop(self, at: int, n: int = 1, kind: str = "missing") -> bool:
        """Delete words; the word after the gap, or the last word, is marked."""
        if len(self.words) - n < 2:
            return False
        del self.words[at : at + n]
        self.words[min(at, len(self.words) - 1)].kind = kind
        self.kinds.append(kind)
        return True

    def reorder(self, start: int, order: Sequence[int], kind: str = "order") -> bool:
        """Reorder the words from ``start`` on, and mark those that moved."""
        old = self.words[start : start + len(order)]
        new = [old[k] for k in order]
        if [word.text for word in new] == [word.text for word in old]:
            return False
        moved = [k for k, source in enumerate(order) if k != source]
        # One word that went past many others is what is out of place, not the others.
        far = [k for k in moved if abs(order[k] - k) == len(order) - 1]
        for k in far or moved:
            new[k].kind = kind
        self.words[start : start + len(order)] = new
        self.kinds.append(kind)
        return True


def pick(rng: random.Random, positions: Sequence[int]) -> int | None:
    """Return a random item, or None without any."""
    return rng.choice(positions) if positions else None


def somewhere(like: Callable[[Word], bool] = lambda word: True) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Turn a function that damages a draft at a position into one that damages it at a random untouched word."""

    def at_random(change: Callable[..., bool]) -> Callable[..., bool]:
        @wraps(change)
        def damage(draft: Draft, rng: random.Random, *sources: object) -> bool:
            at = pick(rng, draft.sound(like))
            return at is not None and change(draft, at, rng, *sources)

        return damage

    return at_random

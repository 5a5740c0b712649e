"""Where spaces stand between words, learned from text; so that texts are written as people do.

Two tokens that were neighbours in the text stand as they mostly stood there; others with a space
between, unless one of them mostly stood close to words (a comma to the word before, an opening
bracket to the word behind). Of double quotes every second one closes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from naturalness.generating.damage import CLITICS, NO_SPACE_AFTER, NO_SPACE_BEFORE, Damaged

QUOTE = '"'
Spaced = Sequence[tuple[str, bool]]
"""Tokens, and whether a space follows each."""


class Spacing:
    """Counts of close and spaced neighbours."""

    def __init__(self, sentences: Iterable[Spaced]) -> None:
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.after: Counter[str] = Counter()
        self.before: Counter[str] = Counter()
        # Positive where most have a space between, negative where most have none.
        for sentence in sentences:
            for (text, space), (following, _) in pairwise(sentence):
                vote = 1 if space else -1
                self.pairs[text, following] += vote
                if following[0].isalnum():
                    self.after[text] += vote
                if text[-1].isalnum():
                    self.before[following] += vote

    def text(self, words: Sequence[str]) -> str:
        """The words as a text, with a capital at its start."""
        parts: list[str] = []
        quotes = 0
        for word, following in pairwise([*words, ""]):
            quotes += word == QUOTE
            parts.append(word)
            if following and self._spaced(word, following, quotes):
                parts.append(" ")
        text = "".join(parts)
        return text[:1].upper() + text[1:]

    def _spaced(self, word: str, following: str, quotes: int) -> bool:
        if word == QUOTE or following == QUOTE:
            close = _close_before(following) if word == QUOTE else word in NO_SPACE_AFTER
            return quotes % 2 == 0 and not close
        if (word, following) in self.pairs:
            return self.pairs[word, following] >= 0
        if following == "%":
            return not word[-1].isdigit()
        if _close_before(following) or word in NO_SPACE_AFTER:
            return False
        if word[-1].isalnum() and following[0].isalnum():
            return True  # "wo" is always close to what follows it, but only to "n't"
        return self.after[word] >= 0 and self.before[following] >= 0


def _close_before(word: str) -> bool:
    return word in NO_SPACE_BEFORE or word.lower() in CLITICS


def made(text: str) -> Damaged:
    """A text that was made from no other: nothing was damaged, and an amount is undefined."""
    return Damaged(text, "", (), float("nan"))

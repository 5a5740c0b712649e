"""Draw texts one by one, and space their words as people do.

Each text has random numbers of its own, and is drawn again where it fails. Spaces are learned from
text: two tokens that were neighbours in it stand as they mostly stood there; others have a space
between them, unless one of them mostly stood close to words (a comma to the word before it, an
opening bracket to the word after). Every second double quote closes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from naturalness.adapting.damage import NO_SPACE_AFTER, NO_SPACE_BEFORE, Damaged
from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError
from naturalness.text.view import CLITICS

Draw = Callable[[random.Random], Damaged | None]
Count = Callable[[str], int]

MAX_TRIES = 1000
QUOTE = '"'
Spaced = Sequence[tuple[str, bool]]
"""Tokens, and whether a space follows each."""


def draw_texts(n: int, draw: Draw, *, key: str, length: int, count: Count | None = None) -> Iterator[Damaged]:
    """Draw texts by number: the same key and number give the same text, whatever else is drawn.

    ``count``: how many tokens a text is read as; one that is not read as ``length`` of them is
    drawn again, as is one that could not be finished.
    """
    for number in range(n):
        rng = random.Random(f"{key}:{number}")
        for _ in range(MAX_TRIES):
            text = draw(rng)
            if text is not None and (count is None or count(text.text) == length):
                yield text
                break
        else:
            raise CorpusError(
                f"found no text of {length} tokens in {MAX_TRIES} tries; give more text, or choose another length"
            )


def token_count(nlp: str = "en") -> Count:
    """Return what counts the tokens of a text, by a pipeline's tokeniser."""
    from naturalness.text.parsing import tokenise

    def count(text: str) -> int:
        return sum(not token.is_space for doc in tokenise([text], nlp=nlp) for token in doc)

    return count


def pick(rng: random.Random, weights: FloatArray) -> int:
    """Draw an index by weight."""
    sums = np.cumsum(weights)
    # Rounded up to the full sum it would lie behind the last index that has a weight.
    drawn = min(rng.random() * sums[-1], np.nextafter(sums[-1], 0.0))
    return int(np.searchsorted(sums, drawn, side="right"))


class Spacing:
    """Spaces between words, by counts of close and spaced neighbours."""

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
        """Return the words as a text, with a capital at its start."""
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

"""Draw texts at random, and space their words naturally.

Each text has its own random number generator, and a failed draw is repeated. Spacing is learned from a corpus: a pair
of tokens that is adjacent in the corpus is spaced as in most of its occurrences. Other pairs are separated by a space,
unless one of the two usually adjoins its neighbor (as a comma adjoins the word before it, and an opening bracket the
word after it). Every second double quote is treated as a closing quote.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np

from naturalness.adapting.damage import NO_SPACE_AFTER, NO_SPACE_BEFORE
from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError
from naturalness.text.view import CLITICS

Draw = Callable[[random.Random], str | None]
Count = Callable[[str], int]

MAX_TRIES = 1000
QUOTE = '"'
Spaced = Sequence[tuple[str, bool]]
"""Tokens, and whether a space follows each."""


def draw_texts(n: int, draw: Draw, *, key: str, length: int, count: Count | None) -> Iterator[str]:
    """Yield n random texts; each text is determined by ``key`` and its index.

    ``count`` counts the tokens of a text. A text is drawn again if its length differs from ``length`` or it could not
    be completed.
    """
    for number in range(n):
        rng = random.Random(f"{key}:{number}")
        for _ in range(MAX_TRIES):
            text = draw(rng)
            if text is not None and (count is None or count(text) == length):
                yield text
                break
        else:
            raise CorpusError(
                f"found no text of {length} tokens in {MAX_TRIES} tries; give more text, or choose another length"
            )


def token_count(nlp: str = "en") -> Count:
    """Return a function that counts the tokens of a text, using a pipeline's tokeniser."""
    from naturalness.text.parsing import tokenise

    def count(text: str) -> int:
        return sum(not token.is_space for doc in tokenise([text], nlp=nlp) for token in doc)

    return count


def pick(rng: random.Random, weights: FloatArray) -> int:
    """Return a random index, drawn with probability proportional to its weight."""
    sums = np.cumsum(weights)
    # If rounding raised the draw to the full sum, the index would be out of range.
    drawn = min(rng.random() * sums[-1], np.nextafter(sums[-1], 0.0))
    return int(np.searchsorted(sums, drawn, side="right"))


class Weighted:
    """Words drawn with probabilities proportional to their counts."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.words = list(counts)
        self.sums = list(accumulate(counts.values()))

    def draw(self, rng: random.Random) -> str:
        """Return a random word."""
        return self.words[bisect_right(self.sums, rng.randrange(self.sums[-1]))]


class Spacing:
    """The spacing of words, learned from counts of adjoining and spaced neighbors."""

    def __init__(self, sentences: Iterable[Spaced]) -> None:
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.after: Counter[str] = Counter()
        self.before: Counter[str] = Counter()
        # Counts are positive if most occurrences have a space, negative if most have none.
        for sentence in sentences:
            for (text, space), (following, _) in pairwise(sentence):
                vote = 1 if space else -1
                self.pairs[text, following] += vote
                if following[0].isalnum():
                    self.after[text] += vote
                if text[-1].isalnum():
                    self.before[following] += vote

    def text(self, words: Sequence[str]) -> str:
        """Return the words as a text that begins with a capital."""
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
            return True  # the counts of "wo" are misleading, because only "n't" follows it
        return self.after[word] >= 0 and self.before[following] >= 0


def _close_before(word: str) -> bool:
    return word in NO_SPACE_BEFORE or word.lower() in CLITICS

"""Sequences of a corpus glued together (Mutton et al., 2007): the larger, the more natural.

A text of n tokens is made of pieces of `size` tokens: the first starts with a word drawn by
frequency, each next with a word drawn by how often it follows the last word; the piece itself is
drawn evenly from the corpus among those that start with that word. With size = n a text is a
sentence of the corpus. Every text starts with a capital and ends in a full stop.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from naturalness.errors import CorpusError
from naturalness.pipelines.generate.damage import Change, Damaged, Draft, Word

Token = tuple[str, bool]
"""A token's text, and whether a space follows."""
MAX_TRIES = 10_000


class SequenceGlue:
    """A generator over the tokenised sentences of a corpus."""

    def __init__(self, sentences: Sequence[Sequence[Token]], *, length: int = 24) -> None:
        self.length = length
        self.sentences = [s for s in sentences if len(s) > 1 and s[-1][0] == "."]
        self.following: dict[str, Counter[str]] = defaultdict(Counter)
        self.starts: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, sentence in enumerate(self.sentences):
            for at, (text, _) in enumerate(sentence[:-1]):
                self.starts[text].append((row, at))
                if at + 2 < len(sentence):
                    self.following[text][sentence[at + 1][0]] += 1
        self.words = list(self.starts)
        self.weights = list(accumulate(len(self.starts[word]) for word in self.words))
        # A text starts with a letter; a clitic or a number cannot take a capital.
        self.openings = [word for word in self.words if word[:1].isalpha() and word != "n't"]
        self.opening_weights = list(accumulate(len(self.starts[w]) for w in self.openings))

    def generate(self, n: int, *, size: int, seed: int = 0) -> Iterator[Damaged]:
        """Texts of ``length`` tokens from pieces of ``size``, which must divide it."""
        if size < 1 or self.length % size:
            raise CorpusError(
                f"size {size} does not divide the length {self.length}; choose one "
                f"of {[k for k in range(1, self.length + 1) if not self.length % k]}"
            )
        if not self.openings:
            raise CorpusError("the corpus has no sentence that ends in a full stop")
        if size < self.length and all(len(s) <= size for s in self.sentences):
            raise CorpusError(f"the corpus has no sentence of more than {size} tokens")
        if size == self.length:
            yield from self._extracted(n, seed)
            return
        for number in range(n):
            rng = random.Random(f"{seed}:{size}:{number}")
            yield self._glued(rng, size)

    def _extracted(self, n: int, seed: int) -> Iterator[Damaged]:
        whole = [s for s in self.sentences if len(s) == self.length]
        if len(whole) < n:
            raise CorpusError(
                f"the corpus has {len(whole)} sentences of {self.length} tokens, {n} were asked "
                "for; ask for fewer, or give a larger corpus"
            )
        for sentence in random.Random(f"{seed}:whole").sample(whole, n):
            yield _finish([list(sentence)])

    def _glued(self, rng: random.Random, size: int) -> Damaged:
        pieces: list[list[Token]] = []
        count = self.length // size
        for number in range(count):
            word = self._opening(rng) if not pieces else self._next(rng, pieces[-1][-1][0])
            if number == count - 1:
                pieces.append(self._last_piece(rng, word, size))
            else:
                # A piece of one token can only be a full stop when it is the last.
                before_stop = size == 1 and number == count - 2
                pieces.append(self._piece(rng, word, size, ends_in_word=before_stop))
        return _finish(pieces)

    def _first(self, rng: random.Random) -> str:
        return self.words[bisect_left(self.weights, rng.randint(1, self.weights[-1]))]

    def _opening(self, rng: random.Random) -> str:
        draw = rng.randint(1, self.opening_weights[-1])
        return self.openings[bisect_left(self.opening_weights, draw)]

    def _next(self, rng: random.Random, word: str) -> str:
        after = self.following.get(word)
        if not after:
            return self._first(rng)
        return rng.choices(list(after), list(after.values()))[0]

    def _is_word(self, row: int, at: int) -> bool:
        return any(map(str.isalnum, self.sentences[row][at][0]))

    def _piece(
        self, rng: random.Random, word: str, size: int, *, ends_in_word: bool = False
    ) -> list[Token]:
        """A sequence that starts with the word, or with another where there is none."""
        for _ in range(MAX_TRIES):
            choices = [
                (row, at) for row, at in self.starts[word]
                if at + size < len(self.sentences[row])
                and (not ends_in_word or self._is_word(row, at + size - 1))
            ]  # fmt: skip
            if choices:
                row, at = rng.choice(choices)
                return list(self.sentences[row][at : at + size])
            word = self._first(rng)
        raise CorpusError(f"no sequence of {size} tokens that ends in a word; give more text")

    def _last_piece(self, rng: random.Random, word: str, size: int) -> list[Token]:
        """A sequence that ends its sentence, or one with a full stop behind its last word."""
        closing = [
            (row, at) for row, at in self.starts[word] if at + size == len(self.sentences[row])
        ]
        if closing:
            row, at = rng.choice(closing)
            return list(self.sentences[row][at : at + size])
        if size == 1:
            return [(".", False)]
        return [*self._piece(rng, word, size - 1, ends_in_word=True), (".", False)]


def _finish(pieces: Sequence[Sequence[Token]]) -> Damaged:
    """The text with the place of each piece; a joint is damaged, so the amount counts joints."""
    words = [[Word(text, space) for text, space in piece] for piece in pieces]
    for piece in words[:-1]:
        piece[-1].space = True
    flat = [word for piece in words for word in piece]
    if len(flat) > 1:
        flat[-2].space = False
    draft = Draft(flat)
    if len(words) > 1:
        draft.changes = [Change("piece", piece, "", "", 0) for piece in words]
    done = draft.finish("A")
    return Damaged(done.text, "", done.damages, (len(words) - 1) / max(1, len(flat) - 1))

"""Glue token sequences of a corpus together (Mutton et al. 2007); longer pieces give more natural texts.

A text of n tokens consists of pieces of `size` tokens. The first word of the first piece is drawn by
its frequency, and the first word of each later piece by how often it follows the previous word. The
piece itself is drawn uniformly from the pieces in the corpus that start with this word. If size = n,
a text is a sentence of the corpus. Every text starts with a capital and ends in a full stop. If no
piece of this size starts with the drawn word, another word is drawn; after `FOLLOWERS_TRIED` tries,
words are drawn only by frequency.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from naturalness.adapting.damage import Draft, Word
from naturalness.errors import CorpusError
from naturalness.text.view import Doc, is_word
from naturalness_replication.generating.drawing import Count, Weighted, draw_texts

Token = tuple[str, bool]
"""A token's text, and whether a space follows."""
QUOTES = frozenset({'"', "'"})
CLOSE = QUOTES | {"-", "–", "—", "/"}
"""Punctuation marks that keep the spacing that they have in the corpus."""
Starts = dict[str, list[tuple[int, int]]]
"""The sentence index and position of each piece, keyed by the word that the piece starts with."""
MAX_TRIES = 10_000
FOLLOWERS_TRIED = 20
"""The number of tries in which a word is drawn given the previous word, before words are drawn by frequency."""
STARTS_TRIED = 20
"""The number of random pieces starting with a word that are tried before all such pieces are searched."""


def spaced_tokens(docs: Iterable[Doc]) -> Iterator[list[Token]]:
    """Yield the tokens of each Doc for `SequenceGlue`; no parse is needed."""
    return ([(token.text, bool(token.whitespace_)) for token in doc] for doc in docs)


class SequenceGlue:
    """A generator of texts from the tokenised sentences of a corpus."""

    def __init__(self, sentences: Iterable[Sequence[Token]], *, length: int = 24, count: Count | None = None) -> None:
        self.length = length
        self.count = count
        self.sentences = [s for s in sentences if len(s) > 1 and s[-1][0] == "."]
        following: dict[str, Counter[str]] = defaultdict(Counter)
        self.starts: Starts = defaultdict(list)
        for row, sentence in enumerate(self.sentences):
            for at, (text, _) in enumerate(sentence[:-1]):
                self.starts[text].append((row, at))
                if at + 2 < len(sentence):
                    following[text][sentence[at + 1][0]] += 1
        self.following = {word: Weighted(after) for word, after in following.items()}
        counts = {word: len(starts) for word, starts in self.starts.items()}
        self.words = Weighted(counts)
        # A text starts with a letter; a clitic or a number cannot be capitalised.
        self.openings = Weighted({w: n for w, n in counts.items() if w[:1].isalpha() and w != "n't"})

    def generate(self, n: int, *, size: int, seed: int = 0) -> Iterator[str]:
        """Yield n random texts of ``length`` tokens from pieces of ``size`` tokens; ``size`` must divide ``length``."""
        if size < 1 or self.length % size:
            raise CorpusError(
                f"size {size} does not divide the length {self.length}; choose one "
                f"of {[k for k in range(1, self.length + 1) if not self.length % k]}"
            )
        if size == self.length:
            yield from self._extracted(n, seed)
            return
        if not self.openings.words:
            raise CorpusError("the corpus has no sentence that ends in a full stop")
        if all(len(s) <= size for s in self.sentences):
            raise CorpusError(f"the corpus has no sentence of more than {size} tokens")
        closing = self._closing(size)
        yield from draw_texts(
            n, lambda rng: self._glued(rng, size, closing), key=f"{seed}:{size}", length=self.length, count=self.count
        )

    def _closing(self, size: int) -> Starts:
        """Return the pieces that end a sentence, keyed by their first word."""
        closing: Starts = defaultdict(list)
        for row, sentence in enumerate(self.sentences):
            if len(sentence) >= size:
                closing[sentence[-size][0]].append((row, len(sentence) - size))
        return closing

    def _extracted(self, n: int, seed: int) -> Iterator[str]:
        whole = [s for s in self.sentences if len(s) == self.length and s[0][0][0].isalpha()]
        if len(whole) < n:
            raise CorpusError(
                f"the corpus has {len(whole)} sentences of {self.length} tokens, {n} were asked "
                f"for; ask for fewer texts, leave out size {self.length}, or give a larger corpus"
            )
        for sentence in random.Random(f"{seed}:whole").sample(whole, n):
            text = "".join(word + " " * space for word, space in sentence).rstrip()
            yield text[0].upper() + text[1:]

    def _glued(self, rng: random.Random, size: int, closing: Starts) -> str:
        pieces: list[list[Token]] = []
        count = self.length // size
        for number in range(count):
            before = pieces[-1][-1][0] if pieces else None
            if number == count - 1:
                pieces.append(self._last_piece(rng, before, size, closing))
            else:
                # A piece of one token can be a full stop only at the end.
                before_stop = size == 1 and number == count - 2
                pieces.append(self._piece(rng, before, size, ends_in_word=before_stop))
        return _finish(pieces)

    def _next(self, rng: random.Random, before: str | None) -> str:
        """Return a random first word for a piece."""
        return (self.openings if before is None else self.following.get(before, self.words)).draw(rng)

    def _piece(self, rng: random.Random, before: str | None, size: int, *, ends_in_word: bool) -> list[Token]:
        """Return a random piece that does not end its sentence."""

        def fits(start: tuple[int, int]) -> bool:
            row, at = start
            if at + size >= len(self.sentences[row]):
                return False
            return not ends_in_word or is_word(self.sentences[row][at + size - 1][0])

        for number in range(MAX_TRIES):
            follows = before is None or number < FOLLOWERS_TRIED
            word = self._next(rng, before) if follows else self.words.draw(rng)
            if size == 1 and ends_in_word and not is_word(word):
                continue  # no piece fits, and the search would be slow for a comma, with which many pieces start
            starts = self.starts[word]
            # Rejection sampling is uniform over the fitting starts, and faster than listing them.
            tried = (rng.choice(starts) for _ in range(STARTS_TRIED if starts else 0))
            start = next(filter(fits, tried), None)
            if start is None and (choices := list(filter(fits, starts))):
                start = rng.choice(choices)
            if start is not None:
                row, at = start
                return list(self.sentences[row][at : at + size])
        raise CorpusError(f"no sequence of {size} tokens that ends in a word; give more text")

    def _last_piece(self, rng: random.Random, before: str | None, size: int, closing: Starts) -> list[Token]:
        """Return a random piece that ends its sentence, or one to which a full stop is appended."""
        if size == 1:
            return [(".", False)]
        if choices := closing.get(self._next(rng, before)):
            row, at = rng.choice(choices)
            return list(self.sentences[row][at : at + size])
        return [*self._piece(rng, before, size - 1, ends_in_word=True), (".", False)]


def _finish(pieces: Sequence[Sequence[Token]]) -> str:
    """Return the pieces as a text that begins with a capital."""
    words = [[Word(text, space) for text, space in piece] for piece in pieces]
    for piece, following in pairwise(words):
        piece[-1].space = _spaced(piece[-1], following[0])
    flat = [word for piece in words for word in piece]
    if len(flat) > 1:
        flat[-2].space = False
    return Draft(flat).finish("A").text


def _spaced(last: Word, first: Word) -> bool:
    """Return whether there is a space at a joint; marks keep the spacing that they have in the corpus.

    A quotation mark followed by a space is a closing one, and a hyphen not followed by a space joins two words.
    """
    if last.text in CLOSE:
        return last.space
    if first.text in QUOTES:
        return not first.space
    return first.space or first.text not in CLOSE

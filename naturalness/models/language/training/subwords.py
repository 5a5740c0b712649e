"""Segment words into pieces, shipped ones or pieces learned from the text."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from pathlib import Path

from naturalness.errors import TrainingError
from naturalness.files.resources import locate
from naturalness.models.language.store import PIECES
from naturalness.models.language.training.corpus import Corpus
from naturalness.models.language.units import REMEMBERED, encoder_of
from naturalness.models.language.vocabulary import OTHER

SAMPLE = 300_000
"""Maximum number of sentences that pieces are learned from."""
COVERAGE = 0.9998
"""Share of the text's characters that pieces cover."""
THREADS = 2
"""Fixed number of threads, since rounding depends on it."""


@dataclass(frozen=True, slots=True)
class Encoder:
    """Mapping of words to units by a SentencePiece model; words stay as they are without one."""

    model: bytes | None

    def counts(self, words: Mapping[str, int]) -> Counter[str]:
        """Return piece counts from word counts."""
        cut = self._cut()
        totals: Counter[str] = Counter()
        for word, n in words.items():
            for piece in cut(word):
                totals[piece] += n
        return totals

    def spell(self, known: Container[str]) -> Callable[[str], str]:
        """Return a function that spells a word as units separated by spaces, with rare units replaced."""
        cut = self._cut()

        @lru_cache(maxsize=16 * REMEMBERED)
        def spelled(word: str) -> str:
            return " ".join([unit if unit in known else OTHER for unit in cut(word)])

        return spelled

    def _cut(self) -> Callable[[str], list[str]]:
        if self.model is None:
            return lambda word: [word]
        encode = encoder_of(self.model)
        return lambda word: encode(word) or [OTHER]


def shipped_pieces() -> Encoder:
    """Return the pieces of the shipped model."""
    return Encoder((Path(locate("pieces")) / PIECES).read_bytes())


def learn_pieces(corpus: Corpus, n_pieces: int) -> Encoder:
    """Learn pieces from a corpus of words, or from a sample of a large one."""
    import sentencepiece

    written = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=_sample(corpus),
            model_writer=written,
            vocab_size=n_pieces,
            model_type="unigram",
            normalization_rule_name="identity",
            num_threads=THREADS,
            character_coverage=COVERAGE,
            minloglevel=2,
        )
    except (RuntimeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise TrainingError(
            f"{n_pieces} word pieces cannot be learned from {corpus.sentences} sentences "
            f"({reason:.300}); ask for another number, or give more text"
        ) from None
    return Encoder(written.getvalue())


def _sample(corpus: Corpus) -> Iterator[str]:
    """Sample sentences with a fixed seed, in corpus order."""
    lines = (" ".join(words) for words in corpus.lines())
    if corpus.sentences <= SAMPLE:
        return lines
    drawn = bytearray(corpus.sentences)
    for i in random.Random(0).sample(range(corpus.sentences), SAMPLE):
        drawn[i] = 1
    return compress(lines, drawn)

"""The model of word pieces: 16,000 pieces, cut inside each token."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.store import PIECES
from naturalness.models.language.tables import shrink
from naturalness.models.language.units import open_pieces
from naturalness.models.language.vocabulary import OTHER
from training.language.corpora import token_lines
from training.language.folder import (
    by_register,
    count,
    fresh,
    make_vocabulary,
    register,
    replaced,
    write_model,
    write_tables,
)
from training.language.words import MIN_COUNT as MIN_WORD_COUNT
from training.language.words import capitals_of, text
from training.manifest import ASSETS

VOCABULARY = 16_000
SAMPLE = 500_000
"""Sentences that the pieces are learned from."""
MIN_COUNT = 20
ORDER = 5
PRUNE = (0, 0, 1, 1, 1)
SIZE = 1_500_000
BITS, BACKOFF_BITS, POINTER_BITS = 10, 4, 8


def learn_pieces(tokens: Path, work: Path) -> Path:
    """Train the SentencePiece model, unless it exists."""
    path = work / PIECES
    if path.exists():
        return path
    import sentencepiece

    lines = [" ".join(words) for words in text(tokens)]
    sample = random.Random(0).sample(lines, min(SAMPLE, len(lines)))
    del lines
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(sample),
        model_prefix=str(work / "pieces"),
        vocab_size=VOCABULARY,
        model_type="unigram",
        character_coverage=0.9998,
        num_threads=2,
        normalization_rule_name="identity",
        minloglevel=1,
    )
    return path


def build(tokens: Path, work: Path) -> None:
    """Write the asset."""
    trained = learn_pieces(tokens, work)
    encode = lru_cache(maxsize=None)(open_pieces(trained))

    def cut(words: list[str]) -> list[str]:
        return [piece for word in words for piece in encode(word) or [OTHER]]

    def lines() -> Iterator[list[str]]:
        return map(cut, text(tokens))

    counts = count(lines())
    known = make_vocabulary(counts, MIN_COUNT)
    full = estimate(replaced(lines(), known), order=ORDER, prune=PRUNE)
    folder = fresh(ASSETS / "pieces")
    file = write_model(shrink(full, SIZE), folder, work, BITS, BACKOFF_BITS, POINTER_BITS)
    (folder / PIECES).write_bytes(trained.read_bytes())
    words = make_vocabulary(count(text(tokens)), MIN_WORD_COUNT)
    write_tables(
        folder,
        "pieces",
        {ORDER: file},
        known,
        training={"tokens": counts.total(), "least": MIN_COUNT, "prune": PRUNE, "n_grams": SIZE},
        capitals=capitals_of(tokens, words),
    )
    held_out = by_register(folder / file, known, lambda r: (cut(x.split(" ")) for x in token_lines(tokens, r, ".dev")))
    register("pieces", {"perplexity": held_out})

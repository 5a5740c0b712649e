"""The model of word pieces: 16,000 pieces, cut inside each token."""

from __future__ import annotations

import random
import shutil
from functools import lru_cache
from pathlib import Path

from naturalness.models.language.store import CAPITALS, PIECES
from naturalness.models.language.units import OTHER, open_pieces
from training.language.corpora import token_lines
from training.language.folder import Known, build, record_registers
from training.language.words import ORDER, PRUNE, text
from training.manifest import ASSETS

VOCABULARY = 16_000
SAMPLE = 500_000
"""Sentences that the pieces are learned from."""
SIZE = 1_500_000
BITS = (10, 4, 8)


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


def build_pieces(tokens: Path, work: Path) -> None:
    """Write the asset, after that of words."""
    trained = learn_pieces(tokens, work)
    encode = lru_cache(maxsize=None)(open_pieces(trained))

    def cut(words: list[str]) -> list[str]:
        return [piece for word in words for piece in encode(word) or [OTHER]]

    def finish(folder: Path, known: Known) -> None:
        shutil.copyfile(trained, folder / PIECES)
        shutil.copyfile(ASSETS / "words" / CAPITALS, folder / CAPITALS)

    files, known = build(
        "pieces", lambda: map(cut, text(tokens)), work, sizes={ORDER: SIZE}, bits=BITS, prune=PRUNE, finish=finish
    )
    record_registers(
        "pieces", files[ORDER], known, lambda r: (cut(x.split(" ")) for x in token_lines(tokens, r, ".dev"))
    )

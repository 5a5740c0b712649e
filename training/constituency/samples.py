"""A sample of corpus sentences, by register, for the teacher to parse."""

from __future__ import annotations

import math
import random
from pathlib import Path

from training.english.silver import SHARES
from training.language.corpora import token_lines

SENTENCES = 60_000
MAX_WORDS = 45


def sample(tokens: Path, n: int, seed: int = 0) -> list[list[str]]:
    """Tokenised sentences by register, in the shares of the tagger's own silver text."""
    rng = random.Random(seed)
    sentences: list[list[str]] = []
    for register, share in SHARES.items():
        lines = [line for line in token_lines(tokens, register) if 2 <= line.count(" ") < MAX_WORDS]
        sentences += [line.split(" ") for line in rng.sample(lines, min(len(lines), math.ceil(n * share)))]
    rng.shuffle(sentences)
    return sentences

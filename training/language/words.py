"""The model of words: five-grams over sixty thousand words, case as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from naturalness.models.language.store import CAPITALS
from naturalness.models.language.units import capitalised, write_capitals
from training.language.corpora import REGISTERS, token_lines
from training.language.folder import Known, build, record_registers

ORDER = 5
PRUNE = (0, 0, 1, 1, 1)
SIZE = 3_900_000
BITS = (10, 4, 13)
"""Eight bits would be too coarse for the few n-grams that end sentences, with probabilities near 1. Bits taken from the
trie's pointers, which are then looked up elsewhere, are as few as keep the asset under 20 MB: the smallest file
possible is 0.15 MB smaller and a sixth slower."""


def text(tokens: Path) -> Iterator[list[str]]:
    """Yield the words of all registers."""
    for name in REGISTERS:
        for line in token_lines(tokens, name):
            yield line.split(" ")


def build_words(tokens: Path, work: Path) -> None:
    """Write the asset."""

    def capitals(folder: Path, known: Known) -> None:
        inside = Counter(word for words in text(tokens) for word in words[1:])
        write_capitals(folder / CAPITALS, capitalised(inside, known))

    files, known = build(
        "words", lambda: text(tokens), work, sizes={ORDER: SIZE}, bits=BITS, prune=PRUNE, finish=capitals
    )
    record_registers("words", files[ORDER], known, lambda r: (x.split(" ") for x in token_lines(tokens, r, ".dev")))

"""The model of words: five-grams over sixty thousand words, case as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.tables import shrink
from naturalness.models.language.vocabulary import capitalised
from training.language.corpora import REGISTERS, token_lines
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
from training.manifest import ASSETS

MIN_COUNT = 20
"""Times a word must occur to be in the vocabulary."""
ORDER = 5
PRUNE = (0, 0, 1, 1, 1)
SIZE = 3_900_000
BITS, BACKOFF_BITS = 10, 4
"""Eight bits would be too rough for the few n-grams at which sentences end, near probability 1."""
POINTER_BITS = 13
"""Bits taken from the trie's pointers, as few as keep the asset under 20 MB: they must be looked up
elsewhere. As small as it can be, the file is 0.15 MB smaller and a sixth slower."""


def text(tokens: Path) -> Iterator[list[str]]:
    """Yield the words of all registers."""
    for name in REGISTERS:
        for line in token_lines(tokens, name):
            yield line.split(" ")


def capitals_of(tokens: Path, known: Mapping[str, int]) -> list[str]:
    """Return known words that are capitalised inside a sentence."""
    inside: Counter[str] = Counter()
    for words in text(tokens):
        inside.update(words[1:])
    return capitalised(inside, known)


def build(tokens: Path, work: Path) -> None:
    """Write the asset."""
    counts = count(text(tokens))
    known = make_vocabulary(counts, MIN_COUNT)
    capitals = capitals_of(tokens, known)
    full = estimate(replaced(text(tokens), known), order=ORDER, prune=PRUNE)
    about = {"tokens": counts.total(), "least": MIN_COUNT, "prune": PRUNE}
    folder = fresh(ASSETS / "words")
    file = write_model(shrink(full, SIZE), folder, work, BITS, BACKOFF_BITS, POINTER_BITS)
    about["n_grams"] = SIZE
    write_tables(folder, "words", {ORDER: file}, known, training=about, capitals=capitals)
    held_out = by_register(folder / file, known, lambda r: (x.split(" ") for x in token_lines(tokens, r, ".dev")))
    register("words", {"perplexity": held_out})

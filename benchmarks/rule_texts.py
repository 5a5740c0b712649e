"""The texts on which rules are measured: some were read while the rules were written, and some were not.

The first two draws are sentences of the corpora's main files and texts that people or programs got wrong. The first was
read when the rules were complete, and errors that it showed were fixed; the second was read after that, and only rules
added since were changed by it. The shipped word list counts the main files too and the tagger learned from them, so
these texts were unseen by the rules' authors, but not by everything that the rules use.
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from training.default_model.sets import SETS, read_set

READ = ("GUG", "Lau BNC", "Adger", "Adger, filtered")
UNACCEPTABLE = "CoLA"
OTHERS = (
    "style transfer",
    "SFHOTEL",
    "SFREST",
    "E2E",
    "RankME",
    "INLG 2016",
    "Topical-Chat",
    "Persona-Chat",
    "SummEval",
    "Newsroom",
    "DialSummEval",
)
EACH = 250
"""Evenly spaced texts of each other set, most of them generated."""
HELD_OUT, MAIN_PART = 3000, 4500
"""Numbers of sentences from the held-out and the main part of the corpora."""


def rated_texts(ratings: Path) -> list[str]:
    """Return the distinct sentences of GUG and of Lau et al."""
    texts = [text for name in READ for text in read_set(ratings / SETS[name].file).texts]
    return list(dict.fromkeys(texts))


def unnatural_texts(ratings: Path, each: int = EACH, draw: int = 0) -> list[tuple[str, str]]:
    """Return sets and texts: all sentences that CoLA labels unacceptable, then a sample of every other set."""
    chosen = []
    if draw == 0:
        cola = read_set(ratings / SETS[UNACCEPTABLE].file)
        wrong = (text for text, rating in zip(cola.texts, cola.ratings, strict=True) if rating == 0)
        chosen = [(UNACCEPTABLE, text) for text in dict.fromkeys(wrong)]
    for name in OTHERS:
        texts = list(dict.fromkeys(read_set(ratings / SETS[name].file).texts))
        step = max(1, len(texts) // each)
        if draw < step:  # a small set has been read to its end
            chosen += [(name, text) for text in texts[draw::step][:each]]
    return chosen


def edited_texts(corpora: Path, n: int = HELD_OUT, seed: int = 0) -> list[tuple[str, str]]:
    """Return registers and sentences, equally many from the held-out part of each corpus."""
    paths = sorted(corpora.glob("*.dev.txt.xz"))
    chosen = []
    for path, size in zip(paths, _shares(n, len(paths)), strict=True):
        lines = list(corpus_lines(path))
        random.Random(f"{seed}{path.name}").shuffle(lines)
        chosen += [(path.name.split(".")[0], line) for line in lines[:size]]
    return chosen


def main_part(corpora: Path, n: int = MAIN_PART, seed: int = 0) -> list[tuple[str, str]]:
    """Return registers and sentences, equally many evenly spaced ones from the main part of each corpus."""
    paths = [p for p in sorted(corpora.glob("*.txt.xz")) if not p.name.endswith(".dev.txt.xz")]
    chosen = []
    for path, size in zip(paths, _shares(n, len(paths)), strict=True):
        step = sum(1 for _ in corpus_lines(path)) // size
        first = random.Random(f"{seed}{path.name}").randrange(step)
        lines = islice(corpus_lines(path), first, first + step * size, step)
        chosen += [(path.name.split(".")[0], line) for line in lines]
    return chosen


def _shares(n: int, parts: int) -> list[int]:
    """Divide ``n`` among parts as evenly as possible."""
    return [n // parts + (i < n % parts) for i in range(parts)]


def corpus_lines(path: Path) -> Iterator[str]:
    """Yield the sentences of a corpus, whose main file is too large for memory."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line := line.strip():
                yield line

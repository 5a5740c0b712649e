"""Corpus sentences, and versions of them with one to three damages."""

from __future__ import annotations

import random
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.adapting.kinds import damage_docs
from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import ranks
from naturalness.text.parsing import parse
from training.language.corpora import REGISTERS, sentences

PER_REGISTER = 730
MIN_WORDS = 4
BATCH = 256


@dataclass(frozen=True, slots=True)
class Damaged:
    """Texts, their numbers of damages, and the indices of their originals."""

    texts: tuple[str, ...]
    damages: NDArray[np.int64]
    originals: NDArray[np.int64]

    @property
    def shares(self) -> FloatArray:
        """Return the share of texts with more damages than each."""
        shares: FloatArray = (ranks(-self.damages.astype(np.float64)) - 0.5) / len(self.texts)
        return shares


def sample(corpora: Path, seed: int) -> list[str]:
    """Return equally many sentences of each register, shuffled."""
    rng = random.Random(seed)
    chosen: list[str] = []
    for register in sorted(REGISTERS):
        chosen += reservoir(sentences(corpora, register), PER_REGISTER, rng)
    rng.shuffle(chosen)
    return chosen


def reservoir(lines: Iterable[str], size: int, rng: random.Random, without: Set[str] = frozenset()) -> list[str]:
    """Return a uniform sample of the lines of four words or more."""
    chosen: list[str] = []
    seen = 0
    for text in lines:
        if len(text.split()) < MIN_WORDS or text in without:
            continue
        seen += 1
        if len(chosen) < size:
            chosen.append(text)
        elif (slot := rng.randrange(seen)) < size:
            chosen[slot] = text
    return chosen


def build(corpora: Path, seed: int = 0) -> Damaged:
    """Return each sentence followed by one damaged version of it."""
    originals = sample(corpora, seed)
    texts: list[str] = []
    damages: list[int] = []
    belongs: list[int] = []
    for start in range(0, len(originals), BATCH):
        docs = parse(originals[start : start + BATCH])
        for number, damaged in enumerate(damage_docs(docs, n_damages=(1, 3), seed=seed), start=start):
            texts.append(originals[number])
            damages.append(0)
            belongs.append(number)
            if damaged.damages:
                texts.append(damaged.text)
                damages.append(len(damaged.damages))
                belongs.append(number)
    return Damaged(tuple(texts), np.array(damages), np.array(belongs))

"""Corpus text in word pieces for a student: sentences and passages, about half of them with noise."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path

from training.language.corpora import documents
from training.tables import read_table

SETTINGS = read_table(__file__, "corpus.toml")
REGISTERS, PASSAGES, NOISE = SETTINGS["registers"], SETTINGS["passages"], SETTINGS["noise"]


def read_lines(corpora: Path) -> list[list[str]]:
    """Return the sentences of each register, with an empty line after each document."""
    return [[line for lines in documents(corpora, name) for line in (*lines, "")] for name in REGISTERS]


def text(lines: Sequence[Sequence[str]], rng: random.Random) -> str:
    """Return a sentence, or a few of one document."""
    (register,) = rng.choices(lines, [*REGISTERS.values()])
    at = rng.randrange(len(register))
    n = rng.randint(*PASSAGES["sentences"]) if rng.random() < PASSAGES["share"] else 1
    return " ".join(takewhile(bool, register[at : at + n]))


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise with the pieces of texts."""

    ids: list[int]
    places: dict[int, list[int]]
    """Of each piece in ``ids``."""

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]]) -> Noise:
        """Return the noise of texts in pieces."""
        ids, places = [piece for text in texts for piece in text], defaultdict[int, list[int]](list)
        for at, piece in enumerate(ids):
            places[piece].append(at)
        return cls(ids, places)

    def after(self, piece: int, n: int, rng: random.Random) -> list[int]:
        """Return pieces that follow this piece anywhere in the texts."""
        at = rng.choice(self.places[piece]) + 1
        return self.ids[at : at + n]

    def added(self, text: Sequence[int], rng: random.Random) -> list[int]:
        """Return a text with noise: pieces may be omitted, repeated, moved and replaced."""
        ids, long = [*text], len(text) > NOISE["short"]
        more = rng.choice(NOISE["more"]) if long else 0
        for at in sorted(rng.sample(range(len(ids)), abs(more)), reverse=True):
            ids[at : at + 1] = ids[at : at + 1] * (2 if more > 0 else 0)
        if rng.random() > NOISE["share"]:
            return ids
        for share in NOISE["rotated"]:
            if rng.random() < share:
                rotate(ids, rng)
        if long and rng.random() < NOISE["continued"]:
            at = rng.randrange(1, len(ids) - 1)
            ids[at + 1 :] = self.after(ids[at], len(ids) - at - 1, rng)
        share = rng.choice(NOISE["replaced"])
        return ids[:1] + [self.other(before, rng) if rng.random() < share else piece for before, piece in pairwise(ids)]

    def other(self, before: int, rng: random.Random) -> int:
        """Return a piece to replace another: most often one that follows the piece ``before`` it elsewhere."""
        follows = self.after(before, 1, rng) if rng.random() < NOISE["following"] else []
        return follows[0] if follows else rng.choice(self.ids)


def rotate(ids: list[int], rng: random.Random) -> None:
    """Rotate a span, so that it begins with its end, as if words had moved."""
    n = min(rng.choice(NOISE["stretches"]), len(ids))
    low, by = rng.randint(0, len(ids) - n), rng.randint(1, n - 1)
    ids[low : low + n] = ids[low + by : low + n] + ids[low : low + by]

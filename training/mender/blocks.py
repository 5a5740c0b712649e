"""Blocks of damaged drafts, read by the shipped detector in separate processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.explaining.tags import KEEP
from naturalness.models.detector import Network, Words, detector
from training.detector.drafts import Sentence, Word
from training.detector.mixture import Source
from training.mender.answers import Answer, answers
from training.mender.damage import draft_of

DRAFTS = 2_048
"""Drafts of a block."""
IGNORED = -100
"""Label of pieces that no loss counts: all but the first of each word, and words without a known answer."""
HELD_OUT = 4_000
"""Sentences that no draft of the training is made of: the first of the file."""
LONG, LONG_ONES = 26, 5
"""Number of words from which a sentence is long; one in five of the long ones is used, since they cost most time."""
Read = tuple[NDArray[np.float16], NDArray[np.int64]]
"""Vectors (texts, pieces, width) of texts of one length, and their labels (texts, pieces)."""


def read_sentences(path: Path) -> list[Sentence]:
    """Read the sentences that `training.detector.trees` has parsed."""
    with path.open(encoding="utf-8") as file:
        return [tuple(Word(t, x, d, h, i) for i, (t, x, d, h) in enumerate(json.loads(line))) for line in file]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Drafts of sentences, with the numbers of their answers."""

    sentences: Sequence[Sentence]
    source: Source
    network: Network
    tags: Mapping[str, int]

    @classmethod
    def of(cls, trees: Path, tags: Sequence[str], *, held_out: bool = False) -> Drawing:
        """Read the sentences and open the detector."""
        every = read_sentences(trees)
        others = [s for i, s in enumerate(every[HELD_OUT:]) if len(s) < LONG or i % LONG_ONES == 0]
        part = every[:HELD_OUT] if held_out else others
        return cls(part, Source.of(every), detector().network, {tag: i for i, tag in enumerate(tags)})

    def drafts(self, seed: int, n: int = DRAFTS) -> Iterator[tuple[list[str], list[Answer]]]:
        """Yield the words and answers of drafts."""
        rng = random.Random(seed)
        for sentence in rng.choices(self.sentences, k=n):
            draft = draft_of(sentence, rng, self.source)
            yield [word.text for word in draft.words], answers(draft, sentence)

    def block(self, seed: int) -> list[Read]:
        """Return the vectors and labels of a block, by length."""
        return self.read((tuple(map(self.network.cut, words)), given) for words, given in self.drafts(seed))

    def read(self, drafts: Iterable[tuple[Words, Sequence[Answer]]]) -> list[Read]:
        """Return the vectors and labels of drafts, by length; those that the detector cannot read are left out."""
        read = [(cut, given) for cut, given in drafts if all(cut) and _pieces(cut) <= self.network.max_pieces - 2]
        texts, labels = [cut for cut, _ in read], [given for _, given in read]
        by_length = defaultdict[int, list[tuple[NDArray[np.float16], NDArray[np.int64]]]](list)
        for i, (inner, states) in self.network.every_piece(("inner", "states"), texts):
            numbers = np.full(len(states), IGNORED)
            numbers[np.cumsum([1, *map(len, texts[i])])] = [self.number(answer) for answer in labels[i]]
            by_length[len(states)].append((np.hstack([inner, states]).astype(np.float16), numbers))
        return [(np.stack([v for v, _ in rows]), np.stack([x for _, x in rows])) for rows in by_length.values()]

    def number(self, answer: Answer) -> int:
        """Return the number of the most general known tag."""
        return next((self.tags[tag] for tag in answer if tag in self.tags), IGNORED)


def _pieces(cut: Words) -> int:
    return sum(map(len, cut))


_drawing: Drawing


def _open(trees: Path, tags: Sequence[str]) -> None:
    global _drawing
    os.environ["OMP_NUM_THREADS"] = "1"
    _drawing = Drawing.of(trees, tags)


def _block(seed: int) -> list[Read]:
    return _drawing.block(seed)


def blocks(trees: Path, tags: Sequence[str], first: int, last: int, workers: int) -> Iterator[list[Read]]:
    """Yield the blocks with these seeds in order; a few are computed in advance."""
    with multiprocessing.get_context("spawn").Pool(workers, _open, (trees, tags)) as pool:
        ahead = deque(pool.apply_async(_block, (seed,)) for seed in range(first, min(last, first + workers + 1)))
        for seed in range(first, last):
            if seed + workers + 1 < last:
                ahead.append(pool.apply_async(_block, (seed + workers + 1,)))
            yield ahead.popleft().get()


def vocabulary(drawing: Drawing, n: int, least: int) -> list[str]:
    """Return the tags, frequent ones first, that are the answer in at least ``least`` places of ``n`` drafts.

    A suffix must itself be frequent; a word without a frequent suffix counts for its replacement.
    """
    drawn = [answer for _, given in drawing.drafts(-1, n) for answer in given if answer[0] != KEEP]
    counts = defaultdict[str, int](int)
    for answer in drawn:
        for tag in answer:
            counts[tag] += 1
    chosen = defaultdict[str, int](int)
    for answer in drawn:
        tag = next((tag for tag in answer if counts[tag] >= least), "")
        chosen[tag] += bool(tag)
    return [KEEP, *sorted((tag for tag, count in chosen.items() if count >= least), key=lambda t: (-chosen[t], t))]

"""Pairs of sentences under damage, drawn and encoded by processes beside the one that teaches.

Each pair is encoded twice, in the pieces of the wide detectors and in those of the narrow one. Some words of the
worse sentence are *slots*: there the teacher's language model puts a possible word (`guesses`).
"""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from queue import Empty

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalness.models.pieces import PADDING, Pieces
from training.detector.batches import BOTH_DAMAGED, IGNORED, Batch, encoded
from training.detector.drafts import Draft
from training.detector.kinds.machine import poisson
from training.detector.kinds.small_words import PREPOSITIONS
from training.detector.kinds.wording import OPEN
from training.detector.mixture import Source, damage, dilution, soundness

PIECES = 24_000
"""In a batch, padding included: about 400 pairs."""
POOL = 8_192
"""Pairs that are drawn and sorted by length at a time."""
MULTIPLE = 8
"""Lengths are padded to multiples of it."""
SLOTTED = 0.35
"""Share of worse sentences with slots."""
SLOTS = (1, 1, 1, 1, 2, 2, 3)
"""Numbers of slots, each as often as it stands here; of every fifth sentence, up to a fourth of its words."""
MAX_PIECES = 70
"""Of a sentence; longer ones, of foreign names and addresses, are left out."""
AHEAD = 24
"""Batches that a process draws ahead."""
PATIENCE = 20.0
"""Seconds until it is asked whether the process still lives."""
NO_SLOT, WORD, PREPOSITION = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Arrays:
    """A batch in one vocabulary: better sentences first, then the worse ones in the same order."""

    ids: NDArray[np.int16]
    kinds: NDArray[np.int8]
    """Of the first piece of each word; `IGNORED` elsewhere."""
    slots: NDArray[np.int8]

    def batch(self, padding: int, soundness: Tensor) -> Batch:
        """The same on the device of ``soundness``; ``padding`` is the row of the empty piece."""
        ids, kinds = (torch.from_numpy(x).to(soundness.device).long() for x in (self.ids, self.kinds))
        return Batch(ids, ids != padding, kinds, soundness)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A batch in both vocabularies."""

    wide: Arrays
    narrow: Arrays
    soundness: NDArray[np.float32]
    dilution: NDArray[np.float32]
    """The power to which what damage leaves of a sentence is raised, by its length."""


@dataclass(slots=True)
class Slotted:
    """A draft, and the places in it that are slots."""

    draft: Draft
    slots: dict[int, int]


def number_of_damages(rng: random.Random, words: int) -> int:
    """Half of the time few; else about one word in twelve, as learners make."""
    return rng.choice((1, 1, 1, 2, 2, 3, 4)) if rng.random() < 0.5 else max(1, poisson(rng, words / 12))


def slots_of(draft: Draft, rng: random.Random, single: set[str]) -> dict[int, int]:
    """Places of untouched words that are one piece in both vocabularies."""
    places = draft.sound(lambda w: (w.tag in OPEN or w.text in PREPOSITIONS) and w.text in single)
    most = max(1, len(draft.words) // 4)
    n = rng.randint(1, most) if rng.random() < 0.2 else rng.choice(SLOTS)
    chosen = rng.sample(places, min(n, len(places)))
    return {at: PREPOSITION if draft.words[at].text in PREPOSITIONS else WORD for at in chosen}


def pair(rng: random.Random, source: Source, single: set[str]) -> tuple[Slotted, Slotted]:
    """A better and a worse draft of one sentence."""
    better = Draft.of(source.sentences[rng.randrange(len(source.sentences))])
    if rng.random() < BOTH_DAMAGED:
        damage(better, 1, rng, source)
    worse = better.copy()
    if rng.random() >= SLOTTED:
        return Slotted(better, {}), Slotted(damage(worse, number_of_damages(rng, len(worse.words)), rng, source), {})
    if n := rng.choice((0, 0, 0, 1, 1, 2)):
        damage(worse, n, rng, source)
    return Slotted(better, {}), Slotted(worse, slots_of(worse, rng, single))


def pieces_of(slotted: Slotted, pieces: Pieces) -> int:
    """How many pieces a draft has."""
    return sum(len(pieces.of_word(word.text)) for word in slotted.draft.words)


def arrays(drafts: Sequence[Slotted], pieces: Pieces) -> Arrays:
    """One batch in one vocabulary."""
    rows = [encoded(slotted.draft.words, pieces) for slotted in drafts]
    longest = -(-max(len(ids) for ids, _ in rows) // MULTIPLE) * MULTIPLE
    ids = np.full((len(rows), longest), pieces.rows[PADDING], np.int16)
    kinds = np.full((len(rows), longest), IGNORED, np.int8)
    slots = np.zeros((len(rows), longest), np.int8)
    for i, ((row, labels), slotted) in enumerate(zip(rows, drafts, strict=True)):
        ids[i, : len(row)], kinds[i, : len(row)] = row, labels
        if slotted.slots:
            first = [at for at, label in enumerate(labels) if label != IGNORED]
            for place, kind in slotted.slots.items():
                if place < len(first):
                    slots[i, first[place]] = kind
    return Arrays(ids, kinds, slots)


def batches(source: Source, wide: Pieces, narrow: Pieces, seed: int) -> Iterator[Drawn]:
    """Batches without end; equal for equal seeds."""
    rng = random.Random(seed)
    single = {text for text in wide.rows if text.isalpha() and text in narrow.rows}
    while True:
        drawn = [pair(rng, source, single) for _ in range(POOL)]
        drawn = [two for two in drawn if max(pieces_of(x, p) for x in two for p in (wide, narrow)) <= MAX_PIECES]
        drawn.sort(key=lambda two: pieces_of(two[1], wide))
        plans: list[list[tuple[Slotted, Slotted]]] = [[]]
        for two in drawn:
            if plans[-1] and 2 * (pieces_of(two[1], wide) + MULTIPLE) * (len(plans[-1]) + 1) > PIECES:
                plans.append([])
            plans[-1].append(two)
        rng.shuffle(plans)
        for plan in plans:
            slotted = [better for better, _ in plan] + [worse for _, worse in plan]
            yield Drawn(
                arrays(slotted, wide),
                arrays(slotted, narrow),
                np.array([soundness(x.draft) for x in slotted], np.float32),
                np.array([dilution(x.draft) for x in slotted], np.float32),
            )


def _work(source: Source, wide: Pieces, narrow: Pieces, seed: int, queue: Queue[Drawn]) -> None:
    for drawn in batches(source, wide, narrow, seed):
        queue.put(drawn)


class Stream:
    """Batches drawn by processes of their own, one from each in turn: in the same order each time."""

    def __init__(self, source: Source, wide: Pieces, narrow: Pieces, *, seed: int, processes: int) -> None:
        context = multiprocessing.get_context("fork")  # they share the sentences
        self.queues: list[Queue[Drawn]] = [context.Queue(AHEAD) for _ in range(processes)]
        self.processes = [
            context.Process(target=_work, args=(source, wide, narrow, seed * 1_000_003 + k, queue), daemon=True)
            for k, queue in enumerate(self.queues)
        ]
        for process in self.processes:
            process.start()

    def __iter__(self) -> Iterator[Drawn]:
        while True:
            for process, queue in zip(self.processes, self.queues, strict=True):
                yield self._next(process, queue)

    def _next(self, process: BaseProcess, queue: Queue[Drawn]) -> Drawn:
        while True:
            try:
                return queue.get(timeout=PATIENCE)
            except Empty:
                if not process.is_alive():
                    raise RuntimeError(f"a process that draws damage ended with code {process.exitcode}") from None

"""Batches of pairs: a sentence as written or lightly damaged, and the same with more damage."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from naturalness.models.detector import KINDS
from naturalness.models.pieces import END, PADDING, START, Pieces
from training.detector.drafts import Draft, Word
from training.detector.mixture import Source, damage, soundness
from training.loop import by_length
from training.mpnet import PLACES

PIECES = 1600
"""Pieces in a batch, about 30 pairs of 20 words."""
IGNORED = -100
"""Label of pieces that no loss counts: all but the first of each word."""
BOTH_DAMAGED = 0.25
"""Share of pairs of which the better one is damaged too."""
POOL = 2048
"""Pairs that are drawn and sorted by length at a time."""
NUMBER_OF = {kind: i for i, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Batch:
    """Better sentences first, then the worse ones in the same order."""

    ids: Tensor
    mask: Tensor
    kinds: Tensor
    soundness: Tensor


def pair(rng: random.Random, source: Source) -> tuple[Draft, Draft]:
    """Return a better and a worse draft of one sentence."""
    better = Draft.of(rng.choice(source.sentences))
    if rng.random() < BOTH_DAMAGED:
        damage(better, 1, rng, source)
    worse = damage(better.copy(), rng.choice((1, 1, 1, 2, 2, 3, 4)), rng, source)
    return better, worse


def encoded(words: Sequence[Word], pieces: Pieces) -> tuple[list[int], list[int]]:
    """Rows of pieces between start and end, and a label for each."""
    ids, labels = [pieces.rows[START]], [IGNORED]
    for word in words:
        rows = pieces.of_word(word.text)
        ids += rows
        labels += [NUMBER_OF[word.kind], *[IGNORED] * (len(rows) - 1)]
    return [*ids[: PLACES - 1], pieces.rows[END]], [*labels[: PLACES - 1], IGNORED]


def collate(drafts: Sequence[Draft], pieces: Pieces) -> Batch:
    """One batch of drafts."""
    rows = [encoded(draft.words, pieces) for draft in drafts]
    longest = max(len(ids) for ids, _ in rows)
    empty = pieces.rows[PADDING]
    ids = torch.tensor([row + [empty] * (longest - len(row)) for row, _ in rows])
    kinds = torch.tensor([row + [IGNORED] * (longest - len(row)) for _, row in rows])
    lengths = torch.tensor([len(row) for row, _ in rows])
    mask = torch.arange(longest) < lengths[:, None]
    return Batch(ids, mask, kinds, torch.tensor([soundness(draft) for draft in drafts]))


def batches(source: Source, seed: int, pieces: int = PIECES) -> Iterator[list[Draft]]:
    """Yield batches of drafts endlessly, the better ones first, then the worse; equal for equal seeds."""
    rng = random.Random(seed)
    while True:
        drawn = [pair(rng, source) for _ in range(POOL)]
        for rows in by_length([2.6 * len(worse.words) for _, worse in drawn], pieces, rng):
            yield [drawn[i][side] for side in (0, 1) for i in rows]

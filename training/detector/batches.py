"""Batches of pairs: a sentence, original or lightly damaged, and a version of it with more damage."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

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
    labelled: bool = True
    """Whether kinds and soundness are known; if not, kinds only show where words begin."""

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device."""
        tensors = (self.ids, self.mask, self.kinds, self.soundness)
        return Batch(*(x.to(device) for x in tensors), labelled=self.labelled)


def pair(rng: random.Random, source: Source) -> tuple[Draft, Draft]:
    """Return a better and a worse draft of one sentence."""
    better = Draft.of(rng.choice(source.sentences))
    if rng.random() < BOTH_DAMAGED:
        damage(better, 1, rng, source)
    worse = damage(better.copy(), rng.choice((1, 1, 1, 2, 2, 3, 4)), rng, source)
    return better, worse


def encoded(words: Sequence[Word], pieces: Pieces) -> tuple[list[int], list[int]]:
    """Return the pieces of words between start and end, and a label for each."""
    ids, labels = [pieces.rows[START]], [IGNORED]
    for word in words:
        rows = pieces.of_word(word.text)
        ids += rows
        labels += [NUMBER_OF[word.kind], *[IGNORED] * (len(rows) - 1)]
    return [*ids[: PLACES - 1], pieces.rows[END]], [*labels[: PLACES - 1], IGNORED]


def collate(drafts: Sequence[Draft], pieces: Pieces) -> Batch:
    """Return a batch of drafts."""
    ids, kinds = zip(*(encoded(draft.words, pieces) for draft in drafts), strict=True)
    return padded(ids, kinds, [soundness(draft) for draft in drafts], pieces)


def padded(
    ids: Sequence[list[int]], kinds: Sequence[list[int]], sound: Sequence[float], pieces: Pieces, labelled: bool = True
) -> Batch:
    """Return a batch of rows of pieces and their labels."""

    def filled(rows: Sequence[list[int]], value: int) -> Tensor:
        return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=value)

    mask = filled([[1] * len(row) for row in ids], 0) > 0
    return Batch(filled(ids, pieces.rows[PADDING]), mask, filled(kinds, IGNORED), torch.tensor(sound), labelled)


def batches(source: Source, seed: int, pieces: int = PIECES) -> Iterator[list[Draft]]:
    """Yield batches of drafts endlessly, better drafts first; a seed determines all batches."""
    rng = random.Random(seed)
    while True:
        drawn = [pair(rng, source) for _ in range(POOL)]
        for rows in by_length([2.6 * len(worse.words) for _, worse in drawn], pieces, rng):
            yield [drawn[i][side] for side in (0, 1) for i in rows]

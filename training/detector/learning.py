"""Train a detector: kinds of words, soundness of sentences, and which of two is the sounder.

A narrow one learns from a wide one as well: what that says of the same sentences (Hinton et al. 2015).
The wide one reads as the package does, from its file; its vectors of words are a hint (Romero et al. 2015).
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.models.detector import Network
from naturalness.models.pieces import Pieces
from training.detector.batches import IGNORED, Batch, batches, collate
from training.detector.drafts import Draft
from training.detector.mixture import Source
from training.detector.network import Body
from training.detector.steps import TINY
from training.loop import Costs, rate_at, train

OUTPUTS = ("kinds", "sound", "states")
"""Of a teacher's file."""
HEADS = ("kinds", "pooled", "sound", "hint")
DECAY = 0.6
"""Share of the steps, at the end, in which the rate falls to zero."""
KIND_WEIGHT, PAIR_WEIGHT = 3.0, 0.7
TAUGHT = 0.7
"""Weight of the teacher's predictions in the losses of kinds and soundness."""
AGAIN, REMEMBERED = 0.5, 256
"""Share of repeated batches, and how many recent ones to draw from: the teacher is slow."""


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int
    rate: float
    """Learning rate of the encoder."""
    warm: int = 100
    """Warm-up steps."""
    whole: float | None = 0.56
    """Share of the steps after which it computes in integers, as the file does; None for never."""
    rate_of_heads: float = 1e-3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """Predictions for a batch: logits of the kinds of each word (words, kinds), soundness, vectors of the words."""

    kinds: Tensor
    sound: Tensor
    vectors: Tensor


def said_by(model: nn.Module, batch: Batch) -> Said:
    """Return the predictions of a network in torch, its products in sixteen-bit floats."""
    with torch.autocast(batch.ids.device.type, torch.bfloat16):
        kinds, sound, vectors = model(batch.ids, batch.mask)
    first = batch.kinds != IGNORED
    return Said(kinds[first].float(), sound.float(), vectors[first].float())


def losses(said: Said, batch: Batch, teacher: Said | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the losses of kinds, soundness, pairs and vectors."""
    sound, labels = said.sound, batch.kinds[batch.kinds != IGNORED]
    kind = nn.functional.cross_entropy(said.kinds, labels)
    goal, off = batch.soundness, sound.new_zeros(())
    if teacher is not None:
        taught = nn.functional.cross_entropy(said.kinds, teacher.kinds.softmax(-1))
        kind = (1 - TAUGHT) * kind + TAUGHT * taught
        goal = (1 - TAUGHT) * goal + TAUGHT * teacher.sound.sigmoid()
        spread, mean = torch.std_mean(teacher.vectors, 0, correction=0)
        off = nn.functional.mse_loss(said.vectors, (teacher.vectors - mean) / spread.clamp(min=TINY))
    graded = nn.functional.binary_cross_entropy_with_logits(sound, goal)
    better, worse = sound.chunk(2)
    apart = (batch.soundness.chunk(2)[0] > batch.soundness.chunk(2)[1]).float()
    ranked = (nn.functional.softplus(worse - better) * apart).sum() / apart.sum().clamp(min=1)
    return kind, graded, ranked, off


Lesson = tuple[Batch, Said | None]
"""A batch and the teacher's predictions."""
Teacher = Network | Body
"""The network of an asset, or one in torch."""


def taught_by(teacher: Teacher, drafts: Sequence[Draft], batch: Batch) -> Said:
    """Return a teacher's predictions for a batch."""
    if isinstance(teacher, Network):
        read = teacher.outputs(OUTPUTS, [[teacher.cut(word.text) for word in draft.words] for draft in drafts])
        return Said(*(torch.from_numpy(np.concatenate(x)) for x in zip(*read, strict=True)))
    with torch.no_grad():
        return said_by(teacher, batch)


def lessons(source: Source, pieces: Pieces, teacher: Teacher | None, seed: int) -> Iterator[Lesson]:
    """Yield batches endlessly; with a teacher, some of the last `REMEMBERED` are repeated."""
    rng, remembered = random.Random(seed), deque[Lesson](maxlen=REMEMBERED)
    for drafts in batches(source, seed):
        while len(remembered) == REMEMBERED and rng.random() < AGAIN:
            yield rng.choice(remembered)
        batch = collate(drafts, pieces)
        lesson = batch, taught_by(teacher, drafts, batch) if teacher else None
        if teacher:
            remembered.append(lesson)
        yield lesson


def fit(model: Body, source: Source, path: Path, run: Run, teacher: Teacher | None = None) -> Body:
    """Train a detector; resume from the checkpoint at ``path``.

    ``teacher``: a network whose predictions for each batch are learned too, its vectors by a model with a hint layer.
    """
    torch.manual_seed(run.seed)
    whole_from = math.inf if run.whole is None else round(run.steps * run.whole)
    hint_weight = 0.0 if isinstance(model.hint, nn.Identity) else 1.0

    def costs(first: int) -> Iterator[Costs]:
        if first < whole_from:
            model.forget_steps()  # of an earlier plan
        # Another part of the stream after a restart: pairs drawn before are not drawn again.
        stream = lessons(source, Pieces.of(model.vocabulary), teacher, run.seed * 1_000_003 + first)
        for step, (batch, taught) in enumerate(stream, first):
            if step >= whole_from:
                model.round()
            kind, graded, ranked, off = losses(said_by(model, batch), batch, taught)
            named = {"kinds": KIND_WEIGHT * kind, "soundness": graded, "pairs": PAIR_WEIGHT * ranked}
            yield [named | {"vectors": hint_weight * off}]

    groups: list[dict[str, object]] = [
        {
            "params": [p for n, p in model.named_parameters() if p.requires_grad and n.startswith(HEADS) == is_head],
            "lr": rate,
        }
        for is_head, rate in ((False, run.rate), (True, run.rate_of_heads))
    ]
    rate = partial(rate_at, steps=run.steps, warm=run.warm, decay=DECAY)
    train(model, groups, costs, steps=run.steps, rate=rate, path=path, weight_decay=0.01, betas=(0.9, 0.98))
    return model

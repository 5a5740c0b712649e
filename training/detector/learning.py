"""Train a detector of kinds of damage, soundness, and the sounder of two sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from naturalness.models.pieces import Pieces
from training.detector.batches import IGNORED, Batch, batches, collate
from training.detector.mixture import Source
from training.detector.network import Body
from training.loop import Costs, rate_at, train

HEADS = ("kinds", "pooled", "sound", "hints")
KIND_WEIGHT, PAIR_WEIGHT = 3.0, 0.7
TAUGHT = 0.7
"""Weight of a teacher's predictions in the losses of kinds and soundness of labelled sentences."""
RENEWED, RENEWED_UNTIL = 400, 0.85
"""Steps after which quantisation steps are chosen anew, if they are, and the share of the training where this ends."""


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int
    rate: float
    """Learning rate of the encoder."""
    warm: int = 100
    """Warm-up steps."""
    whole: float = 0.56
    """Share of the steps after which it computes in integers, as the file does; infinity for never."""
    rate_of_heads: float = 1e-3
    seed: int = 0
    decay: float = 0.6
    """Share of the steps, at the end, in which the rate falls to zero."""
    renews: bool = False
    """Whether quantisation steps follow the weights for a time."""


@dataclass(frozen=True, slots=True)
class Said:
    """Predictions for a batch: logits of the kinds of each word (words, kinds), soundness; vectors after each layer."""

    kinds: Tensor
    sound: Tensor
    states: Sequence[Tensor] = ()


def said_by(model: Body, batch: Batch) -> Said:
    """Return the predictions of a network in torch, its products in sixteen-bit floats."""
    with torch.autocast(batch.ids.device.type, torch.bfloat16):
        states = model.states(batch.ids, batch.mask)
        kinds, sound = model.judged(states[-1], batch.mask)
    return Said(kinds[batch.kinds != IGNORED].float(), sound.float(), states)


def losses(said: Said, batch: Batch, teacher: Said | None = None) -> tuple[Tensor, Tensor]:
    """Return the losses of kinds and of soundness."""
    share = 0.0 if teacher is None else TAUGHT if batch.labelled else 1.0
    kind = (1 - share) * nn.functional.cross_entropy(said.kinds, batch.kinds[batch.kinds != IGNORED])
    goal = (1 - share) * batch.soundness
    if teacher is not None:
        kind = kind + share * nn.functional.cross_entropy(said.kinds, teacher.kinds.softmax(-1))
        goal = goal + share * teacher.sound.sigmoid()
    return kind, nn.functional.binary_cross_entropy_with_logits(said.sound, goal)


def pair_loss(sound: Tensor, soundness: Tensor) -> Tensor:
    """Return the loss of pairs, of which the first half are the better ones."""
    better, worse = sound.chunk(2)
    apart = (soundness.chunk(2)[0] > soundness.chunk(2)[1]).float()
    return (nn.functional.softplus(worse - better) * apart).sum() / apart.sum().clamp(min=1)


def learn(model: Body, source: Source, path: Path, run: Run) -> Body:
    """Train on damage."""

    def costs(batch: Batch) -> dict[str, Tensor]:
        said = said_by(model, batch)
        kind, graded = losses(said, batch)
        ranked = pair_loss(said.sound, batch.soundness)
        return {"kinds": KIND_WEIGHT * kind, "soundness": graded, "pairs": PAIR_WEIGHT * ranked}

    pieces, device = Pieces(model.vocabulary), model.kinds.weight.device
    fit(model, lambda seed: (collate(drafts, pieces).to(device) for drafts in batches(source, seed)), costs, path, run)
    return model


def fit(
    model: Body,
    stream: Callable[[int], Iterator[Batch]],
    costs_of: Callable[[Batch], Mapping[str, Tensor]],
    path: Path,
    run: Run,
    seconds: float = math.inf,
) -> None:
    """Train a detector on the batches of a ``stream`` with a seed; resume from the checkpoint at ``path``."""
    torch.manual_seed(run.seed)
    whole_from = run.steps * run.whole

    def costs(first: int) -> Iterator[Costs]:
        if first < whole_from:
            model.forget_steps()  # of an earlier plan
        # Another part of the stream after a restart: batches drawn before are not drawn again.
        for step, batch in enumerate(stream(run.seed * 1_000_003 + first), first):
            if run.renews and step % RENEWED == 0 and whole_from < step < RENEWED_UNTIL * run.steps:
                model.forget_steps()
            if step >= whole_from:
                model.round()
            yield [costs_of(batch)]

    groups: list[dict[str, object]] = [
        {
            "params": [p for n, p in model.named_parameters() if p.requires_grad and n.startswith(HEADS) == is_head],
            "lr": rate,
        }
        for is_head, rate in ((False, run.rate), (True, run.rate_of_heads))
    ]
    rate = partial(rate_at, steps=run.steps, warm=run.warm, decay=run.decay)
    train(
        model,
        groups,
        costs,
        steps=run.steps,
        rate=rate,
        path=path,
        seconds=seconds,
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )

"""Train the language model: two batches are read from left to right for each one that is read in both directions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from training.loop import Costs, rate_at, train
from training.neural_lm.network import Transformer
from training.neural_lm.text import END, Batch, Rows, batches

PIECES = 2048
"""In a batch."""
RATE_BODY, RATE_TABLES = 5e-4, 2e-3
WARM, DECAY = 200, 0.4
BOTH_WAYS = 3
"""Every so many batches one is read both ways."""
HIDDEN = 0.25
"""Share of its pieces that are hidden."""
HEAD, OTHERS = 2000, 1000
"""Pieces that every batch is compared with: the most frequent, and some of the others."""


def examples(batch: Batch, model: Transformer, *, causal: bool) -> tuple[Tensor, Tensor]:
    """Return vectors (k, narrow) and the pieces that they should predict."""
    if causal:
        return model(batch.ids, batch.there, causal=True)[batch.there], batch.targets[batch.there]
    hide = torch.rand(batch.targets.shape, device=batch.ids.device) < HIDDEN
    hide &= batch.targets != END
    # Both ways a text is read with its end.
    ids = torch.cat([batch.ids, batch.targets[:, -1:]], 1)
    ids[:, 1:][hide] = model.hidden
    there = torch.cat([torch.ones_like(batch.there[:, :1]), batch.there], 1)
    return model(ids, there, causal=False)[:, :-1][hide], batch.targets[hide]


def cost_of(model: Transformer, vectors: Tensor, targets: Tensor, rng: torch.Generator) -> Tensor:
    """Return the mean -ln p, with p over the frequent pieces, those of the batch, and a sample of the rest.

    The sample is weighted to represent the rest; this takes a quarter of the time of a full softmax.
    """
    size = len(model.common)
    if size <= HEAD + OTHERS:
        return nn.functional.cross_entropy(model.logits(vectors), targets)
    taken = torch.zeros(size, dtype=torch.bool)
    taken[:HEAD] = True
    taken[targets] = True
    rest = torch.nonzero(~taken).flatten()
    some = rest[torch.randperm(len(rest), generator=rng)[:OTHERS]]
    chosen = torch.cat([torch.nonzero(taken).flatten(), some])
    stands_for = torch.zeros(len(chosen))
    stands_for[-len(some) :] = math.log(len(rest) / len(some))
    column = torch.zeros(size, dtype=torch.long)
    column[chosen] = torch.arange(len(chosen))
    logits = vectors @ model.pieces.weight[chosen].T + model.common[chosen] + stands_for
    return nn.functional.cross_entropy(logits, column[targets])


def groups_of(model: Transformer) -> list[dict[str, object]]:
    """Return the parameters with their learning rates."""
    tables = ("pieces.", "common", "foretell.", "widen.")
    rates: dict[float, list[Tensor]] = {RATE_BODY: [], RATE_TABLES: []}
    for name, values in model.named_parameters():
        rates[RATE_TABLES if name.startswith(tables) else RATE_BODY].append(values)
    return [{"params": values, "lr": rate} for rate, values in rates.items()]


def fit(model: Transformer, registers: Mapping[str, Rows], work: Path, *, steps: int) -> Transformer:
    """Train for ``steps`` steps; resume from the checkpoint in ``work``."""
    torch.manual_seed(0)

    def costs(first: int) -> Iterator[Costs]:
        rng = torch.Generator().manual_seed(first)
        # Another part of the stream after a restart: sentences drawn before are not drawn again.
        for step, batch in enumerate(batches(dict(registers), PIECES, first), first):
            causal = step % BOTH_WAYS != BOTH_WAYS - 1
            cost = cost_of(model, *examples(batch, model, causal=causal), rng)
            yield [{"from the left" if causal else "both ways": cost}]

    rate = partial(rate_at, steps=steps, warm=WARM, decay=DECAY)
    train(
        model,
        groups_of(model),
        costs,
        steps=steps,
        rate=rate,
        path=work / "neural.pt",
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    return model

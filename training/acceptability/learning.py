"""Train the acceptability head: graded targets, and of every pair which is the better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import torch
from torch import Tensor, nn

from training.acceptability.network import Acceptability
from training.acceptability.sources import Pair
from training.detector.shipped import pooled

RATE, DECAY = 5e-4, 0.02
"""Learning rate at its highest, and decay of weights."""
PAIRS = 24_000
BATCH, EPOCHS = 64, 6
SHARE_RATED = 0.4
"""Of the pairs."""
GRADED = 0.5
"""Weight of the targets; pairs weigh 1."""


def drawn(damaged: Iterator[Pair], rated: Iterator[Pair], n: int = PAIRS) -> list[Pair]:
    """So many pairs, rated ones and damaged ones."""
    some = round(SHARE_RATED * n)
    return [*islice(rated, some), *islice(damaged, n - some)]


def loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Of logits (pairs, 2), the better first, against targets, which may be NaN, and of the order of each pair."""
    known = ~targets.isnan()
    graded = nn.functional.binary_cross_entropy_with_logits(logits[known], targets[known])
    return GRADED * graded + nn.functional.softplus(logits[:, 1] - logits[:, 0]).mean()


def fit(pairs: Sequence[Pair], *, epochs: int = EPOCHS, seed: int = 0) -> Acceptability:
    """Train for so many passes over the pairs."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    numbers: dict[tuple[int, ...], int] = {}
    rows = [[numbers.setdefault(tuple(row), len(numbers)) for row in (pair.better, pair.worse)] for pair in pairs]
    vectors = torch.from_numpy(pooled(list(numbers)))
    read, targets = torch.tensor(rows), torch.tensor([pair.targets for pair in pairs])
    model = Acceptability()
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=DECAY)
    each = len(pairs) // BATCH
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=epochs * each)
    for epoch in range(epochs):
        costs = []
        model.train()
        order = torch.from_numpy(rng.permutation(len(pairs)))
        for k in range(each):
            chosen = order[k * BATCH : (k + 1) * BATCH]
            cost = loss(model(vectors[read[chosen]]), targets[chosen])
            optimizer.zero_grad()
            cost.backward()
            optimizer.step()
            schedule.step()
            costs.append(cost.item())
        if not math.isfinite(sum(costs)):
            raise RuntimeError("the loss is no number any more")
        print(f"{epoch + 1}/{epochs} loss {np.mean(costs):.3f}", flush=True)
    return model.eval()

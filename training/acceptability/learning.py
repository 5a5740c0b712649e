"""Train the acceptability head: graded targets, and of every pair which is the better."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.models.pieces import PADDING, Pieces
from training.acceptability.network import Acceptability
from training.acceptability.sources import Pair
from training.checkpoints import rate_at, resume, save

PIECES = 1600
"""In a batch."""
RATE, WARM, DECAY = 1.5e-4, 100, 0.5
SHARE_RATED = 0.4
"""Of the pairs."""
GRADED = 0.5
"""Weight of the targets; pairs weigh 1."""
POOL = 512
SHOW, KEEP = 50, 200


def padded(rows: Sequence[Sequence[int]], pieces: Pieces) -> tuple[Tensor, Tensor]:
    """Rows filled up to the longest, and which pieces are there."""
    longest = max(map(len, rows))
    empty = pieces.rows[PADDING]
    ids = torch.tensor([[*row, *[empty] * (longest - len(row))] for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return ids, torch.arange(longest) < lengths[:, None]


def batches(damaged: Iterator[Pair], rated: Iterator[Pair], seed: int) -> Iterator[list[Pair]]:
    """Batches of about `PIECES` pieces, of pairs of about one length."""
    rng = np.random.default_rng(seed)
    while True:
        pool = [next(rated if rng.random() < SHARE_RATED else damaged) for _ in range(POOL)]
        pool.sort(key=lambda pair: max(len(pair.better), len(pair.worse)))
        plans: list[list[Pair]] = [[]]
        for pair in pool:
            length = max(len(pair.better), len(pair.worse))
            if plans[-1] and 2 * length * (len(plans[-1]) + 1) > PIECES:
                plans.append([])
            plans[-1].append(pair)
        for i in rng.permutation(len(plans)):
            yield plans[i]


def loss(model: Acceptability, pairs: Sequence[Pair], pieces: Pieces) -> tuple[Tensor, Tensor]:
    """Of the targets where there are any, and of the order of each pair."""
    rows = [pair.better for pair in pairs] + [pair.worse for pair in pairs]
    logits = model(*padded(rows, pieces))
    better, worse = logits.chunk(2)
    targets = torch.tensor([[pair.targets[k] for pair in pairs] for k in (0, 1)]).flatten()
    known = ~targets.isnan()
    graded = nn.functional.binary_cross_entropy_with_logits(logits[known], targets[known])
    return graded, nn.functional.softplus(worse - better).mean()


def fit(
    model: Acceptability,
    damaged: Iterator[Pair],
    rated: Iterator[Pair],
    pieces: Pieces,
    path: Path,
    *,
    steps: int,
    seed: int = 0,
    after: Callable[[int], None] = lambda step: None,
) -> Acceptability:
    """Train for so many steps; goes on from the checkpoint."""
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, steps, warm=WARM, decay=DECAY))
    first = resume(path, model, optimizer, schedule)
    stream = batches(damaged, rated, seed * 1_000_003 + first)
    model.train()
    model.below.eval()
    started, costs = time.time(), []
    for step in range(first, steps):
        parts = loss(model, next(stream), pieces)
        optimizer.zero_grad()
        (GRADED * parts[0] + parts[1]).backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        costs.append([part.item() for part in parts])
        done = step + 1
        if done % SHOW == 0:
            if not math.isfinite(sum(chain(*costs))):
                raise RuntimeError("the loss is no number any more")
            graded, ranked = np.mean(costs, axis=0)
            pace = (time.time() - started) / (done - first)
            print(f"{done}/{steps} graded {graded:.3f} pairs {ranked:.3f}; {pace:.2f} s a step", flush=True)
            costs = []
        if done % KEEP == 0 or done == steps:
            save(path, model, done, optimizer, schedule)
            after(done)
            model.train()
            model.below.eval()
    return model.eval()

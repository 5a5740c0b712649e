"""Train the order head: of every passage both orders, each right or wrong on its own."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from naturalness.models.pieces import Pieces
from training.checkpoints import rate_at, resume, save
from training.language.corpora import REGISTERS
from training.order.network import Order
from training.order.passages import (
    Document,
    Halves,
    batches,
    collate,
    documents,
    draw,
    flat,
    rows_of,
)

PIECES = 2560
"""In a batch, both orders together."""
RATE, WARM, DECAY = 1e-4, 200, 0.5
SHOW, KEEP, LOOK = 50, 250, 500
SENTENCES = 4
"""Of a held-out passage; the halves have two each."""
PASSAGES = 60
"""Held-out passages of each register, at most."""


def held_out(corpora: Path, pieces: Pieces, n: int = PASSAGES) -> dict[str, list[Halves]]:
    """Beginnings of documents of the `.dev` files."""
    found = {}
    for name in REGISTERS:
        every = documents(corpora / f"{name}.dev.txt.xz", SENTENCES)
        step = max(1, len(every) // n)
        found[name] = []
        for document in every[::step][:n]:
            rows = rows_of(document[:SENTENCES], pieces)
            middle = SENTENCES // 2
            found[name].append(Halves(flat(rows[:middle]), flat(rows[middle:])))
    return found


@torch.inference_mode()
def accuracy(
    model: Order, kept: Mapping[str, Sequence[Halves]], pieces: Pieces
) -> dict[str, tuple[float, float]]:
    """By register: how often the right order gets more than the other; how often each is right."""
    model.eval()
    found = {}
    for name, passages in kept.items():
        pairs = []
        for i in range(0, len(passages), 8):
            batch = collate(passages[i : i + 8], pieces)
            pairs.append(model(batch.ids, batch.mask, batch.second).view(-1, 2).numpy())
        right, wrong = np.concatenate(pairs).T
        found[name] = (
            round(float(np.mean(right > wrong)), 3),
            round(float(np.mean([right > 0, wrong < 0])), 3),
        )
    found["mean"] = tuple(np.mean(list(found.values()), axis=0).round(3).tolist())
    return found


def fit(
    model: Order, registers: Mapping[str, Sequence[Document]], kept: Mapping[str, Sequence[Halves]],
    pieces: Pieces, path: Path, *, steps: int, seed: int = 0,
) -> Order:  # fmt: skip
    """Train for so many steps; goes on from the checkpoint."""
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: rate_at(step, steps, warm=WARM, decay=DECAY)
    )
    first = resume(path, model, optimizer, schedule)
    stream = batches(draw(registers, pieces, seed * 1_000_003 + first), pieces, PIECES)
    model.train()
    started, costs, right, passages = time.time(), [], [], 0
    for step in range(first, steps):
        batch = next(stream)
        logits = model(batch.ids, batch.mask, batch.second)
        pairs = logits.view(-1, 2)
        target = 1.0 - torch.arange(len(logits)) % 2
        cost = nn.functional.binary_cross_entropy_with_logits(logits, target)
        # Which of two orders is easier to tell than whether one is right: it shows the way.
        cost = cost + nn.functional.softplus(pairs[:, 1] - pairs[:, 0]).mean()
        optimizer.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        costs.append(cost.item())
        right += (pairs[:, 0] > pairs[:, 1]).tolist()
        passages += len(pairs)
        done = step + 1
        if done % SHOW == 0:
            if not math.isfinite(sum(costs)):
                raise RuntimeError("the loss is no number any more")
            pace = passages / (time.time() - started)
            print(f"{done}/{steps} loss {np.mean(costs):.3f} pairs {np.mean(right):.3f}; "
                  f"{pace:.1f} passages/s", flush=True)  # fmt: skip
            costs, right = [], []
        if done % LOOK == 0:
            print("held out", accuracy(model, kept, pieces)["mean"], flush=True)
            model.train()
        if done % KEEP == 0 or done == steps:
            save(path, model, done, optimizer, schedule)
    return model.eval()

"""Train the order head: every passage parted at every place, in both orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from naturalness.models.detector import detector
from training.loop import Costs, rate_at, train
from training.order.network import Order
from training.order.passages import Passage

EPOCHS, PASSAGES = 2, 64
"""Passes over the data, and passages in a batch."""
RATE, WARM = 3e-4, 200
DECAY = 0.05
"""Of weights."""


def both_orders(size: int) -> tuple[Tensor, Tensor]:
    """(2 (size - 1), size): sentences as they are read, and the part that each belongs to.

    The right order of each split, then the swapped one, and so on.
    """
    read, parts = [], []
    for split in range(1, size):
        first, second = list(range(split)), list(range(split, size))
        read += [[*first, *second], [*second, *first]]
        parts += [[0] * split + [1] * (size - split), [0] * (size - split) + [1] * split]
    return torch.tensor(read), torch.tensor(parts)


def states_of(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return the vectors of pieces below the detector's last two layers, padded (b, n, width), and their mask."""
    read = dict(detector().network.every_piece(("inner",), [[row] for row in rows]))
    vectors = [torch.from_numpy(read[i][0]) for i in range(len(rows))]
    mask = pad_sequence([torch.ones(len(x), dtype=torch.bool) for x in vectors], batch_first=True)
    return pad_sequence(vectors, batch_first=True), mask


def logits_of(model: Order, passages: Sequence[Passage]) -> Tensor:
    """(passages, splits, 2): of the right order and the swapped one; passages of one size."""
    size = len(passages[0])
    vectors = model.sentences(*states_of([row for passage in passages for row in passage]))
    read, parts = both_orders(size)
    rows = vectors.view(len(passages), size, -1)[:, read].flatten(0, 1)
    second = parts.repeat(len(passages), 1)
    logits = model(rows, torch.ones_like(second, dtype=torch.bool), second)
    return logits.view(len(passages), size - 1, 2)


def cost_of(logits: Tensor) -> Tensor:
    """Of each order on its own, and of which of the two is the likelier."""
    right, swapped = logits[..., 0], logits[..., 1]
    each = (nn.functional.softplus(-right) + nn.functional.softplus(swapped)) / 2
    return (each + nn.functional.softplus(swapped - right)).mean()


@torch.inference_mode()
def accuracy(model: Order, held_out: Mapping[str, Sequence[Passage]]) -> dict[str, tuple[float, float]]:
    """By register, parted in the middle: how often the right order gets more, or is right alone."""
    model.eval()
    shares = {}
    for name, passages in held_out.items():
        logits = logits_of(model, passages)[:, len(passages[0]) // 2 - 1]
        right, swapped = logits.unbind(-1)
        shares[name] = (
            round((right > swapped).float().mean().item(), 3),
            round(torch.cat([right > 0, swapped < 0]).float().mean().item(), 3),
        )
    shares["mean"] = tuple(np.mean(list(shares.values()), axis=0).round(3).tolist())
    return shares


def fit(passages: Sequence[Passage]) -> Order:
    """Train with a falling learning rate, and return the running mean of the weights."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = Order()
    smooth = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.99))
    smooth.n_averaged += 1  # the initial weights count too

    def costs(first: int) -> Iterator[Costs]:
        for _ in range(EPOCHS):
            for rows in np.split(rng.permutation(len(passages))[: each * PASSAGES], each):
                size = int(rng.integers(2, len(passages[0]) + 1))
                yield [{"orders": cost_of(logits_of(model, [passages[i][:size] for i in rows]))}]
                smooth.update_parameters(model)

    each = len(passages) // PASSAGES
    rate = partial(rate_at, steps=EPOCHS * each, warm=WARM, decay=1.0)
    train(model, [*model.parameters()], costs, steps=EPOCHS * each, rate=rate, lr=RATE, weight_decay=DECAY)
    trained: Order = smooth.module
    return trained.eval()

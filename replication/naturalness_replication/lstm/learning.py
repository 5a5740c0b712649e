"""Train an LSTM language model (Kann, Rothe & Filippova, CoNLL 2018: two layers of 512 hidden units, Adam).

On these points, the paper is silent or we depart from it: embeddings are tied (Press & Wolf, EACL 2017), which small
corpora need; the output bias is initialised to log frequencies; dropout is used; the learning rate decays to 0; and the
checkpoint with the lowest held-out perplexity is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from naturalness.arrays import Float32Array, FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.progress import Progress
from naturalness_replication.lstm.file import COMMON, END, PLACES, START, TABLE
from naturalness_replication.lstm.recipe import LstmRecipe
from naturalness_replication.lstm.text import Sentences

MAX_UNITS = 1024
"""The maximum number of units per batch, including sentence ends."""
MIN_UNITS, MIN_BATCHES = 64, 100
"""The minimum number of units per batch, and the number of batches that an epoch should have. If an epoch would have
fewer, batches are made smaller, down to `MIN_UNITS` units."""
POOL = 4096
"""The number of sentences that are sorted by length before they are split into batches."""
RATE, WARM, LEVEL = 2e-3, 50, 0.5
"""The peak learning rate, the number of warm-up batches, and the share of training after which the rate decays."""
DROPOUT = 0.2
MAX_GRADIENT = 1.0
"""The norm at which gradients are clipped."""
SPREAD = 0.1
"""Embeddings are initialised uniformly between minus and plus this value."""
LOOKS = 4
"""The number of evaluations on held-out text per epoch."""
LOOKED_AT = 1_000
"""The number of held-out sentences per evaluation."""


class LearnedLstm(NamedTuple):
    """The weights of the best checkpoint, and the learning curve."""

    weights: dict[str, Float32Array]
    curve: list[dict[str, float]]
    """For each evaluation: epochs done, training perplexity since the previous evaluation, and held-out perplexity."""


def fit(sentences: Sentences, held_out: Sentences, logs: FloatArray, how: LstmRecipe, report: Progress) -> LearnedLstm:
    """Train on sentences and return the checkpoint with the lowest held-out perplexity.

    The units of a sentence are given as rows of the embedding table, and ``logs`` are the natural logs of the relative
    frequencies of these rows. Results are reproducible given the seed, the kind
    of processor and the number of threads.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    judged = held_out.part(0, min(LOOKED_AT, len(held_out)))
    best, lowest, curve = {}, math.inf, []
    with _settled(how):
        network = build(logs, how.width, how.layers).to(device)
        for passes, seen in _trained(network, sentences, how, report):
            cost = perplexity(network, judged)
            curve.append({"passes": passes, "training": _short(seen.perplexity()), "held_out": _short(cost)})
            if cost < lowest:
                lowest = cost
                best = {name: values.clone() for name, values in network.state_dict().items()}
    return LearnedLstm({name: values.cpu().numpy() for name, values in best.items()}, curve)


def _trained(
    network: Any, sentences: Sentences, how: LstmRecipe, report: Progress
) -> Iterator[tuple[float, LstmBatch]]:
    """Train the network; at each evaluation, yield the epochs done and the costs since the previous evaluation."""
    optimizer = torch.optim.Adam(network.parameters())
    n, work = len(sentences), how.epochs * len(sentences)
    seen, done = LstmBatch(), 0
    report("train", 0, work)
    for step, batch in enumerate(_passes(sentences, how), 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / WARM, (1 - done / work) / (1 - LEVEL))
        cost, units = _cost(network.train(), [sentences[i] for i in batch])
        optimizer.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT)
        optimizer.step()
        seen.add(cost.item(), units)
        before, done = done, done + len(batch)
        report("train", done, work)
        if done * LOOKS // n > before * LOOKS // n:
            yield round(done / n, 2), seen
            seen = LstmBatch()


@dataclass(slots=True)
class LstmBatch:
    """The costs of the batches since the last evaluation."""

    cost: float = 0.0
    units: int = 0

    def add(self, mean: float, units: int) -> None:
        """Add the cost of a batch."""
        if not math.isfinite(mean):
            raise TrainingError("the cost is no number any more; try another seed")
        self.cost += mean * units
        self.units += units

    def perplexity(self) -> float:
        """Return the perplexity over these batches."""
        return math.exp(min(self.cost / self.units, 700.0))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


@contextmanager
def _settled(how: LstmRecipe) -> Iterator[None]:
    """Set the random seed and the number of threads, and restore both when the context ends."""
    threads = torch.get_num_threads()
    devices = range(torch.cuda.device_count())
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(how.seed)
        torch.set_num_threads(how.threads)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


def build(logs: FloatArray, width: int, layers: int) -> Any:
    """Return a new network, whose parameters have the names that `write_lstm` expects."""
    network = nn.ModuleDict(
        {
            TABLE.partition(".")[0]: nn.Embedding(len(logs), width),
            "lstm": nn.LSTM(width, width, layers, batch_first=True, dropout=DROPOUT if layers > 1 else 0.0),
            "dropout": nn.Dropout(DROPOUT),
        }
    )
    nn.init.uniform_(network["table"].weight, -SPREAD, SPREAD)
    network.register_parameter(COMMON, nn.Parameter(torch.tensor(logs, dtype=torch.float32)))
    return network


def _cost(network: Any, rows: list[NDArray[np.int32]]) -> tuple[Any, int]:
    """Return the mean of -ln p over all units and sentence ends, and the number of units and ends."""
    device = network.common.device
    rows = [row[: PLACES - 1] for row in rows]
    longest = max(map(len, rows)) + 1
    ids = np.zeros((len(rows), longest), np.int64)
    targets = np.full(ids.shape, -1, np.int64)
    for i, row in enumerate(rows):
        n = len(row)
        ids[i, 0], ids[i, 1 : n + 1] = START, row
        targets[i, :n], targets[i, n] = row, END
    wanted = torch.from_numpy(targets).to(device)
    there = wanted >= 0
    x = network["dropout"](network["table"](torch.from_numpy(ids).to(device)))
    # Padding is at the end of a sentence, so it does not change the states before it.
    vectors = network["dropout"](network["lstm"](x)[0][there])
    logits = nn.functional.linear(vectors, network["table"].weight, network.common)
    return nn.functional.cross_entropy(logits, wanted[there]), int((targets >= 0).sum())


def perplexity(network: Any, sentences: Sentences) -> float:
    """Return the perplexity of sentences, including their ends; all unknown units count as the same unit."""
    network.eval()
    seen = LstmBatch()
    with torch.inference_mode():
        for batch in batches(sentences.lengths, MAX_UNITS, None):
            cost, units = _cost(network, [sentences[i] for i in batch])
            seen.add(cost.item(), units)
    return seen.perplexity()


def _passes(sentences: Sentences, how: LstmRecipe) -> Iterator[IntArray]:
    lengths = sentences.lengths
    size = min(MAX_UNITS, max(MIN_UNITS, int((lengths + 1).sum()) // MIN_BATCHES))
    for epoch in range(how.epochs):
        yield from batches(lengths, size, np.random.default_rng([how.seed, epoch]))


def batches(lengths: IntArray, size: int, rng: np.random.Generator | None) -> Iterator[IntArray]:
    """Yield batches of indices of sentences that have similar lengths, with at most ``size`` units per batch.

    The batches are in random order if ``rng`` is given.
    """
    order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
    for start in range(0, len(order), POOL):
        pool = order[start : start + POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        widths = np.minimum(lengths[pool] + 1, PLACES)
        grouped, first = [], 0
        for i in range(1, len(pool) + 1):
            # The last sentence of a batch is its longest.
            if i == len(pool) or (i + 1 - first) * widths[i] > size:
                grouped.append(pool[first:i])
                first = i
        for k in range(len(grouped)) if rng is None else rng.permutation(len(grouped)):
            yield grouped[k]

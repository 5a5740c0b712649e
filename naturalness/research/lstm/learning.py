"""Train an LSTM language model (Kann, Rothe & Filippova, CoNLL 2018: two layers of 512, Adam).

Choices where the paper is silent or we depart from it: tied embeddings (Press & Wolf, EACL 2017),
which small corpora need; an output bias initialised to log frequencies; dropout; a learning rate that
decays to 0; the checkpoint with the lowest held-out perplexity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from naturalness.arrays import Float32Array, FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.models.language.training.estimating import Report
from naturalness.research.lstm.file import COMMON, END, PLACES, START, TABLE
from naturalness.research.lstm.text import Sentences

MAX_UNITS = 1024
"""Maximum number of units per batch, including sentence ends."""
MIN_UNITS, MIN_BATCHES = 64, 100
"""Minimum number of units per batch, and of batches per epoch; batches shrink to as few as `MIN_UNITS` units if an
epoch would have fewer than `MIN_BATCHES`."""
POOL = 4096
"""Number of sentences sorted by length together before they are divided into batches."""
RATE, WARM, LEVEL = 2e-3, 50, 0.5
"""Peak learning rate, number of warm-up batches, and share of the training after which the rate decays."""
DROPOUT = 0.2
MAX_GRADIENT = 1.0
"""Gradient clipping norm."""
SPREAD = 0.1
"""Bound of the uniform initialisation of embeddings."""
LOOKS = 4
"""Number of evaluations on held-out text per epoch."""
LOOKED_AT = 1_000
"""Number of held-out sentences per evaluation."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Training settings."""

    width: int
    layers: int
    epochs: int
    seed: int
    threads: int


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights of the best checkpoint, and the learning curve."""

    weights: dict[str, Float32Array]
    curve: list[dict[str, float]]
    """Epochs, training perplexity since the previous evaluation, and held-out perplexity, at each evaluation."""


def fit(sentences: Sentences, held_out: Sentences, logs: FloatArray, how: Learning, report: Report) -> Learned:
    """Train on sentences of rows and return the checkpoint with the lowest held-out perplexity.

    ``logs`` are the natural logs of the frequencies of rows. Results are reproducible for a seed, on one
    kind of processor with one number of threads.
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
    return Learned({name: values.cpu().numpy() for name, values in best.items()}, curve)


def _trained(network: Any, sentences: Sentences, how: Learning, report: Report) -> Iterator[tuple[float, Seen]]:
    """Train, and yield epochs done and the costs since the previous evaluation, at each evaluation."""
    optimizer = torch.optim.Adam(network.parameters())
    n, work = len(sentences), how.epochs * len(sentences)
    seen, done = Seen(), 0
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
            seen = Seen()


@dataclass(slots=True)
class Seen:
    """Costs since the last evaluation."""

    cost: float = 0.0
    units: int = 0

    def add(self, mean: float, units: int) -> None:
        """Add the cost of a batch."""
        if not math.isfinite(mean):
            raise TrainingError("the cost is no number any more; try another seed")
        self.cost += mean * units
        self.units += units

    def perplexity(self) -> float:
        """Return the perplexity."""
        return math.exp(min(self.cost / self.units, 700.0))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


@contextmanager
def _settled(how: Learning) -> Iterator[None]:
    """Set seed and number of threads, and restore them afterwards."""
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
    """Build the network, with the parameter names that `write_lstm` takes."""
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
    """Return the mean -ln p over the units and ends of sentences, and their number."""
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
    # Padding comes last, so it does not change the states before it.
    vectors = network["dropout"](network["lstm"](x)[0][there])
    logits = nn.functional.linear(vectors, network["table"].weight, network.common)
    return nn.functional.cross_entropy(logits, wanted[there]), int((targets >= 0).sum())


def perplexity(network: Any, sentences: Sentences) -> float:
    """Return the perplexity of sentences including their ends; unknown units count as one unit."""
    network.eval()
    seen = Seen()
    with torch.inference_mode():
        for batch in batches(sentences.lengths, MAX_UNITS, None):
            cost, units = _cost(network, [sentences[i] for i in batch])
            seen.add(cost.item(), units)
    return seen.perplexity()


def _passes(sentences: Sentences, how: Learning) -> Iterator[IntArray]:
    lengths = sentences.lengths
    size = min(MAX_UNITS, max(MIN_UNITS, int((lengths + 1).sum()) // MIN_BATCHES))
    for epoch in range(how.epochs):
        yield from batches(lengths, size, np.random.default_rng([how.seed, epoch]))


def batches(lengths: IntArray, size: int, rng: np.random.Generator | None) -> Iterator[IntArray]:
    """Yield batches of sentence indices of similar length and at most ``size`` units; shuffled if rng is given."""
    order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
    for start in range(0, len(order), POOL):
        pool = order[start : start + POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        widths = np.minimum(lengths[pool] + 1, PLACES)
        grouped, first = [], 0
        for i in range(1, len(pool) + 1):
            # The last of a batch is its longest.
            if i == len(pool) or (i + 1 - first) * widths[i] > size:
                grouped.append(pool[first:i])
                first = i
        for k in range(len(grouped)) if rng is None else rng.permutation(len(grouped)):
            yield grouped[k]

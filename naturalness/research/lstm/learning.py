"""Train an LSTM language model (Kann, Rothe & Filippova, CoNLL 2018: two layers of 512, Adam).

Where the paper does not say, or this differs: one table of vectors at both ends (Press & Wolf,
EACL 2017), which small corpora need; the first guess of what follows is how frequent units are;
dropout; the learning rate falls to nothing; of all looks at the held-out text the best is kept.
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
"""Units in a batch, ends of sentences included."""
MIN_UNITS, MIN_BATCHES = 64, 100
"""Where that would be fewer batches to a pass, they are smaller, but not below so many units."""
POOL = 4096
"""Sentences that are sorted by length before they become batches."""
RATE, WARM, LEVEL = 2e-3, 50, 0.5
"""Learning rate at its highest, batches up to there, share of the work from which on it falls."""
DROPOUT = 0.2
MAX_GRADIENT = 1.0
"""Length of a gradient at most."""
SPREAD = 0.1
"""Vectors begin between this and its negative."""
LOOKS = 4
"""At the held-out text, in each pass."""
LOOKED_AT = 1_000
"""Sentences of it that are looked at."""


@dataclass(frozen=True, slots=True)
class Learning:
    """How it is trained."""

    width: int
    layers: int
    epochs: int
    seed: int
    threads: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of it."""

    weights: dict[str, Float32Array]
    curve: list[dict[str, float]]
    """Passes done, perplexity of the text in training since the look before, of the held-out."""


def fit(sentences: Sentences, held_out: Sentences, logs: FloatArray, how: Learning, report: Report) -> Learned:
    """Train on sentences of rows; the best of all looks at the held-out ones is what is given.

    ``logs``: ln of the frequency of each row. The same seed gives the same numbers, on one kind of
    processor with the same number of threads.
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
    """Train, and yield at every look the passes done and what was seen since the last."""
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
    """Costs since the last look."""

    cost: float = 0.0
    units: int = 0

    def add(self, mean: float, units: int) -> None:
        """Add the cost of a batch."""
        if not math.isfinite(mean):
            raise TrainingError("the cost is no number any more; try another seed")
        self.cost += mean * units
        self.units += units

    def perplexity(self) -> float:
        """Return the perplexity of what was seen."""
        return math.exp(min(self.cost / self.units, 700.0))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


@contextmanager
def _settled(how: Learning) -> Iterator[None]:
    """Use our own seed and number of threads, and restore the old ones afterwards."""
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
    """Build the network; its parameters have the names that `lstm_file` takes."""
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
    """Return the mean -ln p over all units and ends of some sentences, and how many these are."""
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
    # What fills up a row stands behind all that counts, so that it changes nothing.
    vectors = network["dropout"](network["lstm"](x)[0][there])
    logits = nn.functional.linear(vectors, network["table"].weight, network.common)
    return nn.functional.cross_entropy(logits, wanted[there]), int((targets >= 0).sum())


def perplexity(network: Any, sentences: Sentences) -> float:
    """Return the perplexity of sentences, ends included; what a network lacks counts as one unit."""
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
    """Yield indices of sentences of about one length, so many units together; in random order with rng."""
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

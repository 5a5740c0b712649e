"""A bidirectional GRU with pooling over word vectors: arrays, preparation of tables, and training with torch.

This is the deep baseline of Groves et al. (2018). The paper states only its architecture and its input, sub-word
vectors. The other choices are ours: dropout sets a fifth of the vectors' values to 0 in training, the learning rate
decays to 0, and the number of steps, of 32 texts each, is tuned. Training runs on one CPU thread, so that the same seed
gives the same network.

A table of word vectors is not standardised column by column, and missing vectors are not imputed; instead, a flag for
each position tells whether it has a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.files.resources import require_package
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.table import LEARNERS, Learner
from naturalness.models.learners.units import MATRIX, Form, Parts, by_row, margins, require, require_shapes
from naturalness.models.networks import single_thread
from naturalness.models.vectors import WIDTH
from naturalness.statistics.logistic import sigmoid
from naturalness_replication.coalitions import by_coalitions

DROPOUT = 0.2
"""The share of dimensions, 0..1, that dropout sets to 0 in training: the same dimensions in all words of a text."""
MAX_GRADIENT = 5.0
"""The norm at which gradients are clipped."""
NAME = "bigru"
"""The name of the learner, which importing this module adds to the core's."""
GRID = {"steps": [100, 300], "size": [64]}
"""The parameters that are tuned."""
BATCH_TEXTS = 256
"""The number of texts that are scored in a batch."""


@dataclass(frozen=True, slots=True)
class Recurrent:
    """A bidirectional GRU (Cho et al. 2014), whose states are pooled over words by mean and maximum and give a margin.

    In each array, the rows of the forward GRU precede those of the backward GRU, and within a GRU the rows of the three
    gates are in the order reset, update, new.

    *Shapes:* for vectors of w dimensions and h hidden units per GRU, ``into`` (6h, w), ``across`` (6h, h),
    ``into_bias`` and ``across_bias`` (6h,), ``last`` (4h,).
    """

    kind: ClassVar[str] = "recurrent"
    into: FloatArray = field(metadata=MATRIX)
    across: FloatArray = field(metadata=MATRIX)
    into_bias: FloatArray
    across_bias: FloatArray
    last: FloatArray
    """The output weights: first the weights of the means, then the weights of the maxima."""
    intercept: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the margin (or rating) of each row."""
        texts = words_of(rows, self.into.shape[1])
        sums = np.array([(self._pooled(words) * self.last).sum() for words in texts])
        return sums.astype(np.float64) + float(self.intercept[0])

    def check(self, name: str, width: int) -> None:
        """Raise an error unless the arrays' shapes fit both GRUs and the rows (vectors, and a flag per position)."""
        size, vector = self.across.shape[1], self.into.shape[1]
        gates = 6 * size
        require_shapes(self, name, intercept=(1,))
        require(size > 0 and len(self.across) == gates, f"{name}.across", "shape")
        require(vector > 0 and len(self.into) == gates and width % (vector + 1) == 0, f"{name}.into", "shape")
        require_shapes(self, name, into_bias=(gates,), across_bias=(gates,), last=(4 * size,))

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return exact Shapley values, computed from all coalitions of parts."""
        return by_row(lambda row: by_coalitions(self.decide, row, background, parts), rows, parts)

    def _pooled(self, words: FloatArray) -> FloatArray:
        """Return the means and the maxima, over words, of the states of both GRUs, (4h,)."""
        read = np.stack([(self.into * word).sum(axis=1) for word in words]) + self.into_bias
        half = read.shape[1] // 2
        states = np.hstack(
            [
                _run(read[:, :half], self.across[:half], self.across_bias[:half]),
                _run(read[::-1, half:], self.across[half:], self.across_bias[half:])[::-1],
            ]
        )
        return np.concatenate([states.sum(axis=0) / len(states), states.max(axis=0)])


def _run(read: FloatArray, across: FloatArray, bias: FloatArray) -> FloatArray:
    """Return the states of a GRU after each word, (n_words, h); ``read`` is the input projection of the words."""
    h = across.shape[1]
    state = np.zeros(h)
    states = np.empty((len(read), h))
    for i, word in enumerate(read):
        gates = (across * state).sum(axis=1) + bias
        reset, update = sigmoid(word[: 2 * h] + gates[: 2 * h]).reshape(2, h)
        new = np.tanh(word[2 * h :] + reset * gates[2 * h :])
        state = (1.0 - update) * new + update * state
        states[i] = state
    return states


def prepare_words(n_columns: int) -> Preparation:
    """Return a fixed preparation for a table of word vectors; nothing is learned from the table.

    The input vectors are unit vectors, and are scaled so that their values have a standard deviation of about 1. The
    vectors are followed by a flag for each position, which is 1 if the position has no word.
    """
    positions, rest = divmod(n_columns, WIDTH)
    if rest or not positions:
        raise TrainingError(
            f"a table of {n_columns} columns; a learner that reads words in their order takes the "
            f"group vectors:N alone ({WIDTH} columns for each of N words)"
        )
    return Preparation(
        fill=np.zeros(n_columns),
        marked=np.arange(positions, dtype=np.int64) * WIDTH,
        mean=np.zeros(n_columns + positions),
        scale=np.concatenate([np.full(n_columns, WIDTH**-0.5), np.ones(positions)]),
        selected=np.arange(n_columns + positions, dtype=np.int64),
    )


def words_of(rows: FloatArray, width: int) -> list[FloatArray]:
    """Return the word vectors of each prepared row, (n_words, width); a single zero vector if a row has no words.

    *Shape:* rows (n, positions * (width + 1)).
    """
    positions = rows.shape[1] // (width + 1)
    vectors = rows[:, : positions * width].reshape(len(rows), positions, width)
    there = rows[:, positions * width :] == 0.0
    return [text[here] if here.any() else np.zeros((1, width)) for text, here in zip(vectors, there, strict=True)]


class BiGru:
    """A torch network that is trained to predict margins between two classes, or ratings."""

    def __init__(
        self,
        *,
        random_state: int = 0,
        classes: bool = True,
        steps: int = 300,
        size: int = 64,
        batch: int = 32,
        rate: float = 0.002,
    ) -> None:
        self.random_state = random_state
        self.classes = classes
        self.steps = steps
        self.size = size
        self.batch = batch
        self.rate = rate

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> BiGru:
        """Train on rows prepared by `prepare_words`; classes are 0 and 1."""
        require_package("torch", user=f"learner {NAME!r}", extra="neural")
        import torch

        if min(self.steps, self.size, self.batch, self.rate) <= 0:
            raise TrainingError(
                f"steps={self.steps!r}, size={self.size!r}, batch={self.batch!r}, "
                f"rate={self.rate!r}; expected all of them above 0"
            )

        texts = [torch.tensor(text, dtype=torch.float32) for text in words_of(rows, WIDTH)]
        targets = torch.tensor(np.asarray(target), dtype=torch.float32)
        weight = torch.tensor(sample_weight / sample_weight.mean(), dtype=torch.float32)
        loss = torch.nn.BCEWithLogitsLoss if self.classes else torch.nn.MSELoss
        losses = loss(reduction="none")
        with torch.random.fork_rng(devices=[]), single_thread():
            torch.manual_seed(self.random_state)
            self.network_ = _network(self.size)
            mover = torch.optim.Adam(self.network_.parameters(), lr=self.rate)
            falling = torch.optim.lr_scheduler.LambdaLR(mover, lambda step: 1 - step / self.steps)
            for at in islice(_batches(len(texts), self.batch), self.steps):
                mover.zero_grad()
                predictions = _margins(self.network_, [texts[i] for i in at], DROPOUT)
                (losses(predictions, targets[at]) * weight[at]).mean().backward()
                torch.nn.utils.clip_grad_norm_(self.network_.parameters(), MAX_GRADIENT)
                mover.step()
                falling.step()
        self.network_.double()
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return the margin of each row, or its rating."""
        import torch

        texts = [torch.tensor(text) for text in words_of(rows, WIDTH)]
        with torch.inference_mode(), single_thread():
            parts = [
                _margins(self.network_, texts[i : i + BATCH_TEXTS]).numpy() for i in range(0, len(texts), BATCH_TEXTS)
            ]
        return np.concatenate(parts) if parts else np.empty(0)


def compile_recurrent(estimator: BiGru) -> Recurrent:
    """Return the arrays of a trained network."""
    state = {name: value.numpy() for name, value in estimator.network_.state_dict().items()}

    def both(name: str) -> FloatArray:
        sides = [state[f"gru.{name}_l0"], state[f"gru.{name}_l0_reverse"]]
        return np.concatenate(sides).astype(np.float64)

    return Recurrent(
        into=both("weight_ih"),
        across=both("weight_hh"),
        into_bias=both("bias_ih"),
        across_bias=both("bias_hh"),
        last=state["last.weight"].astype(np.float64).ravel(),
        intercept=state["last.bias"].astype(np.float64),
    )


def _batches(n: int, size: int) -> Iterator[Any]:
    """Yield batches of text indices endlessly; each pass over the texts has a new random order."""
    import torch

    while True:
        yield from torch.randperm(n).split(size)


def _network(size: int) -> Any:
    import torch

    return torch.nn.ModuleDict(
        {"gru": torch.nn.GRU(WIDTH, size, batch_first=True, bidirectional=True), "last": torch.nn.Linear(4 * size, 1)}
    )


def _margins(network: Any, texts: Sequence[Any], dropped: float = 0.0) -> Any:
    """Return the network's output for each text."""
    import torch
    from torch.nn.utils import rnn

    words = rnn.pad_sequence(list(texts), batch_first=True)
    if dropped:
        ones = torch.ones(len(texts), 1, words.shape[2])
        words = words * torch.nn.functional.dropout(ones, dropped)
    lengths = torch.tensor([len(text) for text in texts])
    packed = rnn.pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
    states, _ = rnn.pad_packed_sequence(network["gru"](packed)[0], batch_first=True)
    there = (torch.arange(states.shape[1]) < lengths[:, None])[:, :, None]
    mean = (states * there).sum(1) / lengths[:, None]
    largest = states.masked_fill(~there, -torch.inf).amax(1)
    return network["last"](torch.cat([mean, largest], 1))[:, 0]


LEARNERS[NAME] = Learner(
    Form(compile_recurrent, margins),
    lambda seed, parameters: BiGru(random_state=seed, classes=True, **parameters),
    lambda seed, parameters: BiGru(random_state=seed, classes=False, **parameters),
    GRID,
    GRID,
    preparation=prepare_words,
)

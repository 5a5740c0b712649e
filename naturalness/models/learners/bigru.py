"""Training of a pooled bidirectional GRU, the deep baseline of Groves et al. (2018), with torch.

The paper names its shape and its input, sub-word vectors, and no more. Here: vectors lose a fifth
of their numbers at random while it learns, the learning rate falls to nothing, and the number of
steps, of 32 texts each, is what is tuned. On one thread of the processor, so that the same seed
gives the same network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.files.resources import require_package
from naturalness.models.learners.recurrent import Recurrent
from naturalness.models.learners.words import words_of
from naturalness.models.networks import one_thread
from naturalness.models.vectors import WIDTH

DROPPED = 0.2
"""Share of the vectors' numbers that are hidden, the same in all words of a text."""
LONGEST_STEP = 5.0
"""Length at which gradients are cut."""
AT_ONCE = 256
"""Texts that are judged together."""


class BiGru(BaseEstimator):  # type: ignore[misc]  # no stubs
    """Learns margins of two classes, or ratings."""

    def __init__(
        self,
        seed: int = 0,
        *,
        classes: bool = True,
        steps: int = 300,
        size: int = 64,
        batch: int = 32,
        rate: float = 0.002,
    ) -> None:
        self.seed = seed
        self.classes = classes
        self.steps = steps
        self.size = size
        self.batch = batch
        self.rate = rate

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> BiGru:
        """Learn from rows that `prepare_words` made ready; classes are 0 and 1."""
        require_package("torch", user="learner 'bigru'", extra="neural")
        import torch

        if min(self.steps, self.size, self.batch, self.rate) <= 0:
            raise TrainingError(
                f"steps={self.steps!r}, size={self.size!r}, batch={self.batch!r}, "
                f"rate={self.rate!r}; expected all of them above 0"
            )

        texts = [torch.tensor(text, dtype=torch.float32) for text in words_of(rows, WIDTH)]
        wanted = torch.tensor(np.asarray(target), dtype=torch.float32)
        weight = torch.tensor(sample_weight / sample_weight.mean(), dtype=torch.float32)
        loss = torch.nn.BCEWithLogitsLoss if self.classes else torch.nn.MSELoss
        losses = loss(reduction="none")
        with torch.random.fork_rng(devices=[]), one_thread():
            torch.manual_seed(self.seed)
            self.network_ = _network(self.size)
            mover = torch.optim.Adam(self.network_.parameters(), lr=self.rate)
            falling = torch.optim.lr_scheduler.LambdaLR(mover, lambda step: 1 - step / self.steps)
            for at in islice(_batches(len(texts), self.batch), self.steps):
                mover.zero_grad()
                found = _margins(self.network_, [texts[i] for i in at], DROPPED)
                (losses(found, wanted[at]) * weight[at]).mean().backward()
                torch.nn.utils.clip_grad_norm_(self.network_.parameters(), LONGEST_STEP)
                mover.step()
                falling.step()
        self.network_.double()
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Margins, or ratings."""
        import torch

        texts = [torch.tensor(text) for text in words_of(rows, WIDTH)]
        with torch.inference_mode(), one_thread():
            parts = [_margins(self.network_, texts[i : i + AT_ONCE]).numpy() for i in range(0, len(texts), AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty(0)

    def unit(self) -> Recurrent:
        """The same as arrays."""
        own = {name: value.numpy() for name, value in self.network_.state_dict().items()}

        def both(name: str) -> FloatArray:
            sides = [own[f"gru.{name}_l0"], own[f"gru.{name}_l0_reverse"]]
            return np.concatenate(sides).astype(np.float64)

        return Recurrent(
            into=both("weight_ih"),
            across=both("weight_hh"),
            into_bias=both("bias_ih"),
            across_bias=both("bias_hh"),
            last=own["last.weight"].astype(np.float64).ravel(),
            intercept=own["last.bias"].astype(np.float64),
        )


def _batches(n: int, size: int) -> Iterator[Any]:
    """Numbers of texts, all of them in a new order again and again."""
    import torch

    while True:
        yield from torch.randperm(n).split(size)


def _network(size: int) -> Any:
    import torch

    return torch.nn.ModuleDict(
        {"gru": torch.nn.GRU(WIDTH, size, batch_first=True, bidirectional=True), "last": torch.nn.Linear(4 * size, 1)}
    )


def _margins(network: Any, texts: Sequence[Any], dropped: float = 0.0) -> Any:
    """One number per text."""
    import torch
    from torch.nn.utils import rnn

    words = rnn.pad_sequence(list(texts), batch_first=True)
    if dropped:
        whole = torch.ones(len(texts), 1, words.shape[2])
        words = words * torch.nn.functional.dropout(whole, dropped)
    lengths = torch.tensor([len(text) for text in texts])
    packed = rnn.pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
    states, _ = rnn.pad_packed_sequence(network["gru"](packed)[0], batch_first=True)
    there = (torch.arange(states.shape[1]) < lengths[:, None])[:, :, None]
    mean = (states * there).sum(1) / lengths[:, None]
    most = states.masked_fill(~there, -torch.inf).amax(1)
    return network["last"](torch.cat([mean, most], 1))[:, 0]

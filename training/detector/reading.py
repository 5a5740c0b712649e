"""A trained body as a network of the package's detector, run by torch: to measure it before it is exported."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from naturalness.models.detector import KINDS, Reading, Words
from naturalness.models.pieces import END, START, Pieces
from training.detector.network import Body, load
from training.mpnet import PLACES


@dataclass(frozen=True, slots=True)
class BodyNetwork:
    """Stands for `naturalness.models.detector.Network` where damage is asked for: over a network in torch."""

    body: Body
    pieces: Pieces
    kinds: tuple[str, ...] = KINDS
    max_pieces: int = PLACES

    def cut(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces, as many as fit."""
        return self.pieces.of_word(word)[: self.max_pieces - 2]

    def read(self, texts: Sequence[Words]) -> list[Reading]:
        """Return what the network says of texts, each a row of pieces for each of its words."""
        return [self._read(words) for words in texts]

    def _read(self, words: Words) -> Reading:
        ids, first = [self.pieces.rows[START]], []
        for pieces in words:
            first.append(len(ids))
            ids += pieces
        ids = [*ids[: self.max_pieces - 1], self.pieces.rows[END]]
        row = torch.tensor([ids])
        with torch.inference_mode():
            there = torch.ones_like(row, dtype=torch.bool)
            kinds, sound, _ = self.body(row, there)
            states = self.body.states(row, there)
            logs = torch.log_softmax(kinds[0, first].double(), -1)
            of_words = states[0, first]
            pooled = torch.stack([of_words.sum(0), of_words.amax(0)])
        return Reading(float(sound[0]), math.nan, np.asarray(logs.numpy(), np.float64), pooled.numpy())


def open_body(path: Path) -> BodyNetwork:
    """The network of a checkpoint."""
    body = load(path)
    return BodyNetwork(body, Pieces.of(body.vocabulary))

"""Examples as tensors: the body's vectors of pieces, shapes of words, gold spans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from naturalness.arrays import Float32Array
from naturalness.models.detector import CutWords, Network
from naturalness.models.pieces import SHAPES, shape
from training.constituency.crf import cell
from training.constituency.examples import TAGS, Example, known_label

NONE = SHAPES.index("none")


class Body:
    """A detector's body with a cache, since epochs repeat sentences; vectors are stored in sixteen bits."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._read: dict[CutWords, Float32Array] = {}

    @property
    def width(self) -> int:
        """Return the width of a vector."""
        ((_, vectors),) = self.network.read_pieces([self.cut("a")])
        return int(vectors.shape[1])

    def cut(self, words: Sequence[str]) -> CutWords:
        """Return the word pieces of words."""
        return tuple(map(self.network.cut, words))

    def fits(self, words: Sequence[str]) -> bool:
        """Return whether a sentence fits into one pass."""
        return sum(map(len, self.cut(words))) <= self.network.max_pieces - 2

    def vectors(self, sentences: Sequence[CutWords]) -> list[Tensor]:
        """Return vectors (pieces, width) of each sentence, start and end markers included."""
        new = [words for words in dict.fromkeys(sentences) if words not in self._read]
        for words, (_, vectors) in zip(new, self.network.read_pieces(new), strict=True):
            self._read[words] = vectors.astype(np.float16)
        return [torch.from_numpy(self._read[words].astype(np.float32)) for words in sentences]


def collate(body: Body, sentences: Sequence[Sequence[str]], styles: Sequence[int]) -> dict[str, Tensor]:
    """Return a batch: vectors and shapes of pieces, and the first and last piece of each word."""
    cut = [body.cut(words) for words in sentences]
    columns: dict[str, list[Tensor]] = {"vectors": body.vectors(cut), "shapes": [], "first": [], "last": []}
    for words, parts in zip(sentences, cut, strict=True):
        look = [shape(word, i) for i, word in enumerate(words)]
        shapes = [NONE, *(s for s, pieces in zip(look, parts, strict=True) for _ in pieces), NONE]
        ends = torch.tensor([0, *map(len, parts), 1]).cumsum(0)
        columns["shapes"].append(torch.tensor(shapes))
        columns["last"].append(ends)
        columns["first"].append(torch.cat([ends[:1], ends[:-1] + 1]))
    batch = {name: pad_sequence(rows, batch_first=True) for name, rows in columns.items()}
    batch["style"] = torch.tensor(list(styles))
    return batch


def gold(examples: Sequence[Example], labels: dict[str, int]) -> tuple[Tensor, Tensor, Tensor]:
    """Return lengths, gold spans as (sentence, span, label) rows, and tags (-100 for none)."""
    n = max(len(example.words) for example in examples)
    rows = [
        (b, cell(span.start, span.stop, n), known_label(span.label, labels))
        for b, example in enumerate(examples)
        for span in example.spans
    ]
    index = {tag: i for i, tag in enumerate(TAGS)}
    tags = [torch.tensor([index.get(tag, -100) for tag in e.tags]) for e in examples]
    lengths = torch.tensor([len(e.words) for e in examples])
    return lengths, torch.tensor(rows), pad_sequence(tags, batch_first=True, padding_value=-100)

"""Examples as tensors: pieces, shapes, gold spans."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from naturalness.models.pieces import END, SHAPES, START, Pieces, shape
from training.constituency.crf import cell
from training.constituency.examples import TAGS, Example, known_label

NONE = SHAPES.index("none")


def collate(pieces: Pieces, sentences: Sequence[Sequence[str]], styles: Sequence[int]) -> dict[str, Tensor]:
    """Pieces and shapes, and the first and last piece of each word, for a batch."""
    start, end = pieces.rows[START], pieces.rows[END]
    columns: dict[str, list[Tensor]] = {"ids": [], "shapes": [], "first": [], "last": []}
    for words in sentences:
        cut = [pieces.of_word(word) for word in words]
        ids = [start, *(p for parts in cut for p in parts), end]
        look = [shape(word, i) for i, word in enumerate(words)]
        shapes = [NONE, *(s for s, parts in zip(look, cut, strict=True) for _ in parts), NONE]
        ends = torch.tensor([0, *(len(parts) for parts in cut), 1]).cumsum(0)
        columns["ids"].append(torch.tensor(ids))
        columns["shapes"].append(torch.tensor(shapes))
        columns["last"].append(ends)
        columns["first"].append(torch.cat([ends[:1], ends[:-1] + 1]))
    lengths = torch.tensor([len(ids) for ids in columns["ids"]])
    batch = {name: pad_sequence(rows, batch_first=True) for name, rows in columns.items()}
    batch["mask"] = torch.arange(batch["ids"].shape[1]) < lengths.unsqueeze(1)
    batch["style"] = torch.tensor(list(styles))
    return batch


def gold(examples: Sequence[Example], labels: dict[str, int]) -> tuple[Tensor, Tensor, Tensor]:
    """Lengths; rows of row, span, label; tags (-100 where there is none)."""
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

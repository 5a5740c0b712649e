"""Trees as tensors: labels, pieces, gold spans; blurred so that the parser stands odd typing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from naturalness.models.parsers.chart.pieces import END, SHAPES, START, Pieces, shape
from naturalness.models.parsers.tree import CHAIN, Node, Span, spans
from training.constituency.crf import place
from training.constituency.network import TAGS

OFTEN = 20
"""Times a chain of labels must occur to be a label of its own."""
NONE = SHAPES.index("none")


@dataclass(frozen=True)
class Example:
    """A sentence with its spans, in the style of a treebank."""

    words: list[str]
    tags: list[str]
    spans: list[Span]
    style: int


def label_set(examples: Iterable[Example]) -> list[str]:
    """Labels and frequent chains of labels."""
    counts = Counter(span.label for e in examples for span in e.spans)
    single = {part for label in counts for part in label.split(CHAIN)}
    kept = single | {label for label, n in counts.items() if n >= OFTEN}
    return sorted(kept, key=lambda label: (-counts[label], label))


def example(root: Node, words: list[str], tags: list[str], style: int) -> Example:
    """From a tree."""
    return Example(words, tags, spans(root), style)


def known_label(label: str, places: dict[str, int]) -> int:
    """Place of a label; a rare chain is cut down from inside until it is known."""
    while label not in places:
        label = label.rpartition(CHAIN)[0]
    return places[label]


def blurred(given: Example, rng: random.Random) -> Example:
    """Now and then in lower case, without the full stop at the end, or both."""
    words, tags, found = given.words, given.tags, given.spans
    if rng.random() < 0.2:
        words = [word.lower() for word in words]
    if rng.random() < 0.15 and len(words) > 2 and words[-1] in {".", "!", "?"}:
        n = len(words) - 1
        cut = [Span(s.start, min(s.stop, n), s.label) for s in found if s.start < n]
        if len({(s.start, s.stop) for s in cut}) == len(cut):
            words, tags, found = words[:n], tags[:n], cut
    return Example(words, tags, found, given.style)


def collate(
    pieces: Pieces, sentences: Sequence[Sequence[str]], styles: Sequence[int]
) -> dict[str, Tensor]:
    """Pieces and shapes, and the first and last piece of each word, for a batch."""
    start, end = pieces.places[START], pieces.places[END]
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


def gold(examples: Sequence[Example], places: dict[str, int]) -> tuple[Tensor, Tensor, Tensor]:
    """Lengths; rows of row, span, label; tags (-100 where there is none)."""
    n = max(len(given.words) for given in examples)
    rows = [
        (b, place(span.start, span.stop, n), known_label(span.label, places))
        for b, given in enumerate(examples)
        for span in given.spans
    ]
    index = {tag: i for i, tag in enumerate(TAGS)}
    tags = [torch.tensor([index.get(tag, -100) for tag in e.tags]) for e in examples]
    lengths = torch.tensor([len(e.words) for e in examples])
    return lengths, torch.tensor(rows), pad_sequence(tags, batch_first=True, padding_value=-100)


def plan(lengths: Sequence[int], size: int, rng: random.Random) -> list[list[int]]:
    """Rows in batches of like length, at most ``size`` squared words each, in random order."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] + rng.random() * 3)
    out: list[list[int]] = [[]]
    longest = 0
    for i in order:
        longest = max(longest, lengths[i])
        if out[-1] and (longest + 12) ** 2 * (len(out[-1]) + 1) > size:
            out.append([])
            longest = lengths[i]
        out[-1].append(i)
    rng.shuffle(out)
    return out

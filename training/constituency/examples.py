"""Training examples for the parser: labelled trees, some with altered typing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from naturalness.models.parsers.tree import CHAIN, Node, Span, spans
from training.tables import read_table

OFTEN = 20
"""Times a chain of labels must occur to be a label of its own."""
TAGS: Sequence[str] = read_table(__file__, "tags.toml")["penn"]


@dataclass(frozen=True)
class Example:
    """A sentence with its spans, in the style of a treebank."""

    words: list[str]
    tags: list[str]
    spans: list[Span]
    style: int


def label_set(examples: Iterable[Example]) -> list[str]:
    """Return the labels and the frequent chains of labels."""
    counts = Counter(span.label for e in examples for span in e.spans)
    single = {part for label in counts for part in label.split(CHAIN)}
    labels = single | {label for label, n in counts.items() if n >= OFTEN}
    return sorted(labels, key=lambda label: (-counts[label], label))


def example(root: Node, words: list[str], tags: list[str], style: int) -> Example:
    """Return the example of a tree."""
    return Example(words, tags, spans(root), style)


def known_label(label: str, labels: dict[str, int]) -> int:
    """Return the index of a label; a rare chain loses its innermost labels until it is known."""
    parts = label.split(CHAIN)
    for n in range(len(parts), 0, -1):
        if (shorter := CHAIN.join(parts[:n])) in labels:
            return labels[shorter]
    raise ValueError(f"label {label!r} is not known, and neither is {parts[0]!r}")


def blurred(clear: Example, rng: random.Random) -> Example:
    """Return the example, at random in lower case, without its final mark, or both."""
    words, tags, spans = clear.words, clear.tags, clear.spans
    if rng.random() < 0.2:
        words = [word.lower() for word in words]
    if rng.random() < 0.15 and len(words) > 2 and words[-1] in {".", "!", "?"}:
        n = len(words) - 1
        cut = [Span(s.start, min(s.stop, n), s.label) for s in spans if s.start < n]
        if len({(s.start, s.stop) for s in cut}) == len(cut):
            words, tags, spans = words[:n], tags[:n], cut
    return Example(words, tags, spans, clear.style)

"""Productions of a treebank grammar: what constituents are made of, and the words of tags.

Nodes over the same words are one symbol (`S+VP`), so no production leads from a symbol to a single
other one, and a tree of n words has no more than n nodes. A sentence's own label is left out: all
productions of `TOP` are sentences that end in a full stop.

The grammar is biased to terminals: of a symbol's productions, those of tags alone weigh
`terminal_bias` times as much as they were counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from naturalness.generating.tagged import Tagged, inner, is_usable
from naturalness.models.parsers.tree import CHAIN, Bracketed, Node

TOP = "<TOP>"
END = "<.>"
"""The tag of the full stop that ends a text."""
TERMINAL_BIAS = 2.0
Production = tuple[str, ...]
"""The children of a node: constituents in angle brackets, and tags."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Shares of the productions of each symbol, and counts of the words of each tag."""

    productions: Mapping[str, Mapping[Production, float]]
    words: Mapping[str, Mapping[str, int]]


def count_productions(
    trees: Iterable[Bracketed], tagged: Iterable[Tagged] = (), *, terminal_bias: float = TERMINAL_BIAS
) -> Grammar:
    """The grammar of trees of whole sentences, with more words from tagged ones.

    Trees of sentences that `tagged.is_usable` would leave out are left out, as are those whose full
    stop is deep in the tree. Words of tags that no tree has are of no use, and are left out too.
    """
    counts: defaultdict[str, Counter[Production]] = defaultdict(Counter)
    words: dict[str, Counter[str]] = defaultdict(Counter)
    for root, texts, tags in trees:
        last = len(texts) - 1
        if not is_usable(texts, tags) or _end(root) != last:
            continue
        tags = [*tags[:-1], END]
        _count(root, tags, counts)
        for i, (text, tag) in enumerate(zip(texts, tags, strict=True)):
            words[tag][text if i else inner(text, tag)] += 1
    for sentence in tagged:
        for text, _, tag in sentence[:-1]:
            if tag in words:
                words[tag][text] += 1
    return Grammar({label: _shares(own, terminal_bias) for label, own in counts.items()}, words)


def _end(root: Node) -> int | None:
    """The last child of the root if it is a word; a chain's last node has the children."""
    while len(root.children) == 1 and isinstance(root.children[0], Node):
        root = root.children[0]
    child = root.children[-1]
    return child if isinstance(child, int) else None


def _count(root: Node, tags: Sequence[str], counts: defaultdict[str, Counter[Production]]) -> None:
    waiting = [(TOP, _joined(root)[1])]
    while waiting:
        label, node = waiting.pop()
        production = []
        for child in node.children:
            if isinstance(child, int):
                production.append(tags[child])
            else:
                name, inside = _joined(child)
                production.append(name)
                waiting.append((name, inside))
        counts[label][tuple(production)] += 1


def _joined(node: Node) -> tuple[str, Node]:
    """The symbol of a chain of nodes over the same words, and its last node."""
    labels = [node.label]
    while len(node.children) == 1 and isinstance(node.children[0], Node):
        node = node.children[0]
        labels.append(node.label)
    return f"<{CHAIN.join(labels)}>", node


def is_tag(symbol: str) -> bool:
    """Whether a symbol of a production stands for a word."""
    return symbol == END or not symbol.startswith("<")


def _shares(counts: Counter[Production], terminal_bias: float) -> dict[Production, float]:
    weights = {
        production: n * (terminal_bias if all(map(is_tag, production)) else 1.0) for production, n in counts.items()
    }
    total = sum(weights.values())
    return {production: weight / total for production, weight in weights.items()}

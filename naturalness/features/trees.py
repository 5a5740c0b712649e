"""Statistics of constituency trees: height, phrases and branching."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from naturalness.features.base import NAN
from naturalness.models.parsers.tree import Node, nodes

PHRASES = ("NP", "VP", "PP", "ADJP", "SBAR")
FRAGMENTS = frozenset({"FRAG", "X"})
CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ"})
CONJUNCTION, CONJUNCTION_PHRASE = "CC", "CONJP"
MARKS = frozenset({",", ".", ":", "``", "''", "-RRB-", "HYPH", "NFP"})


@dataclass
class TreeCounts:
    """Counts over all trees of a text."""

    heights: list[int] = field(default_factory=list)
    constituents: int = 0
    phrases: dict[str, list[int]] = field(default_factory=lambda: {p: [] for p in PHRASES})
    """Phrase lengths, in tokens, keyed by phrase label."""
    coordinations: int = 0
    unaries: int = 0
    children: int = 0
    widest: int = 0
    right: list[float] = field(default_factory=list)
    fragments: int = 0
    clauses: int = 0

    def values(self, tokens: int, sentences: int) -> tuple[float, ...]:
        """Return the values of the features from ``tree_height`` on, in the order of the group's table."""
        n = self.constituents
        phrases = (value for lengths in self.phrases.values() for value in (float(len(lengths)), mean(lengths)))
        return (
            sum(self.heights) / sentences,
            float(n + tokens),
            float(n),
            n / (n + tokens),
            *phrases,
            float(self.coordinations),
            self.unaries / n,
            self.children / n,
            float(self.widest),
            mean(self.right),
            self.fragments / sentences,
            self.clauses / sentences,
        )


def count_tree(root: Node, tags: Sequence[str], counts: TreeCounts) -> None:
    """Add the constituents of a tree to ``counts``; ``tags`` are the tags of the tree's words."""
    counts.heights.append(height(root))
    counts.fragments += root.label in FRAGMENTS
    counts.clauses += root.label in CLAUSES
    for node in nodes(root):
        counts.constituents += 1
        counts.children += len(node.children)
        counts.widest = max(counts.widest, len(node.children))
        if node.label in counts.phrases:
            counts.phrases[node.label].append(node.stop - node.start)
        counts.unaries += len(node.children) == 1 and isinstance(node.children[0], Node)
        counts.coordinations += any(_joins(child, tags) for child in node.children)
        share = right_share(node, tags)
        if share is not None:
            counts.right.append(share)


def height(root: Node) -> int:
    """Return the number of constituents on the longest path from the root to a word."""
    levels, level = 0, [root]
    while level:
        levels += 1
        level = [child for node in level for child in node.children if isinstance(child, Node)]
    return levels


def right_share(node: Node, tags: Sequence[str]) -> float | None:
    """Return the last child's share of a node's tokens, ignoring final punctuation; None if there is only one child."""
    children = list(node.children)
    while children and isinstance(children[-1], int) and tags[children[-1]] in MARKS:
        children.pop()
    if len(children) < 2:
        return None
    last = children[-1]
    start, stop = (last, last + 1) if isinstance(last, int) else (last.start, last.stop)
    return (stop - start) / (stop - node.start)


def _joins(child: Node | int, tags: Sequence[str]) -> bool:
    if isinstance(child, int):
        return tags[child] == CONJUNCTION
    return child.label == CONJUNCTION_PHRASE


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values; NaN if there are none."""
    return math.fsum(values) / len(values) if values else NAN

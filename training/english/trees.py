"""The best dependency tree with one root, from the scores of all arcs."""

from __future__ import annotations

import networkx
import numpy as np


def single_rooted(scores: np.ndarray) -> np.ndarray:
    """Return the best head of each word (0 is the root) in a tree with one root; scores are (n, n + 1)."""
    n = len(scores)
    ranked = np.argsort(-scores[:, 0])
    greedy = scores.argmax(1)
    if (greedy == 0).sum() == 1 and networkx.is_tree(
        networkx.Graph(zip(range(1, n + 1), greedy.tolist(), strict=True))
    ):
        return greedy
    # The three likeliest roots are tried.
    trees = [_rooted(scores, int(root)) for root in ranked[:3]]
    return max(trees, key=lambda heads: float(scores[np.arange(n), heads].sum()))


def _rooted(scores: np.ndarray, root: int) -> np.ndarray:
    """Return the heads of the maximum spanning arborescence in which ``root`` is the only child of the root."""
    arcs = networkx.DiGraph()
    arcs.add_edge(0, root + 1, weight=0.0)
    for word, row in enumerate(scores):
        others = [head for head in range(1, scores.shape[1]) if word not in (root, head - 1)]
        arcs.add_weighted_edges_from((head, word + 1, float(row[head])) for head in others)
    tree = networkx.maximum_spanning_arborescence(arcs)
    heads = np.zeros(len(scores), int)
    for head, word in tree.edges:
        heads[word - 1] = head
    return heads

"""The best dependency tree with one root, from the scores of all arcs."""

from __future__ import annotations

import math

import numpy as np


def single_rooted(scores: np.ndarray) -> np.ndarray:
    """Best head of each word (0 is the root) in a tree with one root; scores are (n, n + 1).

    Where the best heads do not make a tree by themselves, the three likeliest roots are tried.
    """
    greedy = scores.argmax(1)
    if (greedy == 0).sum() == 1 and not find_cycle(greedy):
        return greedy
    best, best_score = greedy, -math.inf
    for root in np.argsort(-scores[:, 0])[:3]:
        limited = scores.copy()
        limited[:, 0] = -1e6
        limited[root, :] = -1e6
        limited[root, 0] = scores[root, 0]
        heads = edmonds(np.vstack([np.full(len(scores) + 1, -1e6), limited]))[1:]
        score = float(limited[np.arange(len(heads)), heads].sum())
        if score > best_score:
            best, best_score = heads, score
    return best


def find_cycle(heads: np.ndarray) -> list[int]:
    """Return the words (1-based) of a cycle among head choices, or an empty list."""
    state = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        path, node = [], start
        while node and not state[node]:
            state[node] = start
            path.append(node)
            node = int(heads[node - 1])
        if node and state[node] == start:
            return path[path.index(node) :]
    return []


def edmonds(scores: np.ndarray) -> np.ndarray:
    """Return the maximum spanning arborescence from node 0 (Chu & Liu, Edmonds); scores[dep, head]."""
    n = len(scores)
    scores = scores.copy()
    np.fill_diagonal(scores, -1e9)
    heads = scores.argmax(1)
    heads[0] = 0
    cycle = find_cycle(heads[1:])
    if not cycle:
        return heads
    inside = np.zeros(n, bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    gain = scores[cycle] - scores[cycle, heads[cycle]][:, None]
    enter = gain[:, outside].argmax(0)  # which word of the cycle an outside head would take over
    leave = scores[np.ix_(outside, cycle)].argmax(1)
    small = np.full((len(outside) + 1,) * 2, -1e9)
    small[:-1, :-1] = scores[np.ix_(outside, outside)]
    small[-1, :-1] = gain[:, outside].max(0)
    small[:-1, -1] = scores[np.ix_(outside, cycle)].max(1)
    solved = edmonds(small)
    result = heads.copy()
    for i, node in enumerate(outside):
        if node:
            h = solved[i]
            result[node] = cycle[leave[i]] if h == len(outside) else outside[h]
    entry = solved[-1]
    broken = cycle[enter[entry]]
    result[broken] = outside[entry]
    return result

"""The shape of dependency trees: height, balance, distances, crossings and clauses.

Heights are numbers of arcs: a root that has no dependents has height 0. Values computed per sentence are averaged over
the sentences of a text. Punctuation marks are not counted as words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from naturalness.arrays import IntArray
from naturalness.features.base import NAN, MeasuredGroup, column_means, ratio
from naturalness.features.pos import UPOS
from naturalness.text.view import Doc, View, view

COMPLEMENTS = frozenset({"ccomp", "xcomp", "csubj", "csubj:pass", "csubj:outer"})
RELATIVES = frozenset({"acl:relcl", "advcl:relcl"})
ADVERBIALS = frozenset({"advcl"})
SUBORDINATE = COMPLEMENTS | RELATIVES | ADVERBIALS | {"acl"}
SUBJECTS = ("nsubj", "csubj", "expl")
ROOT_TAGS = dict(zip(UPOS, np.eye(len(UPOS)).tolist(), strict=True))
NO_TAG = (0.0,) * len(UPOS)


def measure(doc: Doc) -> list[float]:
    """Return the values of a Doc in the order of ``tables/dependency.csv``."""
    seen = view(doc)
    shapes = [
        sentence_shape(seen, start, end, words)
        for (start, end), words in zip(seen.sentences, seen.sentence_words, strict=True)
    ]
    averages = column_means(shapes, 12 + len(UPOS))
    clauses = [dep for dep in seen.deps if dep in SUBORDINATE]
    subordinate = len(clauses)
    n_clauses = len(shapes) + subordinate
    return [
        *averages[:11],
        n_clauses,
        ratio(len(seen.words), n_clauses) if shapes else NAN,
        sum(dep in COMPLEMENTS for dep in clauses),
        sum(dep in RELATIVES for dep in clauses),
        sum(dep in ADVERBIALS for dep in clauses),
        seen.deps.count("aux:pass"),
        *averages[11:],
    ]


DEPENDENCY = MeasuredGroup(
    "dependency", "Measures of the dependency parse; the part of speech of the root has one column per tag.", measure
)


def sentence_shape(seen: View, start: int, end: int, words: Sequence[int]) -> list[float]:
    """Return the values of a sentence: the shape of its tree, whether the root has a subject, and the root's tag.

    The tag is one-hot encoded.
    """
    heads = seen.heads
    roots = [i for i in range(start, end) if heads[i] == i]
    dependents = Counter(heads[i] for i in range(start, end) if heads[i] != i)
    depth = _depths(heads, start, end)
    # A wrongly split sentence may have several roots; use the first root that is a word.
    root = next((r for r in roots if r in words), roots[0] if roots else words[0])
    gaps = [i - heads[i] for i in words if heads[i] != i]
    distances = [abs(gap) for gap in gaps]
    n_arcs = sum(dependents.values())
    before = sum(i < root for i in words)
    subject = any(heads[i] == root and seen.deps[i].startswith(SUBJECTS) for i in range(start, end))
    return [
        max(depth),
        max(depth[: root - start], default=0),
        max(depth[root - start + 1 :], default=0),
        before,
        len(words) - before - (root in words),
        ratio(sum(distances), len(distances)),
        max(distances, default=NAN),
        ratio(crossing_arcs(heads, start, end), n_arcs),
        ratio(n_arcs, len(dependents)),
        max(dependents.values(), default=0),
        ratio(sum(gap < 0 for gap in gaps), len(gaps)),
        float(subject),
        *ROOT_TAGS.get(seen.pos[root], NO_TAG),
    ]


def _depths(heads: Sequence[int], start: int, end: int) -> list[int]:
    """Return the depth of each token: the number of arcs between the token and its root."""
    depth = [-1] * (end - start)
    for i in range(start, end):
        path = []
        node = i
        while depth[node - start] < 0 and heads[node] != node:
            path.append(node)
            node = heads[node]
        base = depth[node - start] = max(depth[node - start], 0)
        for steps, passed in enumerate(reversed(path), start=1):
            depth[passed - start] = base + steps
    return depth


def crossing_arcs(heads: Sequence[int], start: int, end: int) -> int:
    """Return the number of arcs that cross at least one other arc."""
    tokens = np.arange(end - start)
    above = np.array(heads[start:end]) - start
    arcs = np.sort(np.column_stack([tokens, above]))
    arcs = arcs[arcs[:, 1] - arcs[:, 0] > 1]  # a root, or an arc between neighbours, crosses no arc
    low, high = arcs[:, 0], arcs[:, 1]
    furthest, nearest = np.full(end - start, -1), np.full(end - start, end)
    np.maximum.at(furthest, low, high)
    np.minimum.at(nearest, high, low)
    out_right = _extremes(np.maximum, furthest, low + 1, high) > high
    out_left = _extremes(np.minimum, nearest, low + 1, high) < low
    return int((out_right | out_left).sum())


def _extremes(extreme: np.ufunc, values: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
    """Return the largest (or smallest) value in each range from a start up to, but excluding, its end.

    No range may be empty.
    """
    extremes = np.empty(len(starts), dtype=np.int64)
    lengths, width = ends - starts, 1
    while len(values):  # `values` contains the extremes of all runs of `width` values
        fits = (width <= lengths) & (lengths < 2 * width)
        extremes[fits] = extreme(values[starts[fits]], values[ends[fits] - width])
        values = extreme(values[:-width], values[width:])
        width *= 2
    return extremes

"""The k best trees of a chart, exact and in order (the third algorithm of Huang & Chiang, 2005).

There are three kinds of nodes: the inside of a span of two or more words, whose choice is the first split; a span that
must have a label; and a span that may go without one, whose choice is the label. Each node has a list of its best
derivations, which grows when it is asked for more, and a heap of candidates. A derivation is a choice and, for each of
the nodes below, the rank of its derivation. The inside tables give the score of every choice with the best derivations
below, so a candidate costs nothing until it is popped; it is replaced, when a further derivation is needed, by
the candidates that take the next derivation of one of the nodes below.

Ties are won by the absence of a label, then by the lowest label, by the leftmost split, and by a change further right.
The order depends only on the scores, and the k best trees are the first k of the k + 1 best.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from numpy.typing import ArrayLike

from naturalness.models.parsers.base import ScoredTree
from naturalness.models.parsers.chart.inside import BEST, IMPOSSIBLE, Chart, fill
from naturalness.models.parsers.tree import Span

INSIDE, LABELLED, FREE = range(3)
"""The kinds of nodes: what is inside a span, a span that must have a label, and a span that may go without one."""
NO_LABEL = -1
Node = tuple[int, int, int]
"""The first word of a span, the word after its last, and the kind of node."""
Derivation = tuple[float, int, tuple[int, ...]]
"""The negated score, the choice (a label, or the first word of the second part), and the ranks of the nodes below."""


class Parse(NamedTuple):
    """A tree: its score (an unnormalised log-probability, base e) and its labelled spans (start, stop, label)."""

    score: float
    spans: tuple[tuple[int, int, int], ...]  # outer before inner, left to right


def best_trees(
    n: int, scores: ArrayLike, labels: Sequence[str], k: int, keep: int
) -> tuple[tuple[ScoredTree, ...], tuple[float, ...]]:
    """Return the best trees of n words, at most ``keep``, and the log-probabilities of the k best; see `search`."""
    log_z, parses = search(n, scores, k, keep)
    trees = tuple(
        ScoredTree(tuple(Span(start, stop, labels[label]) for start, stop, label in parse.spans), parse.score - log_z)
        for parse in parses[:keep]
    )
    return trees, tuple(parse.score - log_z for parse in parses)


def search(n: int, scores: ArrayLike, k: int, keep: int) -> tuple[float, list[Parse]]:
    """Return the log-sum over all trees of n words, and the k best trees, best first; ``scores`` are as in `fill`.

    The probability of a tree is exp(score - log-sum). Only the first ``keep`` trees have their spans, which take time.
    """
    chart = fill(n, scores)
    ranked = _Ranked(chart)
    root = 0, n, LABELLED
    parses: list[Parse] = []
    while len(parses) < k and (derivation := ranked.derivation(root, len(parses))):
        spans = ranked.spans(root, len(parses)) if len(parses) < keep else ()
        parses.append(Parse(-derivation[0], spans))
    return chart.log_partition, parses


class _Ranked:
    """The derivations of each node, best first, computed when they are needed."""

    def __init__(self, chart: Chart) -> None:
        self._words, self._labels = chart.words, chart.labels
        self._left, self._right = chart.left[BEST], chart.right[BEST]
        self._lists: dict[Node, tuple[list[Derivation], list[Derivation]]] = {}

    def derivation(self, node: Node, rank: int) -> Derivation | None:
        """Return the derivation of a rank, which counts from 0; None if there are fewer derivations."""
        if node not in self._lists:
            self._lists[node] = ([], self._candidates(node))
        best, heap = self._lists[node]
        while len(best) <= rank:
            # Candidates that differ from the last derivation in one rank below; a rank grows only while all later ranks
            # are 0, so each combination is added once. This is not a function of its own, since trees may be deep.
            cost, choice, ranks = best[-1] if best else (0.0, NO_LABEL, ())
            for at in range(len(ranks) - 1, -1, -1):
                below, now = _below(node, choice)[at], ranks[at]
                if following := self.derivation(below, now + 1):
                    grown = (*ranks[:at], now + 1, *ranks[at + 1 :])
                    heappush(heap, (cost - self._lists[below][0][now][0] + following[0], choice, grown))
                if now:
                    break
            if not heap:
                return None
            best.append(heappop(heap))
        return best[rank]

    def spans(self, root: Node, rank: int) -> tuple[tuple[int, int, int], ...]:
        """Return the labelled spans of a derivation."""
        spans = []
        waiting = [(root, rank)]
        while waiting:
            node, rank = waiting.pop()
            derivation = self.derivation(node, rank)
            assert derivation is not None
            _, choice, ranks = derivation
            start, stop, kind = node
            if kind != INSIDE and choice != NO_LABEL:
                spans.append((start, stop, choice))
            waiting += reversed([*zip(_below(node, choice), ranks, strict=True)])
        return tuple(spans)

    def _candidates(self, node: Node) -> list[Derivation]:
        """Return a heap of all choices with the best derivations below."""
        start, stop, kind = node
        heap: list[Derivation]
        if kind == INSIDE:
            width = stop - start
            sums = self._left[start, : width - 1] + self._right[stop - 1, self._words - width + 1 :]
            heap = [(-score, start + i, (0, 0)) for i, score in enumerate(sums.tolist(), 1) if score > IMPOSSIBLE]
        else:
            inside = self.derivation((start, stop, INSIDE), 0) if stop - start > 1 else (0.0,)
            ranks = (0,) * (stop - start > 1)
            scores = [(NO_LABEL, 0.0)] * (kind == FREE) + [*enumerate(self._labels[self._row(start, stop)].tolist())]
            heap = [
                (inside[0] - score, label, ranks)
                for label, score in scores
                if inside and score - inside[0] > IMPOSSIBLE
            ]
        heapify(heap)
        return heap

    def _row(self, start: int, stop: int) -> int:
        """Return the row of a span in the table of scores."""
        width = stop - start - 1
        return width * self._words - width * (width - 1) // 2 + start


def _below(node: Node, choice: int) -> list[Node]:
    """Return the nodes below a node that makes this choice."""
    start, stop, kind = node
    if kind == INSIDE:
        return [(start, choice, FREE if choice == start + 1 else LABELLED), (choice, stop, FREE)]
    return [(start, stop, INSIDE)] if stop - start > 1 else []

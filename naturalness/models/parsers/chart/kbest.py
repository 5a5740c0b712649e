"""The k best trees of a chart, exact and in order, each found by the cheapest change to a tree already found.

A tree is a sequence of choices: a label (or none) for each constituent and word, and the first split of each span of
two or more words. The inside tables give the loss of each choice: how much lower the score is than with the best choice
at the same place, if all choices below are the best. The losses of a tree's choices add up to the difference between
its score and the best score. The best tree therefore has a list of alternative choices ("changes"), sorted by loss.
Making the cheapest change gives the next tree, which has a list of its own: the remaining changes and those of its new
nodes. To find each tree only once, each change partitions the trees into those that make it and those that do not
(Lawler 1972): a tree that makes a change keeps the splits above it, and changes before it in the list are no longer
available. A heap holds the cheapest change of each set of the partition; k trees take k steps.

The third algorithm of Huang and Chiang (2005), with lists and heaps for every span, finds the same trees more slowly.

Ties between labels are won by the absence of a label, then by the lowest number; ties between splits are won by the
leftmost split; ties between changes are won by the change found first. Within a tree, changes are found outer before
inner, left before right, and labels before splits. The order thus depends only on the scores, and the k best trees are
the first k of the k + 1 best.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush, heapreplace
from itertools import count
from math import comb
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from naturalness.models.parsers.chart.inside import BEST, IMPOSSIBLE, Chart, fill

Mark = tuple[int, int, int] | None
"""Start, stop and label of a labelled span; None for a span without a label."""
Part = tuple[int, int, bool]
"""Start and stop of a constituent, word or sequence of siblings, and whether it may go without a label."""
Change = tuple[float, int, int, int, int, int]
"""Loss, position, end, choice, start and stop. Positions are indices into the tree's nodes in preorder. If the change
is to a label, end equals position, and choice is the label, or -1 for none. If it is to a split, choice is the width of
the first sibling, and the nodes between position and end are replaced."""
ROUNDING = 1e-9


class Parse(NamedTuple):
    """A tree: its score (an unnormalised log-probability, base e) and its labelled spans (start, stop, label)."""

    score: float
    spans: tuple[tuple[int, int, int], ...]  # outer before inner, left to right


def search(n: int, scores: ArrayLike, k: int) -> tuple[float, list[Parse]]:
    """Return the log-sum over all trees of n words, and the k best trees, best first; ``scores`` are as in `fill`.

    The probability of a tree is exp(score - log-sum).
    """
    chart = fill(n, scores)
    if k < 1 or chart.best == -math.inf:
        return chart.log_partition, []
    return chart.log_partition, _ranked(_Choices(chart, k), chart.best, k)


def _ranked(choices: _Choices, best: float, k: int) -> list[Parse]:
    marks: list[Mark]
    marks, changes = choices.best_below([(0, choices.words, False)], 0, choices.limit)
    changes.sort()
    del changes[k - 1 :]
    parses = [Parse(best, tuple(filter(None, marks)))]
    # Cost of the tree after the change; order of insertion; cost before the change; index of the change in the list.
    heap = [(changes[0][0], 0, 0.0, 0, changes, marks)] if changes else []
    arrived = 0
    while heap and len(parses) < k:
        cost, number, before, at, changes, marks = heap[0]
        if at + 1 < len(changes):
            heapreplace(heap, (before + changes[at + 1][0], number, before, at + 1, changes, marks))
        else:
            heappop(heap)
        changes, marks = choices.change(changes, at, marks, choices.limit - cost)
        parses.append(Parse(best - cost, tuple(filter(None, marks))))
        del changes[k - len(parses) :]  # further changes cannot give one of the k best trees
        if changes:
            arrived += 1
            heappush(heap, (cost + changes[0][0], arrived, cost, 0, changes, marks))
    return parses


class _Choices:
    """Cache of each part's labels and splits with their losses, best first, computed when a tree needs them."""

    def __init__(self, chart: Chart, k: int) -> None:
        self.words = chart.words
        self._left = chart.left[BEST].tolist()
        self._right = chart.right[BEST].tolist()
        self._scores = chart.labels
        self._splits: dict[tuple[int, int], list[tuple[float, int]]] = {}
        self._labels: dict[Part, list[tuple[float, int]]] = {}
        self.limit = self._limit(k)

    def change(
        self, changes: list[Change], at: int, marks: list[Mark], limit: float
    ) -> tuple[list[Change], list[Mark]]:
        """Make a change; return the changes that remain, with losses up to ``limit``, and the nodes of the new tree."""
        _, position, end, choice, start, stop = changes[at]
        later = changes[at + 1 :]
        marks = marks[:]
        if position == end:
            marks[position] = (start, stop, choice) if choice >= 0 else None
            # From now on, the splits above and the label of this node are fixed.
            rest = [c for c in later if not (c[1] < position < c[2] or c[1] == position == c[2])]
        else:
            middle = start + choice
            waiting = [(middle, stop, True), (start, middle, choice == 1)]
            marks[position + 1 : end], new = self.best_below(waiting, position + 1, limit)
            rest = [c for c in later if not (c[1] <= position < c[2] or position < c[1] < end)]
            rest += new
            rest.sort()
        while rest and rest[-1][0] > limit:
            rest.pop()
        return rest, marks

    def best_below(self, waiting: list[Part], position: int, limit: float) -> tuple[list[Mark], list[Change]]:
        """Return the nodes of each part's best tree, and the changes to these nodes that lose at most ``limit``.

        The nodes are numbered from ``position``. ``waiting`` is a stack: its last part comes first.
        """
        marks: list[Mark] = []
        changes: list[Change] = []
        while waiting:
            part = waiting.pop()
            start, stop, _ = part
            labels = self._labels.get(part) or self._look_up_labels(part)
            label = labels[0][1]
            marks.append((start, stop, label) if label >= 0 else None)
            for loss, label in labels[1:]:
                if loss > limit:
                    break
                changes.append((loss, position, position, label, start, stop))
            if stop - start > 1:
                splits = self._splits.get((start, stop)) or self._look_up_splits(start, stop)
                middle = start + splits[0][1]
                waiting += [(middle, stop, True), (start, middle, middle == start + 1)]
                end = position + 2 * (stop - start) - 1
                for loss, width in splits[1:]:
                    if loss > limit:
                        break
                    changes.append((loss, position, end, width, start, stop))
            position += 1
        return marks, changes

    def _look_up_splits(self, start: int, stop: int) -> list[tuple[float, int]]:
        """Return the loss of each split of a span, with the width of the split's first sibling, best first."""
        sums = self._sums(start, stop)
        best = max(sums)
        least = best - self.limit
        splits = [(best - s, width) for width, s in enumerate(sums, 1) if s >= least]
        splits.sort()
        self._splits[start, stop] = splits
        return splits

    def _look_up_labels(self, part: Part) -> list[tuple[float, int]]:
        """Return the loss of each label of a part, with the label, best first; -1 means no label."""
        start, stop, may_go_without = part
        bare = 0.0 if may_go_without else IMPOSSIBLE
        scores = [bare, *self._scores[self._number(start, stop)].tolist()]
        best = max(scores)
        least = best - self.limit
        labels = [(best - s, label) for label, s in enumerate(scores, -1) if s >= least]
        labels.sort()
        self._labels[part] = labels
        return labels

    def _limit(self, k: int) -> float:
        """Return an upper bound for the loss of the k-th tree.

        The bound holds because at least k - 1 label changes, or k sets of label changes, each cost no more.
        """
        if k == 1:
            return 0.0
        parts = self._best_parts()
        bare = [0.0 if may_go_without else IMPOSSIBLE for _, _, may_go_without in parts]
        scores = np.column_stack([bare, self._scores[[self._number(start, stop) for start, stop, _ in parts]]])
        losses = np.sort(scores.max(axis=1, keepdims=True) - scores, axis=1)[:, 1:]
        bounds = [-IMPOSSIBLE / 2]
        if losses.size >= k - 1:
            bounds.append(float(np.partition(losses, k - 2, axis=None)[k - 2]))
        cheapest = np.sort(losses[:, 0]).tolist()
        for size in range(2, k.bit_length() + 1):
            nodes = next(n for n in count(size) if comb(n, size) >= k)
            bounds.append(sum(cheapest[nodes - size : nodes]) if nodes <= len(cheapest) else bounds[0])
        return min(bounds) * (1 + ROUNDING) + ROUNDING

    def _number(self, start: int, stop: int) -> int:
        """Return the row of a span in the table of scores."""
        width = stop - start - 1
        return width * self.words - width * (width - 1) // 2 + start

    def _best_parts(self) -> list[Part]:
        """Return the parts that are the nodes of the best tree."""
        parts: list[Part] = []
        waiting: list[Part] = [(0, self.words, False)]
        while waiting:
            start, stop, _ = part = waiting.pop()
            parts.append(part)
            if stop - start > 1:
                sums = self._sums(start, stop)
                middle = start + 1 + sums.index(max(sums))
                waiting += [(middle, stop, True), (start, middle, middle == start + 1)]
        return parts

    def _sums(self, start: int, stop: int) -> list[float]:
        """Return the best score of each split, by width of the first sibling."""
        beyond = self.words - stop + start + 1
        return list(map(add, self._left[start], self._right[stop - 1][beyond:]))

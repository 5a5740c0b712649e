"""All trees of a small chart, enumerated from the definition of a tree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice, pairwise, product

import numpy as np
from hypothesis import strategies as st

from naturalness.arrays import FloatArray

Spans = tuple[tuple[int, int, int], ...]
MOST = 4000


def trees(scores: FloatArray) -> list[Spans] | None:
    """Return every set of nested spans that the scores allow; None if there are more than MOST."""
    candidates = list(islice(_constituents(scores, 0, len(scores)), MOST + 1))
    return candidates if len(candidates) <= MOST else None


def _constituents(scores: FloatArray, start: int, stop: int) -> Iterator[Spans]:
    """Yield each labelled span with its descendants."""
    labels = [int(c) for c in np.flatnonzero(scores[start, stop - 1] > -math.inf)]
    if labels:
        for within in _within(scores, start, stop):
            for label in labels:
                yield ((start, stop, label), *within)


def _within(scores: FloatArray, start: int, stop: int) -> Iterator[Spans]:
    """Yield each way to divide a span into siblings, with nothing below a single word."""
    if stop - start == 1:
        yield ()
    for number in range(1, stop - start):
        for cuts in combinations(range(start + 1, stop), number):
            edges = [start, *cuts, stop]
            siblings = [list(_siblings(scores, a, b)) for a, b in pairwise(edges)]
            for chosen in product(*siblings):
                yield tuple(span for spans in chosen for span in spans)


def _siblings(scores: FloatArray, start: int, stop: int) -> Iterator[Spans]:
    """Yield a constituent, or a word without a label."""
    if stop - start == 1:
        yield ()
    yield from _constituents(scores, start, stop)


def score_of(spans: Spans, scores: FloatArray) -> float:
    """Return the sum of the scores of a tree's spans."""
    return math.fsum(float(scores[start, stop - 1, label]) for start, stop, label in spans)


def log_sum(values: list[float]) -> float:
    """Return the log of the summed exponentials; -inf for an empty sequence."""
    return float(np.logaddexp.reduce(values)) if values else -math.inf


@st.composite
def charts(draw: st.DrawFn) -> FloatArray:
    """Draw scores for up to 6 words and 4 labels, in quarters so that sums are exact and ties frequent.

    Longer sentences have more forbidden spans, so that their trees can be enumerated; charts of up to 3 words may be
    full.
    """
    n, n_labels = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = (n, n, n_labels)
    scores = rng.integers(-12, 13, shape) / 4
    least = {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.5, 5: 0.6, 6: 0.7}[n]
    share = draw(st.floats(least, 0.95))
    scores[rng.random(shape) < share] = -math.inf
    scores[0, n - 1, rng.integers(n_labels)] = 1.25  # else most charts have no tree
    return scores


def peaked(n: int, seed: int, *, gold: float = 6.0, others: float = -4.0) -> FloatArray:
    """Return scores like those of a trained parser: one tree stands out among 60 labels, with close competitors."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(others, 2.0, (n, n, 60))
    waiting = [(0, n)]
    while waiting:
        start, stop = waiting.pop()
        scores[start, stop - 1, rng.integers(60)] = gold + rng.normal()
        middle = int(rng.integers(start + 1, stop))
        waiting += [(a, b) for a, b in ((start, middle), (middle, stop)) if b - a > 1]
    return scores

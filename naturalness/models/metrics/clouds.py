"""Texts as clouds of vectors, and what it costs to move one onto another.

Word Mover's Distance: Kusner et al. (ICML 2015). FloatArray are the shipped pipeline's sub-word
vectors, less their mean, of length 1, so that unlike words are about 1.4 apart and none are more
than 2. Moving is solved exactly: by package POT where it is there, else by SciPy's HiGHS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.vectors import vector_of
from naturalness.text.view import is_word

PACKAGE = "ot"
"""POT as it is imported: 180 MB installed, so it is not for everyone. It has its own solver."""


class Cloud(NamedTuple):
    """Points and how much of the text each stands for."""

    points: FloatArray
    """(n, width); of length 1 where they are words."""
    weights: FloatArray
    """(n,), above 0; they sum to 1."""


def word_cloud(words: Iterable[str]) -> Cloud | None:
    """The content words, or all where there is none; None without words that have a vector.

    Content words are those not on spaCy's list of stop words. The same word twice weighs twice.
    """
    from spacy.lang.en.stop_words import STOP_WORDS

    every = [word.lower() for word in words if is_word(word)]
    content = [word for word in every if word not in STOP_WORDS]
    counts: dict[str, int] = {}
    for word in content or every:
        counts[word] = counts.get(word, 0) + 1
    found = [(vector_of(word), n) for word, n in counts.items()]
    kept = [(vector, n) for vector, n in found if vector is not None]
    return cloud([vector for vector, _ in kept], [n for _, n in kept]) if kept else None


def cloud(points: Sequence[FloatArray], amounts: Sequence[float]) -> Cloud:
    """Points with amounts of any sum above 0."""
    weights = np.array(amounts, np.float64)
    return Cloud(np.stack(points), weights / weights.sum())


def moving_cost(one: Cloud, other: Cloud) -> float:
    """The least work of moving one cloud onto the other: the mean way of what is moved, 0 or more.

    At most 2 between clouds of words.
    """
    squares = (one.points**2).sum(1)[:, None] + (other.points**2).sum(1)[None] - 2 * one.points @ other.points.T
    ways = np.sqrt(np.maximum(squares, 0.0))
    return least_work(one.weights, other.weights, ways)


def least_work(amounts: FloatArray, places: FloatArray, ways: FloatArray) -> float:
    """The least sum of amount times way, exactly; both sums are 1.

    The same to nine digits with POT as without, in a twentieth of the time.
    """
    if find_spec(PACKAGE) is not None:
        from ot import emd2

        return float(emd2(amounts, places, ways))
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack

    n, m = ways.shape
    # A row for what leaves each point, and one for what comes to each; one of them follows.
    leaves, comes = kron(eye(n), np.ones((1, m))), kron(np.ones((1, n)), eye(m))
    sums = np.concatenate([amounts, places])[:-1]
    found = linprog(ways.ravel(), A_eq=vstack([leaves, comes]).tocsr()[:-1], b_eq=sums, method="highs")
    return float(found.fun)


def middle_of(one: Cloud) -> FloatArray:
    """The mean of a cloud."""
    mean: FloatArray = one.weights @ one.points
    return mean

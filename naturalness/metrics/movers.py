"""Word Mover's Distance: optimal transport between the word vectors of two texts (Kusner et al., ICML 2015).

Word vectors are the shipped pipeline's centered sub-word vectors, scaled to unit vectors; unrelated words are about 1.4
apart, and the maximum distance is 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.vectors import vector_of
from naturalness.text.view import is_word


class Cloud(NamedTuple):
    """Points with weights."""

    points: FloatArray
    """The coordinates of the points, (n, n_dimensions); points that stand for words are unit vectors."""
    weights: FloatArray
    """The weights of the points, (n,); they are above 0 and sum to 1."""


def word_cloud(words: Iterable[str]) -> Cloud | None:
    """Return the cloud of the content words, or of all words if there are no content words; None if none has a vector.

    Content words are words that are not in spaCy's list of stop words. The weight of a word is proportional to its
    count.
    """
    from spacy.lang.en.stop_words import STOP_WORDS

    listed = [word.lower() for word in words if is_word(word)]
    content = [word for word in listed if word not in STOP_WORDS]
    weighed = [(vector_of(word), n) for word, n in Counter(content or listed).items()]
    points = [(vector, n) for vector, n in weighed if vector is not None]
    return cloud_of([vector for vector, _ in points], [n for _, n in points]) if points else None


def cloud_of(points: Sequence[FloatArray], amounts: Sequence[float]) -> Cloud:
    """Return a cloud with weights proportional to ``amounts``, which are positive."""
    weights = np.array(amounts, np.float64)
    return Cloud(np.stack(points), weights / weights.sum())


def moving_cost(first: Cloud, second: Cloud) -> float:
    """Return the transport cost between two clouds, the mean distance by which weight is moved.

    It is at least 0, and at most 2 for clouds of words.
    """
    from scipy.stats import wasserstein_distance_nd

    return float(wasserstein_distance_nd(first.points, second.points, first.weights, second.weights))


def greedy_cost(first: Cloud, second: Cloud) -> float:
    """Return the cost of moving weight along the shortest distances first, at least the transport cost."""
    from scipy.spatial.distance import cdist

    distances = cdist(first.points, second.points)
    left, space, cost = first.weights.tolist(), second.weights.tolist(), 0.0
    for at in np.argsort(distances, axis=None).tolist():
        i, j = divmod(at, len(space))
        if moved := min(left[i], space[j]):
            cost += moved * distances[i, j]
            left[i] -= moved
            space[j] -= moved
    return float(cost)

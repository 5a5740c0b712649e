"""Word and sentence movers: optimal transport between the vectors of a text and its references.

WMD after Kusner et al. (ICML 2015); SMD and S+WMD after Clark, Celikyilmaz & Smith (ACL 2019), who move
sentences, or sentences and words together. A distance d is reported as e^-d, and the best reference
counts. Vectors are the shipped pipeline's centered sub-word vectors, scaled to length 1, so that
unrelated words are about 1.4 apart and the maximum distance is 2. Transport is solved exactly, by POT if
it is installed, or else by SciPy's HiGHS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.references import TOKENS, Read, referenced
from naturalness.models.vectors import vector_of
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import is_word

PACKAGE = "ot"
"""Import name of POT, which is optional, as it takes 180 MB."""


class Cloud(NamedTuple):
    """Weighted points."""

    points: FloatArray
    """Coordinates, (n, width); points of words have length 1."""
    weights: FloatArray
    """Weights of the points, (n,), above 0; they sum to 1."""


def word_cloud(words: Iterable[str]) -> Cloud | None:
    """Return the content words, or all words if there are none; None if no word has a vector.

    Content words are those not in spaCy's list of stop words. Repeated words have more weight.
    """
    from spacy.lang.en.stop_words import STOP_WORDS

    listed = [word.lower() for word in words if is_word(word)]
    content = [word for word in listed if word not in STOP_WORDS]
    counts: dict[str, int] = {}
    for word in content or listed:
        counts[word] = counts.get(word, 0) + 1
    weighed = [(vector_of(word), n) for word, n in counts.items()]
    points = [(vector, n) for vector, n in weighed if vector is not None]
    return cloud_of([vector for vector, _ in points], [n for _, n in points]) if points else None


def cloud_of(points: Sequence[FloatArray], amounts: Sequence[float]) -> Cloud:
    """Return a cloud with weights proportional to positive amounts."""
    weights = np.array(amounts, np.float64)
    return Cloud(np.stack(points), weights / weights.sum())


def moving_cost(first: Cloud, second: Cloud) -> float:
    """Return the transport cost between two clouds, a mean distance; 0 or more, and at most 2 for clouds of words."""
    squares = (first.points**2).sum(1)[:, None] + (second.points**2).sum(1)[None] - 2 * first.points @ second.points.T
    ways = np.sqrt(np.maximum(squares, 0.0))
    return least_work(first.weights, second.weights, ways)


def least_work(amounts: FloatArray, room: FloatArray, ways: FloatArray) -> float:
    """Return the minimum transport cost, the sum of amount times distance; both sums of amounts are 1.

    POT takes a twentieth of the time of SciPy and agrees to nine digits.
    """
    if find_spec(PACKAGE) is not None:
        from ot import emd2

        return float(emd2(amounts, room, ways))
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack

    n, m = ways.shape
    # One constraint per source and target point; the last one is redundant.
    leaves, comes = kron(eye(n), np.ones((1, m))), kron(np.ones((1, n)), eye(m))
    sums = np.concatenate([amounts, room])[:-1]
    solution = linprog(ways.ravel(), A_eq=vstack([leaves, comes]).tocsr()[:-1], b_eq=sums, method="highs")
    return float(solution.fun)


def middle_of(cloud: Cloud) -> FloatArray:
    """Return the weighted mean of a cloud."""
    mean: FloatArray = cloud.weights @ cloud.points
    return mean


ENDS = frozenset(".!?")
"""Tokens taken as sentence ends, since references are not parsed."""
MakeCloud = Callable[[Sequence[str]], Cloud | None]


def sentences(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield tokens up to each full stop, question mark or exclamation mark."""
    sentence: list[str] = []
    for token in tokens:
        sentence.append(token)
        if token in ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def sentence_cloud(tokens: Sequence[str]) -> Cloud | None:
    """Return a cloud with a point per sentence, the mean of its words, weighted by their number."""
    clouds = [(points, sum(map(is_word, words))) for words in sentences(tokens) if (points := word_cloud(words))]
    return cloud_of([middle_of(points) for points, _ in clouds], [n for _, n in clouds]) if clouds else None


def cloud_of_both(tokens: Sequence[str]) -> Cloud | None:
    """Return a cloud of words and sentences, with half the total weight each."""
    words, sentence_points = word_cloud(tokens), sentence_cloud(tokens)
    if words is None or sentence_points is None:
        return None
    return cloud_of([*words.points, *sentence_points.points], [*words.weights, *sentence_points.weights])


def nearness(make: MakeCloud, candidate: Read, references: Sequence[Read]) -> float:
    """Return e^-(transport cost) for the best reference; NaN if a text has no cloud."""
    start = make(candidate.tokens)
    goals = [goal for reference in references if (goal := make(reference.tokens))]
    if start is None or not goals:
        return math.nan
    return math.exp(-min(moving_cost(start, goal) for goal in goals))


def vector_similarity(candidate: Read, references: Sequence[Read]) -> float:
    """Return the highest cosine, over references, of the mean vectors of content words; -1 to 1."""
    start = word_cloud(candidate.tokens)
    goals = [goal for point_cloud in references if (goal := word_cloud(point_cloud.tokens))]
    if start is None or not goals:
        return math.nan
    means = [middle_of(point_cloud) for point_cloud in (start, *goals)]
    lengths = [float(np.linalg.norm(mean)) for mean in means]
    if not lengths[0] or not all(lengths):
        return math.nan
    return max(
        float(means[0] @ mean) / lengths[0] / length for mean, length in zip(means[1:], lengths[1:], strict=True)
    )


def _vectors() -> str:
    """Return the settings for signatures, including the checksum of the pipeline's vectors."""
    return f"refs:best|vectors:{pipeline_checksum()}|{TOKENS}"


CLARK = "0..1; Clark et al. (2019)"
MOVER_METRICS = (
    *(
        referenced(
            name, partial(nearness, make), _vectors, f"e^-{moved}, best of the references; {source}", package=PACKAGE
        )
        for name, make, moved, source in (
            ("wmd", word_cloud, "Word Mover's Distance of content words", "0..1; Kusner et al. (2015)"),
            ("smd", sentence_cloud, "Sentence Mover's Distance", CLARK),
            ("s+wmd", cloud_of_both, "distance of words and sentences together", CLARK),
        )
    ),
    referenced(
        "vecsim",
        vector_similarity,
        _vectors,
        "cosine of the mean vectors of content words, best of the references; -1..1",
    ),
)

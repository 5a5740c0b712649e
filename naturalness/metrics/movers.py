"""Word and sentence movers: optimal transport between the vectors of a text and its references.

Word Mover's Distance (WMD) follows Kusner et al. (ICML 2015). SMD, which moves sentences, and S+WMD, which moves both
sentences and words, follow Clark, Celikyilmaz & Smith (ACL 2019). A distance d is reported as e^-d, and the best
reference counts. Word vectors are the shipped pipeline's centered sub-word vectors, scaled to unit vectors; unrelated
words are about 1.4 apart, and the maximum distance is 2. The transport problem is solved exactly, by POT if it is
installed, and otherwise by SciPy's HiGHS.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.references import TOKENS, Read, fixed, reference_metric
from naturalness.models.vectors import vector_of
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import is_word

PACKAGE = "ot"
"""The import name of POT, which is optional because it takes 180 MB."""


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
    squares = (first.points**2).sum(1)[:, None] + (second.points**2).sum(1)[None] - 2 * first.points @ second.points.T
    ways = np.sqrt(np.maximum(squares, 0.0))
    return least_work(first.weights, second.weights, ways)


def least_work(amounts: FloatArray, room: FloatArray, ways: FloatArray) -> float:
    """Return the minimum transport cost, which is the sum of each moved amount times its distance.

    ``amounts`` leave the source points, ``room`` is the capacity of the target points, and ``ways`` has the distances
    between them; ``amounts`` and ``room`` each sum to 1. POT is twenty times as fast as SciPy and agrees with it to
    nine digits.
    """
    if find_spec(PACKAGE) is not None:
        from ot import emd2

        return float(emd2(amounts, room, ways))
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack

    n, m = ways.shape
    # There is one constraint per source point and per target point; the last constraint is redundant.
    leaves, comes = kron(eye(n), np.ones((1, m))), kron(np.ones((1, n)), eye(m))
    sums = np.concatenate([amounts, room])[:-1]
    solution = linprog(ways.ravel(), A_eq=vstack([leaves, comes]).tocsr()[:-1], b_eq=sums, method="highs")
    return float(solution.fun)


def middle_of(cloud: Cloud) -> FloatArray:
    """Return the weighted mean of a cloud."""
    return cloud.weights @ cloud.points


ENDS = frozenset(".!?")
"""Tokens that are taken to end a sentence, because references are not parsed."""
MakeCloud = Callable[[Sequence[str]], Cloud | None]


def sentences(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield the tokens of each sentence, which ends at a token in `ENDS` or at the end of the text."""
    sentence: list[str] = []
    for token in tokens:
        sentence.append(token)
        if token in ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def sentence_cloud(tokens: Sequence[str]) -> Cloud | None:
    """Return a cloud with one point per sentence, or None if no word has a vector.

    The point is the mean of the sentence's word vectors, and its weight is proportional to the number of words.
    """
    clouds = [(points, sum(map(is_word, words))) for words in sentences(tokens) if (points := word_cloud(words))]
    return cloud_of([middle_of(points) for points, _ in clouds], [n for _, n in clouds]) if clouds else None


def cloud_of_both(tokens: Sequence[str]) -> Cloud | None:
    """Return a cloud of words and sentences; the words have half of the total weight, and the sentences the other half.

    Return None if no word has a vector.
    """
    words, sentence_points = word_cloud(tokens), sentence_cloud(tokens)
    if words is None or sentence_points is None:
        return None
    return cloud_of([*words.points, *sentence_points.points], [*words.weights, *sentence_points.weights])


def nearness(make: MakeCloud, candidate: Read, references: Sequence[Read]) -> float:
    """Return e^-(transport cost) for the closest reference; NaN if the candidate or every reference has no cloud."""
    start = make(candidate.tokens)
    goals = [goal for reference in references if (goal := make(reference.tokens))]
    if start is None or not goals:
        return math.nan
    return math.exp(-min(moving_cost(start, goal) for goal in goals))


def vector_similarity(candidate: Read, references: Sequence[Read]) -> float:
    """Return the cosine between the mean content-word vectors of the candidate and of the closest reference, -1..1."""
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
    """Return the settings for signatures, including the checksum of the pipeline that contains the vectors."""
    return f"refs:best|vectors:{pipeline_checksum()}|{TOKENS}"


CLARK = "0..1; Clark et al. (2019)"
MOVER_METRICS = (
    *(
        reference_metric(
            name,
            fixed(partial(nearness, make)),
            _vectors,
            f"e^-{moved}, best of the references; {source}",
            package=PACKAGE,
        )
        for name, make, moved, source in (
            ("wmd", word_cloud, "Word Mover's Distance of content words", "0..1; Kusner et al. (2015)"),
            ("smd", sentence_cloud, "Sentence Mover's Distance", CLARK),
            ("s+wmd", cloud_of_both, "distance of words and sentences together", CLARK),
        )
    ),
    reference_metric(
        "vecsim",
        fixed(vector_similarity),
        _vectors,
        "cosine of the mean vectors of content words, best of the references; -1..1",
    ),
)

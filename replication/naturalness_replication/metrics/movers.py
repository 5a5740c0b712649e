"""Word and sentence movers: optimal transport between the vectors of a text and its references.

Word Mover's Distance (WMD) follows Kusner et al. (ICML 2015). SMD, which moves sentences, and S+WMD, which moves both
sentences and words, follow Clark, Celikyilmaz & Smith (ACL 2019). A distance d is reported as e^-d, and the best
reference counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.movers import Cloud, cloud_of, moving_cost, word_cloud
from naturalness.metrics.references import TOKENS, Read, reference_metric
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import is_word


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
        reference_metric(name, partial(nearness, make), _vectors, f"e^-{moved}, best of the references; {source}")
        for name, make, moved, source in (
            ("wmd", word_cloud, "Word Mover's Distance of content words", "0..1; Kusner et al. (2015)"),
            ("smd", sentence_cloud, "Sentence Mover's Distance", CLARK),
            ("s+wmd", cloud_of_both, "distance of words and sentences together", CLARK),
        )
    ),
    reference_metric(
        "vecsim",
        vector_similarity,
        _vectors,
        "cosine of the mean vectors of content words, best of the references; -1..1",
    ),
)

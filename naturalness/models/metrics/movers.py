"""How near a text's words and sentences are to those of its references, as clouds of vectors.

WMD after Kusner et al. (2015); SMD and S+WMD after Clark, Celikyilmaz & Smith (ACL 2019), who move
sentences, or sentences and words together. A distance d is given as e^-d, and the best counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from naturalness.models.metrics.clouds import PACKAGE, Cloud, cloud, middle_of, moving_cost, word_cloud
from naturalness.models.metrics.overlap import OverlapMetric
from naturalness.models.metrics.references import Read
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import is_word

ENDS = frozenset(".!?")
"""Tokens that end a sentence: references are tokenised, not parsed."""
MakeCloud = Callable[[Sequence[str]], Cloud | None]


def sentences(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Tokens up to the next full stop, question mark or exclamation mark."""
    found: list[str] = []
    for token in tokens:
        found.append(token)
        if token in ENDS:
            yield found
            found = []
    if found:
        yield found


def sentence_cloud(tokens: Sequence[str]) -> Cloud | None:
    """A point for each sentence, the mean of its words, which weighs as many words as it has."""
    parts = [(part, sum(map(is_word, words))) for words in sentences(tokens) if (part := word_cloud(words))]
    return cloud([middle_of(part) for part, _ in parts], [n for _, n in parts]) if parts else None


def cloud_of_both(tokens: Sequence[str]) -> Cloud | None:
    """Words and sentences, each half of the text."""
    words, whole = word_cloud(tokens), sentence_cloud(tokens)
    if words is None or whole is None:
        return None
    return cloud([*words.points, *whole.points], [*words.weights, *whole.weights])


def nearness(make: MakeCloud, candidate: Read, references: Sequence[Read]) -> float:
    """e to the minus least cost of moving, over the references; NaN where a text has no cloud."""
    own = make(candidate.tokens)
    others = [found for one in references if (found := make(one.tokens))]
    if own is None or not others:
        return math.nan
    return math.exp(-min(moving_cost(own, other) for other in others))


def vector_similarity(candidate: Read, references: Sequence[Read]) -> float:
    """Cosine of the mean vectors of content words, best of the references; -1 to 1."""
    own = word_cloud(candidate.tokens)
    others = [found for one in references if (found := word_cloud(one.tokens))]
    if own is None or not others:
        return math.nan
    means = [middle_of(one) for one in (own, *others)]
    lengths = [float(np.linalg.norm(mean)) for mean in means]
    if not lengths[0] or not all(lengths):
        return math.nan
    return max(
        float(means[0] @ mean) / lengths[0] / length for mean, length in zip(means[1:], lengths[1:], strict=True)
    )


def _vectors() -> str:
    """Settings: the pipeline that has the vectors."""
    return f"refs:best|vectors:{pipeline_checksum()}"


CLARK = "0..1; Clark et al. (2019)"
MOVER_METRICS = (
    OverlapMetric(
        "wmd",
        partial(nearness, word_cloud),
        _vectors,
        "e^-Word Mover's Distance of content words, best of the references; 0..1; Kusner et al. (2015)",
        package=PACKAGE,
    ),
    OverlapMetric(
        "smd",
        partial(nearness, sentence_cloud),
        _vectors,
        f"e^-Sentence Mover's Distance, best of the references; {CLARK}",
        package=PACKAGE,
    ),
    OverlapMetric(
        "s+wmd",
        partial(nearness, cloud_of_both),
        _vectors,
        f"e^-distance of words and sentences together, best of the references; {CLARK}",
        package=PACKAGE,
    ),
    OverlapMetric(
        "vecsim",
        vector_similarity,
        _vectors,
        "cosine of the mean vectors of content words, best of the references; -1..1",
    ),
)

"""The parts of GRUEN, measured on Docs: grammaticality, redundancy, focus and coherence (Zhu & Bhat, 2020).

Redundancy is measured by four tests on each pair of sentences: tests A and C compare characters, tests B and D compare
words separated by white space; all ignore case. The paper states when a pair passes a test; here a test fires if the
pair fails it, which counts as a violation. Focus counts pairs of neighboring sentences that are unrelated.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.gruen.judges import GruenText, Judges, problem_of
from naturalness.metrics.movers import Cloud, greedy_cost, moving_cost, word_cloud
from naturalness.text.parsing import unusable
from naturalness.text.view import Doc, stored_beside

MAX_COMMON = 0.8
"""The maximum share of the shorter sentence that two sentences may have in common (tests A, B and D)."""
MIN_EDITED = 0.6
"""The minimum edit distance, as a share of the longer sentence (test C)."""


def has_common_run(first: str, second: str, length: int) -> bool:
    """Return whether two strings share a substring of ``length`` characters."""
    return any(first[i : i + length] in second for i in range(len(first) - length + 1))


def edit_distance(first: str, second: str) -> int:
    """Return the Levenshtein distance.

    A column of the dynamic programming table is stored as two integers, whose bits mark where the distance grows and
    where it falls (Myers 1999; Hyyrö 2003). This takes a few operations per character of ``second``.
    """
    if not first:
        return len(second)
    positions: dict[str, int] = {}
    for i, character in enumerate(first):
        positions[character] = positions.get(character, 0) | 1 << i
    everything, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    grows, falls, distance = everything, 0, len(first)
    for character in second:
        equal = positions.get(character, 0)
        vertical = equal | falls
        horizontal = (((equal & grows) + grows) ^ grows) | equal
        up = falls | ~(horizontal | grows) & everything
        down = grows & horizontal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1 | 1) & everything
        down = down << 1 & everything
        grows = down | ~(vertical | up) & everything
        falls = up & vertical
    return distance


def fired_tests(first: str, second: str) -> str:
    """Return the letters, out of "ABCD", of the tests that find two sentences too similar; empty if none does."""
    first, second = (" ".join(text.lower().split()) for text in (first, second))
    short, long = sorted((first, second), key=len)
    few, many = sorted((first.split(), second.split()), key=len)
    if not few:
        return ""
    fired = ""
    if has_common_run(short, long, _more_than_common(len(short))):
        fired += "A"
    if _common_words_in_a_row(few, many, _more_than_common(len(few))):
        fired += "B"
    enough = MIN_EDITED * len(long)
    if len(long) - len(short) < enough and edit_distance(short, long) < enough:
        fired += "C"
    if (Counter(few) & Counter(many)).total() > MAX_COMMON * len(few):
        fired += "D"
    return fired


def similar_pairs(sentences: Sequence[str]) -> int:
    """Return the number of tests that fire, summed over all pairs of sentences; each pair adds 0 to 4."""
    return sum(len(fired_tests(*pair)) for pair in combinations(sentences, 2))


def _more_than_common(length: int) -> int:
    """Return the smallest integer greater than ``MAX_COMMON * length``."""
    return int(MAX_COMMON * length + 1e-9) + 1


def _common_words_in_a_row(few: Sequence[str], many: Sequence[str], length: int) -> bool:
    # With spaces around each word, a run of words can be searched for as a substring.
    all_of_them = f" {' '.join(many)} "
    runs = (few[i : i + length] for i in range(len(few) - length + 1))
    return any(f" {' '.join(run)} " in all_of_them for run in runs)


UNRELATED_DISTANCE = 1.35
"""The Word Mover's Distance at which similarity is 0. Sentences from different documents are 1.23 apart on average.
With 1.35, 1 in 12 neighboring pairs in held-out text, and 2 in 9 pairs from different documents, are below
`MIN_SIMILARITY` (measured for release 0.2.0)."""
MIN_SIMILARITY = 0.05
"""The similarity below which neighboring sentences count as unrelated, as in the paper."""


def similarity(first: Cloud | None, second: Cloud | None) -> float:
    """Return the similarity of two sentences, 1 - Word Mover's Distance / `UNRELATED_DISTANCE`, which is at most 1.

    The formula is our own, because the paper gives none. Return NaN if a sentence has no word that has a vector.
    """
    if first is None or second is None:
        return math.nan
    return 1 - moving_cost(first, second) / UNRELATED_DISTANCE


def unrelated_neighbours(clouds: Sequence[Cloud | None]) -> int:
    """Return the number of neighboring pairs whose similarity is below `MIN_SIMILARITY`; NaN is not counted."""
    return sum(map(_is_unrelated, clouds, clouds[1:]))


def _is_unrelated(first: Cloud | None, second: Cloud | None) -> bool:
    limit = UNRELATED_DISTANCE * (1 - MIN_SIMILARITY)
    # Few pairs need the exact distance, which takes 40 times as long as its upper bound.
    if first is None or second is None or greedy_cost(first, second) < limit:
        return False
    return similarity(first, second) < MIN_SIMILARITY


WEIGHTS: Mapping[str, float] = {"acceptability": 0.5, "least": 0.5, "violation": 0.1, "nat": 0.1}
"""Weights of the parts in GRUEN:

- acceptability in grammaticality; likelihood has 1 minus this weight;
- the worst sentence in a text's grammaticality; the mean over sentences has 1 minus this weight;
- the penalty for each violation of non-redundancy or focus, as in the paper;
- the penalty for each nat of order loss; the paper uses 1, but with another network.
"""


@dataclass(frozen=True, slots=True)
class GruenParts:
    """The parts of GRUEN for one text.

    All are NaN if the text has no words, a sentence that is too long, or too many sentences.
    """

    likelihoods: tuple[float, ...]
    """The likelihood of each sentence, 0..1; higher is better."""
    acceptabilities: tuple[float, ...]
    """The acceptability of each sentence, 0..1; higher is better."""
    repeated: float
    """The number of redundancy tests that fire, summed over all pairs of sentences; lower is better."""
    unrelated: float
    """The number of pairs of neighboring sentences that are unrelated; lower is better."""
    disorder: float
    """The order loss in nats, at least 0; lower is better. NaN for a single sentence."""

    @property
    def likelihood(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.likelihoods)

    @property
    def acceptability(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.acceptabilities)

    @property
    def grammaticality(self) -> float:
        """The combination of likelihood and acceptability, 0..1, with extra weight on the worst sentence."""
        if not self.likelihoods:
            return math.nan
        weight, least = WEIGHTS["acceptability"], WEIGHTS["least"]
        pairs = zip(self.acceptabilities, self.likelihoods, strict=True)
        each = [weight * a + (1 - weight) * b for a, b in pairs]
        return least * min(each) + (1 - least) * _mean(each)

    @property
    def total(self) -> float:
        """Grammaticality minus the penalties, clipped to 0..1; a text of one sentence has no penalties."""
        disorder = 0.0 if math.isnan(self.disorder) else self.disorder
        violation = WEIGHTS["violation"]
        off = violation * self.unrelated + violation * self.repeated + WEIGHTS["nat"] * disorder
        return float(np.clip(self.grammaticality - off, 0.0, 1.0))


NOTHING = GruenParts((), (), *(math.nan,) * 3)


def gruen_parts(docs: Sequence[Doc], judges: Judges) -> list[GruenParts]:
    """Return the parts of each Doc; they are cached with the Doc for other metrics of the family."""
    key = f"naturalness.gruen.{judges.signature}"

    def measure(docs: Sequence[Doc]) -> list[GruenParts]:
        usable = [not unusable(doc) and not problem_of(doc) for doc in docs]
        likely = iter(judges.likelihood.of([*compress(docs, usable)]))
        return [
            _parts(GruenText(doc), next(likely), judges) if is_usable else NOTHING
            for doc, is_usable in zip(docs, usable, strict=True)
        ]

    return stored_beside(docs, key, measure)


def _parts(text: GruenText, likely: FloatArray, judges: Judges) -> GruenParts:
    if not len(likely) or len(likely) != len(text.seen.sentences):
        return NOTHING  # a sentence is longer than the language model's limit
    acceptable = judges.acceptability.probabilities(text)
    clouds = [word_cloud(text.seen.lower[a:b]) for a, b in text.seen.sentences]
    return GruenParts(
        tuple(likely.tolist()),
        tuple(acceptable.tolist()),
        similar_pairs(text.sentences),
        unrelated_neighbours(clouds),
        judges.order.loss(text),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan

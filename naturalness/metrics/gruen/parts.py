"""The parts of GRUEN, measured on Docs: grammaticality, redundancy, focus and coherence (Zhu & Bhat, 2020).

Redundancy is measured by four tests on each pair of sentences: A and C compare characters, B and D words separated by
white space; all ignore case. The paper gives thresholds for passing; here a test that fires is a violation. Focus
counts neighboring sentences that are unrelated.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, compress, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.gruen.judges import Judges, Text, problem_of
from naturalness.metrics.movers import Cloud, moving_cost, word_cloud
from naturalness.text.parsing import unusable
from naturalness.text.view import stored_beside

if TYPE_CHECKING:
    from spacy.tokens import Doc

MAX_COMMON = 0.8
"""Maximum share of the shorter sentence that two sentences may have in common (A, B, D)."""
MIN_EDITED = 0.6
"""Minimum edit distance, as a share of the longer sentence (C)."""


def has_common_run(first: str, second: str, length: int) -> bool:
    """Return whether two strings share a substring of ``length`` characters."""
    return any(first[i : i + length] in second for i in range(len(first) - length + 1))


def edit_distance(first: str, second: str) -> int:
    """Return the Levenshtein distance.

    A column of the dynamic programming table is two integers, with a bit for each place where the distance
    grows or falls (Myers 1999; Hyyrö 2003), which takes a few operations per character of ``second``.
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
    """Return the letters, from "ABCD", of the tests that find two sentences too similar."""
    first, second = (" ".join(text.lower().split()) for text in (first, second))
    short, long = sorted((first, second), key=len)
    few, many = sorted((first.split(), second.split()), key=len)
    if not few:
        return ""
    fired = ""
    if has_common_run(short, long, _more_than(MAX_COMMON, len(short))):
        fired += "A"
    if _common_words_in_a_row(few, many, _more_than(MAX_COMMON, len(few))):
        fired += "B"
    enough = MIN_EDITED * len(long)
    if len(long) - len(short) < enough and edit_distance(short, long) < enough:
        fired += "C"
    if (Counter(few) & Counter(many)).total() > MAX_COMMON * len(few):
        fired += "D"
    return fired


def similar_pairs(sentences: Sequence[str]) -> int:
    """Return the number of tests that fire over all pairs; 0 to 4 per pair."""
    return sum(len(fired_tests(*pair)) for pair in combinations(sentences, 2))


def _more_than(share: float, length: int) -> int:
    """Return the smallest integer above a share of a length."""
    return int(share * length + 1e-9) + 1


def _common_words_in_a_row(few: Sequence[str], many: Sequence[str], length: int) -> bool:
    # Spaces around each word make a run of words a substring.
    all_of_them = f" {' '.join(many)} "
    runs = (few[i : i + length] for i in range(len(few) - length + 1))
    return any(f" {' '.join(run)} " in all_of_them for run in runs)


UNRELATED_DISTANCE = 1.35
"""Word Mover's Distance that counts as similarity 0. Sentences of different documents are 1.23 apart on average; with
1.35, 1 in 12 neighbors in held-out text, and 2 in 9 sentence pairs of different documents, are below `MIN_SIMILARITY`
(measured for release 0.2.0)."""
MIN_SIMILARITY = 0.05
"""Similarity below which neighboring sentences are unrelated, as in the paper."""


def similarity(first: Cloud | None, second: Cloud | None) -> float:
    """Return 1 - Word Mover's Distance / 1.35; at most 1. The formula is ours; the paper gives none.

    NaN if a sentence has no words with a vector.
    """
    if first is None or second is None:
        return math.nan
    return 1 - moving_cost(first, second) / UNRELATED_DISTANCE


def unrelated_neighbours(clouds: Sequence[Cloud | None]) -> int:
    """Return the number of neighboring pairs below `MIN_SIMILARITY`, without those that cannot be compared."""
    return sum(similarity(*pair) < MIN_SIMILARITY for pair in pairwise(clouds))


class Constants(NamedTuple):
    """Weights of the parts.

    The paper fitted its thresholds and penalties to its own ratings.
    """

    acceptability: float = 0.5
    """Weight of acceptability in grammaticality; likelihood has the rest."""
    least: float = 0.5
    """Weight of the worst sentence in a text's grammaticality; the mean has the rest."""
    violation: float = 0.1
    """Penalty per violation of non-redundancy or focus, as in the paper."""
    nat: float = 0.1
    """Penalty per nat of order loss; the paper's is 1, for its own network."""


DEFAULT = Constants()
PLAIN = Constants(least=0.0, nat=1.0)
"""Constants of the paper's sum: the mean over sentences, and the unscaled order loss."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of GRUEN. All NaN for a text without words, with an overlong sentence, or with too many sentences."""

    likelihoods: tuple[float, ...]
    """Likelihood of each sentence, 0..1, higher is better."""
    acceptabilities: tuple[float, ...]
    """Acceptability of each sentence, 0..1, higher is better."""
    repeated: float
    """Number of redundancy tests that fire over all pairs; 0 or more, lower is better."""
    unrelated: float
    """Number of unrelated neighboring sentences; 0 or more, lower is better."""
    disorder: float
    """Order loss in nats, 0 or more, lower is better; NaN for one sentence."""

    @property
    def likelihood(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.likelihoods)

    @property
    def acceptability(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.acceptabilities)

    def grammaticality(self, constants: Constants = DEFAULT) -> float:
        """Return likelihood and acceptability over sentences, with extra weight on the worst, 0..1."""
        if not self.likelihoods:
            return math.nan
        weight = constants.acceptability
        pairs = zip(self.acceptabilities, self.likelihoods, strict=True)
        each = [weight * a + (1 - weight) * b for a, b in pairs]
        return constants.least * min(each) + (1 - constants.least) * _mean(each)

    def sum_of(self, steps: str, constants: Constants = DEFAULT) -> float:
        """Return grammaticality minus the penalties of steps, clipped to 0..1.

        Steps are ``r`` redundancy, ``u`` focus and ``n`` coherence; a text of one sentence has no penalties.
        """
        disorder = 0.0 if math.isnan(self.disorder) else self.disorder
        off = {
            "r": constants.violation * self.repeated,
            "u": constants.violation * self.unrelated,
            "n": constants.nat * disorder,
        }
        left = self.grammaticality(constants) - sum(off[step] for step in steps)
        return float(np.clip(left, 0.0, 1.0))


NOTHING = Parts((), (), *(math.nan,) * 3)


def gruen_parts(docs: Sequence[Doc], judges: Judges) -> list[Parts]:
    """Return the parts of each Doc, stored beside it for other steps."""
    key = f"naturalness.gruen.{judges.signature}"

    def measure(docs: Sequence[Doc]) -> list[Parts]:
        usable = [not unusable(doc) and not problem_of(doc) for doc in docs]
        likely = iter(judges.likelihood.of([*compress(docs, usable)]))
        return [
            _parts(Text(doc), next(likely), judges) if is_usable else NOTHING
            for doc, is_usable in zip(docs, usable, strict=True)
        ]

    return stored_beside(docs, key, measure)


def _parts(text: Text, likely: FloatArray, judges: Judges) -> Parts:
    if not len(likely) or len(likely) != len(text.seen.sentences):
        return NOTHING  # a sentence exceeds the language model's limit
    acceptable = judges.acceptability.probabilities(text)
    clouds = [word_cloud(text.seen.lower[a:b]) for a, b in text.seen.sentences]
    return Parts(
        tuple(likely.tolist()),
        tuple(acceptable.tolist()),
        similar_pairs(text.sentences),
        unrelated_neighbours(clouds),
        judges.order.loss(text),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan

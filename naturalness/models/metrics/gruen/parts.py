"""The parts of GRUEN, measured on Docs: grammaticality, redundancy, focus and coherence (Zhu & Bhat, 2020).

Redundancy is four tests on every pair of sentences: A and C read characters, B and D words as white space parts them,
all in lower case. The paper prints the thresholds as the passing side; here a test that fires is a violation. Focus is
about neighbouring sentences that have nothing to do with one another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.metrics.gruen.judges import Judges, Text, problem_of
from naturalness.models.metrics.movers import Cloud, moving_cost, word_cloud
from naturalness.text.parsing import unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc

MAX_COMMON = 0.8
"""Share of the shorter sentence above which what both have in common is too much (A, B, D)."""
MIN_EDITED = 0.6
"""Share of the longer sentence below which the edit distance is too small (C)."""


def has_common_run(first: str, second: str, length: int) -> bool:
    """Tell whether ``first`` and ``second`` share a run of so many characters."""
    return any(first[i : i + length] in second for i in range(len(first) - length + 1))


def edit_distance(first: str, second: str) -> int:
    """Return the insertions, deletions and replacements of characters (Levenshtein).

    A column of the usual table is two integers, a bit for each place where the distance grows or
    falls (Myers 1999; Hyyrö 2003): a few operations per character of ``other``.
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
    """Return the letters of the tests that call two sentences too similar, of "ABCD"."""
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
    """Count the tests that fire over all pairs; 0 to 4 a pair."""
    return sum(len(fired_tests(*pair)) for pair in combinations(sentences, 2))


def _more_than(share: float, length: int) -> int:
    """Return the least whole number above that share of a length."""
    return int(share * length + 1e-9) + 1


def _common_words_in_a_row(few: Sequence[str], many: Sequence[str], length: int) -> bool:
    # Words as one text, each between spaces, so that a run of words is a run of characters.
    all_of_them = f" {' '.join(many)} "
    runs = (few[i : i + length] for i in range(len(few) - length + 1))
    return any(f" {' '.join(run)} " in all_of_them for run in runs)


UNRELATED_DISTANCE = 1.35
"""Distance that counts as no similarity: more than the 1.23 that sentences of different documents
are apart on average, so that few real neighbours (1 in 12 of held-out text, 2 in 9 of sentences of
different documents) are farther apart than `LEAST` allows."""
MIN_SIMILARITY = 0.05
"""Similarity below which a pair of neighbours is a violation, as in the paper."""


def similarity(first: Cloud | None, second: Cloud | None) -> float:
    """Return 1 - Word Mover's Distance / 1.35; at most 1.

    Ours: the paper names no formula. NaN where a sentence has no words with a vector.
    """
    if first is None or second is None:
        return math.nan
    return 1 - moving_cost(first, second) / UNRELATED_DISTANCE


def unrelated_neighbours(clouds: Sequence[Cloud | None]) -> int:
    """Count neighbours less similar than `MIN_SIMILARITY`; those that cannot be compared do not count."""
    return sum(similarity(*pair) < MIN_SIMILARITY for pair in pairwise(clouds))


class Constants(NamedTuple):
    """How the parts are weighed; `naturalness compare --tune` fits it to your ratings.

    The paper fitted thresholds and what a violation takes off on ratings of its own.
    """

    acceptability: float = 0.5
    """Weight of acceptability in grammaticality; the rest is that of likelihood."""
    least: float = 0.5
    """Weight of the worst sentence in a text's grammaticality; the rest is the mean's."""
    violation: float = 0.1
    """Taken off for a violation of non-redundancy or focus, as in the paper."""
    nat: float = 0.1
    """Taken off for a nat of order loss; the paper takes 1 off its own network's."""


DEFAULT = Constants()
PLAIN = Constants(least=0.0, nat=1.0)
"""The sum of the paper: the mean over sentences, and the loss of order as it is."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What GRUEN is the sum of.

    All NaN for a text without words, with a sentence that is too long, or with too many.
    """

    likelihoods: tuple[float, ...]
    """Of each sentence, 0..1, higher is better."""
    acceptabilities: tuple[float, ...]
    """Of each sentence, 0..1, higher is better."""
    repeated: float
    """Tests that call two sentences too similar, over all pairs; 0 or more, lower is better."""
    unrelated: float
    """Neighbours that have nothing to do with one another; 0 or more, lower is better."""
    disorder: float
    """Loss of the order of sentences, in nats, 0 or more, lower is better; NaN for one sentence."""

    @property
    def likelihood(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.likelihoods)

    @property
    def acceptability(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.acceptabilities)

    def grammaticality(self, constants: Constants = DEFAULT) -> float:
        """Return 0..1: likelihood and acceptability of the sentences, the worst of them counted more."""
        if not self.likelihoods:
            return math.nan
        weight = constants.acceptability
        pairs = zip(self.acceptabilities, self.likelihoods, strict=True)
        each = [weight * a + (1 - weight) * b for a, b in pairs]
        return constants.least * min(each) + (1 - constants.least) * _mean(each)

    def sum_of(self, steps: str, constants: Constants = DEFAULT) -> float:
        """Return grammaticality less what each named step takes off: ``r``, ``u``, ``n``; within 0..1.

        r: redundancy, u: focus, n: coherence; a text of one sentence loses nothing by any.
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
    """Measure the parts of each Doc, kept beside it: steps and sub-scores share them."""
    key = f"naturalness.gruen.{judges.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc in new:
        doc.user_data[key] = NOTHING
    new = [doc for doc in new if not unusable(doc) and not problem_of(doc)]
    for doc, likely in zip(new, judges.likelihood.of(new), strict=True):
        doc.user_data[key] = _parts(Text(doc), likely, judges)
    return [doc.user_data[key] for doc in docs]


def _parts(text: Text, likely: FloatArray, judges: Judges) -> Parts:
    if not len(likely) or len(likely) != len(text.seen.sentences):
        return NOTHING  # a sentence is too long for the language model
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

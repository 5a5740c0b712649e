"""Repeated words, neighbours and phrases: what generators that loop leave behind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Feature, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.view import CONTENT, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

NEAR = 6
BASE, MODULUS = 1_000_003, (1 << 61) - 1


class RepetitionFeatures:
    """Repeats within the whole text, over words in lower case; punctuation is passed over."""

    name: ClassVar = "repetition"
    parsed: ClassVar = frozenset({"lemma_share", "near_content_share"})
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = (
        Feature(
            "distinct_share", "distinct words / words", "(0, 1]", "fewer repeats", words="share of different words"
        ),
        Feature(
            "neighbour_share",
            "words equal to the word before / neighbouring pairs",
            "[0, 1]",
            "more stuttering",
            undefined="fewer than 2 words",
            words="words said twice in a row",
        ),
        Feature(
            "bigram_share",
            "bigrams that came before / bigrams",
            "[0, 1)",
            "more loops",
            undefined="fewer than 2 words",
            words="repeated pairs of words",
        ),
        Feature(
            "trigram_share",
            "trigrams that came before / trigrams",
            "[0, 1)",
            "more loops",
            undefined="fewer than 3 words",
            words="repeated runs of three words",
        ),
        Feature(
            "lemma_share",
            "words whose lemma came before / words",
            "[0, 1)",
            "more repeats",
            words="repeated words, in any form",
        ),
        Feature(
            "near_content_share",
            "content words whose lemma is among the 6 words before / content words",
            "[0, 1)",
            "clumsier",
            undefined="no content words",
            words="content words repeated nearby",
        ),
        Feature(
            "longest_repeat_share",
            "words of the longest run that came before / words",
            "[0, 1)",
            "more loops",
            words="longest repeated stretch",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> tuple[float, ...]:
    """One row, in the order of the table above."""
    seen = view(doc)
    n = len(seen.words)
    if not n:
        return (NAN,) * len(RepetitionFeatures.features)
    words = [seen.lower[i] for i in seen.words]
    lemmas = [seen.lemmas[i] for i in seen.words]
    content = [k for k, i in enumerate(seen.words) if seen.pos[i] in CONTENT]
    near = sum(lemmas[k] in lemmas[max(0, k - NEAR) : k] for k in content)
    pairs = list(pairwise(words))
    triples = list(zip(words, words[1:], words[2:], strict=False))
    distinct, pairs_before = len(set(words)), len(pairs) - len(set(pairs))
    triples_before = len(triples) - len(set(triples))
    most = n // 2 if triples_before else 2 if pairs_before else int(distinct < n)
    return (
        distinct / n,
        ratio(sum(a == b for a, b in pairs), len(pairs)),
        ratio(pairs_before, len(pairs)),
        ratio(triples_before, len(triples)),
        1 - len(set(lemmas)) / n,
        ratio(near, len(content)),
        longest_repeat(words, most) / n,
    )


def longest_repeat(words: Sequence[str], most: int | None = None) -> int:
    """Length of the longest run of words that occurs twice without overlapping itself.

    By bisection on the length: a run of length k that repeats holds one of length k - 1. ``most``:
    a length that no such run exceeds, where that is known.
    """
    half = len(words) // 2
    low, high = 0, half if most is None else min(most, half)
    while low < high:
        length = (low + high + 1) // 2
        if _repeats(words, length):
            low = length
        else:
            high = length - 1
    return low


def _repeats(words: Sequence[str], length: int) -> bool:
    """Whether a run of this length occurs twice, by a rolling hash: no run is ever copied."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(word, len(numbers) + 1) for word in words]
    power = pow(BASE, length, MODULUS)
    first: dict[int, int] = {}
    rolling = 0
    for end, code in enumerate(codes, start=1):
        rolling = (rolling * BASE + code) % MODULUS
        if end > length:
            rolling = (rolling - codes[end - length - 1] * power) % MODULUS
        start = end - length
        if start < 0:
            continue
        before = first.setdefault(rolling, start)
        if start - before >= length and words[before : before + length] == words[start:end]:
            return True
    return False

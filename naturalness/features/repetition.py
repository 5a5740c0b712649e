"""Repeated words, repeats of the preceding word, and repeated phrases, as text generators produce when they loop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from naturalness.features.base import MeasuredGroup, ratio
from naturalness.text.view import CONTENT, Doc, view

NEAR = 6
BASE, MODULUS = 1_000_003, (1 << 61) - 1


def measure(doc: Doc) -> tuple[float, ...] | None:
    """Return the values of a Doc in the order of ``tables/repetition.csv``; None if it has no words."""
    seen = view(doc)
    n = len(seen.words)
    if not n:
        return None
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


REPETITION = MeasuredGroup(
    "repetition", "Repetitions within the whole text, of words in lower case; punctuation is ignored.", measure
)


def longest_repeat(words: Sequence[str], most: int) -> int:
    """Return the length of the longest run of words that occurs twice, with no overlap between the two occurrences.

    ``most`` is a known upper bound on the length.
    """
    # Bisection works because a repeated run of length k contains a repeated run of length k - 1.
    low, high = 0, min(most, len(words) // 2)
    while low < high:
        length = (low + high + 1) // 2
        if _repeats(words, length):
            low = length
        else:
            high = length - 1
    return low


def _repeats(words: Sequence[str], length: int) -> bool:
    """Return whether any run of this length occurs twice, with no overlap between the two occurrences."""
    # A rolling hash makes it unnecessary to copy every run.
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

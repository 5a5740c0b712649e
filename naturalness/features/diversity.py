"""Lexical diversity that does not fall with length, set for texts of a sentence's size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naturalness.features.base import NAN

WINDOW = 10
THRESHOLD = 0.72


def mtld(words: Sequence[str]) -> float:
    """Measure of textual lexical diversity (McCarthy & Jarvis, 2010), mean of both directions."""
    if len(words) < WINDOW:
        return NAN
    factors = _factors(words), _factors(words[::-1])
    if not all(factors):
        return NAN
    return (len(words) / factors[0] + len(words) / factors[1]) / 2


def _factors(words: Sequence[str]) -> float:
    """Runs whose type-token ratio falls to the threshold; the last one counts in part."""
    count, length, ratio = 0.0, 0, 1.0
    types: set[str] = set()
    for word in words:
        length += 1
        types.add(word)
        ratio = len(types) / length
        if ratio <= THRESHOLD:
            count += 1
            types.clear()
            length, ratio = 0, 1.0
    return count + (1 - ratio) / (1 - THRESHOLD)


def mattr(words: Sequence[str]) -> float:
    """Moving-average type-token ratio (Covington & McFall, 2010)."""
    if len(words) < WINDOW:
        return NAN
    inside = Counter(words[:WINDOW])
    total = len(inside)
    for i in range(WINDOW, len(words)):
        inside[words[i]] += 1
        old = words[i - WINDOW]
        inside[old] -= 1
        if not inside[old]:
            del inside[old]
        total += len(inside)
    return total / WINDOW / (len(words) - WINDOW + 1)


def hdd(words: Sequence[str]) -> float:
    """Hypergeometric distribution diversity (McCarthy & Jarvis, 2007), over the sample's size."""
    n = len(words)
    if n < WINDOW:
        return NAN
    expected = 0.0
    for frequency, types in Counter(Counter(words).values()).items():
        absent = 1.0
        for k in range(WINDOW):
            absent *= max(0, n - frequency - k) / (n - k)
        expected += types * (1 - absent)
    return expected / WINDOW

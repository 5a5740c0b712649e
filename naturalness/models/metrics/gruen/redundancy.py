"""Sentences of a text that say the same: four tests on every pair, after Zhu & Bhat (2020).

A and C read characters, B and D words as white space parts them, all in lower case. The paper
prints the thresholds as the passing side; here a test that fires is a violation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

MOST_COMMON = 0.8
"""Share of the shorter sentence above which what both have in common is too much (A, B, D)."""
LEAST_EDITED = 0.6
"""Share of the longer sentence below which the edit distance is too small (C)."""


def has_common_run(one: str, other: str, length: int) -> bool:
    """Whether so many characters in a row of ``one`` stand in ``other``."""
    return any(one[i : i + length] in other for i in range(len(one) - length + 1))


def edit_distance(one: str, other: str) -> int:
    """Insertions, deletions and replacements of characters (Levenshtein).

    A column of the usual table is two integers, a bit for each place where the distance grows or
    falls (Myers 1999; Hyyrö 2003): a few operations per character of ``other``.
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for i, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << i
    everything, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    grows, falls, distance = everything, 0, len(one)
    for character in other:
        equal = places.get(character, 0)
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


def fired_tests(one: str, other: str) -> str:
    """The letters of the tests that call two sentences too similar, of "ABCD"."""
    one, other = (" ".join(text.lower().split()) for text in (one, other))
    short, long = sorted((one, other), key=len)
    few, many = sorted((one.split(), other.split()), key=len)
    if not few:
        return ""
    fired = ""
    if has_common_run(short, long, _more_than(MOST_COMMON, len(short))):
        fired += "A"
    if _common_words_in_a_row(few, many, _more_than(MOST_COMMON, len(few))):
        fired += "B"
    enough = LEAST_EDITED * len(long)
    if len(long) - len(short) < enough and edit_distance(short, long) < enough:
        fired += "C"
    if (Counter(few) & Counter(many)).total() > MOST_COMMON * len(few):
        fired += "D"
    return fired


def violations(sentences: Sequence[str]) -> int:
    """How many tests fire over all pairs; 0 to 4 a pair."""
    return sum(len(fired_tests(*pair)) for pair in combinations(sentences, 2))


def _more_than(share: float, length: int) -> int:
    """The least whole number above that share of a length."""
    return int(share * length + 1e-9) + 1


def _common_words_in_a_row(few: Sequence[str], many: Sequence[str], length: int) -> bool:
    # Words as one text, each between spaces, so that a run of words is a run of characters.
    all_of_them = f" {' '.join(many)} "
    runs = (few[i : i + length] for i in range(len(few) - length + 1))
    return any(f" {' '.join(run)} " in all_of_them for run in runs)

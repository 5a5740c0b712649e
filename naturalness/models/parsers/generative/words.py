"""The probability of a word given its tag and the label above it: form, capitals, spelling.

A word is taken apart: its form (small letters, digits as 0, straight quotes), its digits, and how
it is capitalised.

    P(word | tag, label) = P(form | tag, label) P(capitals | tag, first, form) / m 10^digits

The forms that were counted with a tag, or often with any, and one more that stands for all others
have probabilities that sum to 1. Which other form it is, is told letter by letter from the end (so
that the ending, which tells most, comes first) to a mark for the beginning, given the tag; a letter
that was never counted has an equal share among all of Unicode. A form with capitals in no usual
order has m equal ways of it. So every word has a probability, and those of all words sum to
slightly less than 1: the letters could also spell forms that were counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from naturalness.models.parsers.generative.backoff import Backoff
from naturalness.models.parsers.generative.forms import Forms
from naturalness.text.normalisation import QUOTES

PLAIN = str.maketrans(QUOTES)
DIGIT = re.compile("[0-9]")
LOWER, CAPITAL, CAPITALS, MIXED = range(4)
CASES = 4
"""No capital; the first letter; all of at least two letters; anything else."""
BEGINNING, OTHER_LETTER = 0, 1
"""Outcomes that are no letter of the alphabet: the word is complete; a letter never counted."""
ALPHABET_START = 2
UNICODE = 0x110000
REMEMBERED = 1 << 13
"""Words, of at most `LONGEST_REMEMBERED` characters each: texts may hold any."""
LONGEST_REMEMBERED = 64
LN10 = math.log(10.0)


class Shape(NamedTuple):
    """A word taken apart."""

    form: str
    case: int
    cased: bool
    """Whether it has a letter that could be a capital."""
    share: float
    """Log of one over the number of words with this form and these capitals."""


def shape(word: str) -> Shape:
    """Take a word apart."""
    return _remembered(word) if len(word) <= LONGEST_REMEMBERED else _apart(word)


@lru_cache(maxsize=REMEMBERED)
def _remembered(word: str) -> Shape:
    return _apart(word)


def _apart(word: str) -> Shape:
    if word in ("``", "''"):
        word = '"'
    word = word.translate(PLAIN)
    form, digits = DIGIT.subn("0", word.lower())
    letters = [c for c in word if c.lower() != c.upper()]
    capitals = sum(c != c.lower() for c in letters)
    share = -digits * LN10
    if not capitals:
        return Shape(form, LOWER, bool(letters), share)
    if capitals == 1 and letters[0] != letters[0].lower():
        return Shape(form, CAPITAL, True, share)
    if capitals == len(letters):
        return Shape(form, CAPITALS, True, share)
    # Of n letters 2^n ways, without none, all and the first alone.
    return Shape(form, MIXED, True, share - _log_of_mixed(len(letters)))


def _log_of_mixed(letters: int) -> float:
    return letters * math.log(2.0) + math.log1p(-3.0 * 2.0**-letters)


class WordModel:
    """Words of tags; numbers of tags and labels are those of the grammar's symbols."""

    def __init__(
        self, forms: Forms, letters: Sequence[str], *, counted: Backoff, spelled: Backoff, cased: Backoff
    ) -> None:
        self.forms = forms
        self.letters = {c: ALPHABET_START + i for i, c in enumerate(letters)}
        self.counted, self.spelled, self.cased = counted, spelled, cased
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._score)

    def score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        """Log-probability of a word in two parts: by counts, and spelling.

        ``first``: no letter stands before it in its sentence. Spelling is 0 for a form that was
        counted but for its digits; for one that was not it is the probability of its letters, and
        the part by counts is that of an uncounted form.
        """
        score = self._remembered if len(word) <= LONGEST_REMEMBERED else self._score
        return score(word, tag, label, first)

    def _score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        form, case, cased, share = shape(word)
        number = self.forms.find(form)
        counted, left = self.counted.split((tag, label), number)
        capitals = 0.0
        if cased:
            capitals = math.log(self.cased.prob((first, tag, number + 1), case, 1 / CASES))
        if counted > 0.0:
            return math.log(counted) + capitals, share
        return math.log(left) + capitals, self.spell(form, tag) + share

    def spell(self, form: str, tag: int) -> float:
        """Log-probability of a form's letters, from the last to the first and the beginning."""
        size = ALPHABET_START + len(self.letters)
        known = [self.letters.get(c, OTHER_LETTER) for c in reversed(form)]
        following = later = BEGINNING  # as a context, that no letter follows
        total = 0.0
        for letter in [*known, BEGINNING]:
            total += math.log(self.spelled.prob((following, tag, later), letter, 1 / size))
            later, following = following, letter
        return total - known.count(OTHER_LETTER) * math.log(UNICODE)

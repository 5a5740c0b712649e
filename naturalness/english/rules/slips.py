"""Correct misspelt words: look up frequent misspellings in a table, and explain others by slips of one letter.

Only a word with a clear correction counts as misspelt. Possible names, foreign words, compounds, British or American
variants, and regular forms of known words are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_lowercase

from naturalness.english.inflection import inflect_regular
from naturalness.english.rules.lists import table, word_list
from naturalness.english.wordlist import REMEMBERED, WordList, edits, load_wordlist

TYPOS = table("typos", "spelling")
RARE = word_list("rare", "spelling")
"""Correctly spelt words that are missing from our corpora and are one slip away from a frequent word."""
VOWELS = frozenset("aeiouy")
MIN_LETTERS = 6
"""The smallest number of letters in a word corrected for any slip; shorter words have too many neighbours."""
MIN_SHORT = 4
"""The smallest number of letters in a word corrected if only a letter inside it is missing."""
MARGIN = 0.5
"""By how much the Zipf value of the correction of a short word exceeds that of the second best."""
FREQUENT = 3.8
"""The smallest Zipf value of a correction."""
FREQUENT_SHORT = 4.3
"""The smallest Zipf value of the correction of a short word."""
FAMILIAR = 3.0
"""The smallest Zipf value of the parts of a compound or derivation."""
SOUNDS = 0.8
"""The bonus added to the Zipf value of a candidate that has the same consonants."""
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Alternations between British and American spellings.
VARIANTS = [pair.split("/") for pair in word_list("variants", "spelling")]
PREFIXES = word_list("prefixes", "spelling")
SUFFIXES = word_list("suffixes", "spelling")


@lru_cache(maxsize=REMEMBERED)
def _slip(words: WordList, word: str) -> str | None:
    """Return the correction of an unknown word; None if there is no clear correction."""
    if not MIN_SHORT <= len(word) <= 24 or not (word.isascii() and word.isalpha()):
        return None
    if word in words or word in RARE or formed(words, word):
        return None
    if len(word) < MIN_LETTERS:
        return _completed(words, word)
    nearest = _nearest(words, word)
    return nearest if nearest and not (nearest in _variants(word) or _is_name(word, nearest)) else None


def _completed(words: WordList, word: str) -> str | None:
    """Return the one frequent word that has a letter more inside it; None if there are several or none."""
    longer = {word[:i] + letter + word[i:] for i in range(1, len(word)) for letter in ascii_lowercase}
    second, best = sorted(longer, key=words.lookup)[-2:]
    clear = words.lookup(best) >= max(FREQUENT_SHORT, words.lookup(second) + MARGIN)
    return best if clear else None


def _is_name(word: str, other: str) -> bool:
    """Return whether a word may be a name: it has a Latin ending, or is a letter and a word (*ncurses*, *pevent*)."""
    letter_and_word = word[0] not in VOWELS and load_wordlist().lookup(word[1:]) >= FAMILIAR
    return (word[-1] in "aou" and word[-1] != other[-1]) or (letter_and_word and word[1:3] != other[1:3])


def _nearest(words: WordList, word: str) -> str | None:
    """Return the likeliest frequent word one edit away or, for lack of one, two edits away with the same consonants."""
    key = consonants(word)
    best, weight = None, FREQUENT
    for other in set(edits(word)):
        zipf = words.lookup(other)
        if zipf >= FREQUENT and _slips(word, other):
            zipf += SOUNDS * (consonants(other) == key)
            best, weight = max((weight, best or ""), (zipf, other))[::-1]
    if best or len(word) < MIN_LETTERS + 1:
        return best
    near = [other for other in _by_consonants(words).get(key, ()) if distance(word, other) == 2]
    return max(near, key=words.lookup, default=None)


def _slips(word: str, other: str) -> bool:
    """Return whether a word may be a typing or hearing error for another; both must have the same first letter."""
    if word[0] != other[0] or word[0] == other[1:2] != word[1]:
        return False
    if len(word) != len(other):
        return True
    pairs = [(a, b) for a, b in zip(word, other, strict=True) if a != b]
    if len(pairs) == 2:
        return True
    a, b = pairs[0]
    return ({a, b} <= VOWELS) or _neighbours(a, b) or len(word) > MIN_LETTERS + 2


def _neighbours(a: str, b: str) -> bool:
    """Return whether two letters are next to each other on the keyboard."""
    return any(f"{x}{y}" in row for row in KEYS for x, y in ((a, b), (b, a)))


def formed(words: WordList, word: str) -> bool:
    """Return whether a word is a regular form, a derivation or a compound of known words."""

    def known(part: str, least: float = FAMILIAR) -> bool:
        return len(part) > 2 and words.lookup(part) >= least

    respelt = any(verb in words for verb in _variants(word) if "iz" in verb)  # a word in -ise, of a known one in -ize
    if respelt or _inflected(words, word):
        return True
    for prefix in PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) > 3 and (known(rest) or _inflected(words, rest)):
            return True
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and any(map(known, (stem, stem + "e", stem + "y", _undoubled(stem)))):
            return True
    cuts = range(3, len(word) - 2)
    return any(known(word[:i], 3.5) and known(word[i:], 3.5) for i in cuts)


def _inflected(words: WordList, word: str) -> bool:
    """Return whether a word is a known word with a regular ending."""
    for tag, ending in (("NNS", "s"), ("VBD", "ed"), ("VBG", "ing")):
        if not word.endswith(ending):
            continue
        stem = word.removesuffix(ending)
        stems = [stem, stem + "e", _undoubled(stem)]
        if ending == "s":
            stems += [stem.removesuffix("e"), stem.removesuffix("ie") + "y"]
        elif ending == "ed":
            stems.append(stem.removesuffix("i") + "y")
        if any((s in words or s in RARE) and len(s) > 2 and inflect_regular(s, tag) == word for s in stems):
            return True
    return False


def _undoubled(stem: str) -> str:
    return stem[:-1] if stem[-1:] == stem[-2:-1] else stem


def _variants(word: str) -> Iterator[str]:
    """Yield the spellings that differ from a word's as British and American ones do."""
    for old, new in VARIANTS:
        for i in range(1, len(word)):
            if word.startswith(old, i):
                yield word[:i] + new + word[i + len(old) :]


def consonants(word: str) -> str:
    """Return the first letter and the consonants, ignoring doubling: the same for *seperate* and *separate*."""
    skeleton = word[0]
    for letter in word[1:]:
        if letter not in "aeiouyhw" and letter != skeleton[-1]:
            skeleton += letter
    return skeleton


@lru_cache(maxsize=1)
def _by_consonants(words: WordList) -> Mapping[str, list[str]]:
    """Return lists of frequent words, keyed by their `consonants`."""
    by_consonants: dict[str, list[str]] = {}
    for word in words.counts:
        if len(word) >= MIN_LETTERS and word.isalpha() and words.lookup(word) >= FREQUENT:
            by_consonants.setdefault(consonants(word), []).append(word)
    return by_consonants


def distance(a: str, b: str) -> int:
    """Return the edit distance between two words; a transposition counts as one edit."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            least = min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y))
            if before and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]


def misspelling(word: str) -> str | None:
    """Return the correction of a lower-case non-word; None if there is no clear correction."""
    words = load_wordlist()
    return TYPOS.get(word) or (None if word in words.counts else _slip(words, word))

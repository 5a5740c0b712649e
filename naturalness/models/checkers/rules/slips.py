"""Slips: the word that a lower-case word which is none was meant to be.

A word is misspelt for us only where we know what it should have been. What may be a name, a foreign
word, a compound, a British or American form or a regular form of a known word is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from naturalness.models.checkers.rules.misspellings import RARE, TYPOS
from naturalness.models.inflection import inflect_regular
from naturalness.models.wordlist import REMEMBERED, WordList, edits, load_wordlist

VOWELS = frozenset("aeiouy")
SHORTEST = 6
"""Letters of the shortest word that is corrected without the table: shorter ones have too many
neighbours."""
FREQUENT = 3.8
"""Zipf value of a word that something is a misspelling of."""
FAMILIAR = 3.0
"""Zipf value of a word that others may be formed from."""
SOUNDS = 0.8
"""What it adds to the Zipf value of a candidate that it has the same consonants."""
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# British and American forms of the same word, and their like.
VARIANTS = (
    ("is", "iz"),
    ("iz", "is"),
    ("ys", "yz"),
    ("our", "or"),
    ("or", "our"),
    ("ae", "e"),
    ("oe", "e"),
    ("re", "er"),
    ("ence", "ense"),
    ("ogue", "og"),
    ("lled", "led"),
    ("led", "lled"),
    ("lling", "ling"),
    ("ling", "lling"),
    ("ller", "ler"),
    ("ler", "ller"),
    ("lment", "llment"),
    ("lful", "llful"),
    ("lous", "llous"),
    ("llous", "lous"),
)
BEFORE = (
    "un re non pre over under mis sub anti co out inter super micro multi counter semi bio geo neo "
    "auto de en up post pro trans hyper photo electro dis in im bi fore mid be tele thermo psycho "
    "hydro mono poly"
)
PREFIXES = tuple(BEFORE.split())
BEHIND = (
    "ness less like er ers or ors able ish y ism isms ist ists ship hood wise ward wards fold let "
    "lets dom ess ise ize ised ized ising izing ee ees ery ette esque ian ians ity age al ic ical "
    "ful ings ly iest ier ily iness est en ens ened ening ator ate ous ation ations ment ments man "
    "men most some"
)
SUFFIXES = tuple(BEHIND.split())


@lru_cache(maxsize=REMEMBERED)
def _slip(words: WordList, word: str) -> str | None:
    """The word that an unknown one was meant to be."""
    if not SHORTEST <= len(word) <= 24 or not (word.isascii() and word.isalpha()):
        return None
    if word in words or word in RARE or formed(words, word):
        return None
    found = _nearest(words, word)
    return found if found and not _variant(word, found) else None


def _nearest(words: WordList, word: str) -> str | None:
    """The likeliest frequent word one edit away, or with the same consonants."""
    key = consonants(word)
    best, weight = None, FREQUENT
    for other in set(edits(word)):
        zipf = words.lookup(other)
        if zipf >= FREQUENT and _slips(word, other):
            zipf += SOUNDS * (consonants(other) == key)
            best, weight = max((weight, best or ""), (zipf, other))[::-1]
    if best or len(word) < SHORTEST + 1:
        return best
    near = [other for other in _by_consonants(words).get(key, ()) if distance(word, other) == 2]
    return max(near, key=words.lookup, default=None)


def _slips(word: str, other: str) -> bool:
    """Whether a hand or an ear slips like that: the first letter stands, no odd substitution."""
    if word[0] != other[0] or word[0] == other[1:2] != word[1]:
        return False
    if len(word) != len(other):
        return True
    pairs = [(a, b) for a, b in zip(word, other, strict=True) if a != b]
    if len(pairs) == 2:
        return True
    a, b = pairs[0]
    return ({a, b} <= VOWELS) or _neighbours(a, b) or len(word) > SHORTEST + 2


def _neighbours(a: str, b: str) -> bool:
    """Whether two letters are next to each other on the keyboard."""
    return any(f"{x}{y}" in row for row in KEYS for x, y in ((a, b), (b, a)))


def formed(words: WordList, word: str) -> bool:
    """Whether a word is a regular form, a derivation or a compound of known ones."""

    def known(part: str, least: float = FAMILIAR) -> bool:
        return len(part) > 2 and words.lookup(part) >= least

    if _inflected(words, word):
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
    """Whether a word is a known one with a regular ending."""
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


def _variant(word: str, other: str) -> bool:
    """Whether two words differ as British and American forms do."""
    return any(
        word[:i] + new + word[i + len(old) :] == other
        for old, new in VARIANTS
        for i in range(1, len(word))
        if word.startswith(old, i)
    )


def consonants(word: str) -> str:
    """First letter and consonants, doubled ones once: those of *seperate* and *separate*."""
    kept = word[0]
    for letter in word[1:]:
        if letter not in "aeiouyhw" and letter != kept[-1]:
            kept += letter
    return kept


@lru_cache(maxsize=1)
def _by_consonants(words: WordList) -> Mapping[str, list[str]]:
    """Frequent words by their consonants."""
    found: dict[str, list[str]] = {}
    for word in words.counts:
        if len(word) >= SHORTEST and word.isalpha() and words.lookup(word) >= FREQUENT:
            found.setdefault(consonants(word), []).append(word)
    return found


def distance(a: str, b: str) -> int:
    """Edits from one word to another; neighbours that changed places count once."""
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
    """What a lower-case word that is no word should be; None where that is not clear."""
    words = load_wordlist()
    return TYPOS.get(word) or (None if word in words.counts else _slip(words, word))

"""Unknown words that are regular: inflected forms, derivations and compounds of known words, and spelling variants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from naturalness.english.inflection import inflect_regular
from naturalness.english.wordlist import WordList
from naturalness.files.toml import read_beside
from naturalness.text.view import word_set

_LISTS = read_beside(__file__)
RARE = word_set(_LISTS["rare"])
"""Correctly spelt words that are missing from our corpora and are one slip away from a frequent word."""
VARIANTS = [pair.split("/") for pair in _LISTS["variants"].split()]
"""Alternations between British and American spellings."""
PREFIXES, SUFFIXES = _LISTS["prefixes"].split(), _LISTS["suffixes"].split()
DOUBLED = re.compile(r"(\w*[^aeiou][aeiou]l)l(ed|ings?|ers?)")
"""A word that ends in a vowel and *l*, with an ending before which British English doubles the *l*."""
FAMILIAR = 3.0
"""The smallest Zipf value of the parts of a compound or derivation."""


def formed(words: WordList, word: str) -> bool:
    """Return whether a word is a regular form, a derivation or a compound of known words."""

    def known(part: str, least: float = FAMILIAR) -> bool:
        return len(part) > 2 and words.lookup(part) >= least

    if has_known_ize(words, word) or inflected(words, word):
        return True
    for prefix in PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) > 3 and (known(rest) or inflected(words, rest)):
            return True
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and any(map(known, (stem, stem + "e", stem + "y", _undoubled(stem)))):
            return True
    cuts = range(3, len(word) - 2)
    return any(known(word[:i], 3.5) and known(word[i:], 3.5) for i in cuts)


def has_known_ize(words: WordList, word: str) -> bool:
    """Return whether a word in *-ise* is missing but known in *-ize*."""
    return any(verb in words for verb in variants(word) if "iz" in verb)


def has_british_form(words: WordList, word: str) -> bool:
    """Return whether a word is a known form with *l*, doubled as in British English: *tunnelling* for *tunneling*."""
    doubled = DOUBLED.fullmatch(word)
    return doubled is not None and doubled[1] in words and doubled[1] + doubled[2] in words


def inflected(words: WordList, word: str) -> bool:
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


def variants(word: str) -> Iterator[str]:
    """Yield the spellings that differ from a word's as British and American ones do."""
    for old, new in VARIANTS:
        for i in range(1, len(word)):
            if word.startswith(old, i):
                yield word[:i] + new + word[i + len(old) :]

"""Nouns whose number is not what their form says, how a noun phrase begins, and whether names have capitals.

Where a sentence does not write its names with capitals, any noun may be a name. The first word and *I* have their
capitals anyway; commas and figures are no letters. A tagger knows some names without them, and more names in small
letters than capitals mean a text without.
"""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.rules.lists import word_list
from naturalness.english.rules.pattern import NAMED, Sentence
from naturalness.english.wordlist import REMEMBERED, load_wordlist

COLLECTIVE = word_list("either_number")
"""Nouns that take verbs, determiners and numbers of either kind, or are plural without an s."""

SINGULAR_S = word_list("singular_s")
"""Words in s that need not be plural, and measures, which are often one thing (ten years is)."""

COUNT = word_list("count")
"""Frequent nouns that do not stand in the singular without a determiner."""

PHRASE = word_list("phrase")
OPENERS = word_list("openers")


@lru_cache(maxsize=REMEMBERED)
def is_plural(word: str) -> bool:
    """Return whether a noun is plural by its form: *dogs*, *children*; not *news*, *people*, *years*."""
    if word in ("children", "men", "women"):
        return True
    if len(word) < 4 or not word.endswith("s") or word[-2] in "su'" or word in SINGULAR_S:
        return False
    known = load_wordlist()
    return word[:-1] in known or word[:-2] in known or word[:-3] + "y" in known


@lru_cache(maxsize=REMEMBERED)
def is_singular(word: str) -> bool:
    """Return whether a noun is singular by its form, and counted as one: *dog*; not *team*, *sheep*."""
    return word.isalpha() and len(word) > 2 and not word.endswith("s") and word not in COLLECTIVE


def phrase_start(sentence: Sentence, i: int) -> int:
    """Return the first token of the run of determiners, adjectives and nouns that ends in a token."""
    tags = sentence.view.tags
    while i > sentence.start and tags[i - 1] in PHRASE:
        i -= 1
    return i


def opens_clause(sentence: Sentence, i: int, *, coordinated: bool = False) -> bool:
    """Return whether a clause may begin at a token: at the start, after a comma or a conjunction."""
    if i == sentence.start:
        return True
    before = sentence.view.lower[i - 1]
    return before in OPENERS or (coordinated and before in ("and", "or"))


def is_noun_phrase(sentence: Sentence, first: int, last: int) -> bool:
    """Return whether only determiners, adjectives and nouns stand from one token up to another."""
    return all(tag in PHRASE for tag in sentence.view.tags[first:last])


def names_are_large(sentence: Sentence, i: int) -> bool:
    """Return whether the words beside one in small letters show that names have capitals here."""
    large, small = _beside(sentence, i)
    return large > small


def names_are_small(sentence: Sentence, i: int) -> bool:
    """Return whether they show that names have none."""
    large, small = _beside(sentence, i)
    return small > large


def _beside(sentence: Sentence, i: int) -> tuple[int, int]:
    """Count capitals and small names without a token in small letters: it is the one in question."""
    large, small = sentence.names
    view = sentence.view
    counted = i > sentence.start and view.tags[i] in NAMED and view.texts[i].islower()
    return large, small - counted

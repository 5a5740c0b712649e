"""Recognise plural and singular nouns, noun phrases, and texts that write names in lower case.

In a text that writes names in lower case, any noun may be a name. A sentence counts as text of this kind if the tagger
finds more lower-case names in it than capitalised words. The first word and *I*, which any text capitalises, are
ignored.
"""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.inflection import INVARIANT
from naturalness.english.lists import word_list
from naturalness.english.rules.pattern import NAMED, RuleSentence, Test
from naturalness.english.wordlist import REMEMBERED, adds_s

COLLECTIVE = word_list("either_number")
"""Nouns that take both singular and plural verbs, or that are plural without an -s."""

SINGULAR_S = word_list("singular_s")
"""Words in -s that may be singular, including units of measure, which often take a singular verb (ten years is)."""

COUNT = word_list("count")
"""Frequent countable nouns, whose singular needs a determiner."""

PHRASE = word_list("phrase")
OPENERS = word_list("openers")


@lru_cache(maxsize=REMEMBERED)
def is_plural(word: str) -> bool:
    """Return whether a noun is certainly plural: *dogs*, *children*; not *news*, *people*, *years*."""
    return word in ("children", "men", "women") or adds_s(word, SINGULAR_S)


@lru_cache(maxsize=REMEMBERED)
def is_singular(word: str) -> bool:
    """Return whether a noun is singular and takes only singular verbs: *dog*; not *team*, *sheep*."""
    return word.isalpha() and len(word) > 2 and not word.endswith("s") and word not in COLLECTIVE | INVARIANT


def _small(name: str) -> Test:
    """Return a test of whether the token with this name is in lower case."""
    return lambda s, b: s.texts[b[name]].islower()


small_noun, small_adjective, small_verb = map(_small, ("noun", "adjective", "verb"))


def phrase_start(sentence: RuleSentence, i: int) -> int:
    """Return the index of the first token of the noun phrase that ends at a token."""
    tags = sentence.tags
    while i > sentence.start and tags[i - 1] in PHRASE:
        i -= 1
    return i


def opens_clause(sentence: RuleSentence, i: int, *, coordinated: bool = False) -> bool:
    """Return whether a clause may begin at a token: it begins its sentence, or follows a comma or a conjunction.

    The conjunctions include *and* and *or* only if ``coordinated`` is True.
    """
    if i == sentence.start:
        return True
    before = sentence.lower[i - 1]
    return before in OPENERS or (coordinated and before in ("and", "or"))


def names_are_large(sentence: RuleSentence, i: int) -> bool:
    """Return whether the sentence, ignoring this token, capitalises names."""
    large, small = _beside(sentence, i)
    return large > small


def names_are_small(sentence: RuleSentence, i: int) -> bool:
    """Return whether the sentence, ignoring this token, writes names in lower case."""
    large, small = _beside(sentence, i)
    return small > large


def _beside(sentence: RuleSentence, i: int) -> tuple[int, int]:
    """Count the capitalised words and the lower-case names in the sentence, ignoring this token."""
    large, small = sentence.names
    counted = i > sentence.start and sentence.tags[i] in NAMED and sentence.texts[i].islower()
    return large, small - counted

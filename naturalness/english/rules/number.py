"""Functions for the rules in `number.toml`, on determiners, quantifiers and numerals with the nouns that they count."""

from __future__ import annotations

from naturalness.english.lists import word_list
from naturalness.english.rules.nouns import is_noun_phrase
from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.english.wordlist import load_wordlist

DIVISIBLE = word_list("divisible", "number")
OF = {"NN", "NNS", "NNP", "POS", "DT"}


def counted(s: RuleSentence, b: Binding) -> bool:
    """Return whether only adjectives are between the determiner and the noun, and the noun is a known common noun."""
    first, noun = b["determiner"] + 1, b["noun"]
    return (
        is_noun_phrase(s, first, noun)
        and OF.isdisjoint(s.tags[first:noun])
        and s.tags[noun - 1] != "HYPH"
        and s.texts[noun].islower()
        and s.lower[noun] in load_wordlist()
    )


def single(s: RuleSentence, b: Binding) -> bool:
    """Return whether `counted` holds and no numeral or verb form is in between, unlike in *another two weeks*."""
    inside = range(b["determiner"] + 1, b["noun"])
    odd = any(s.tags[i] in ("CD", "VBG", "VBN", "VBD") or s.lower[i] in ("few", "other") for i in inside)
    return counted(s, b) and not odd


def after_numeral(s: RuleSentence, b: Binding) -> bool:
    """Return whether `counted` holds and the numeral is not part of a name."""
    numeral, noun = b["determiner"], b["noun"]
    plain = "CD" not in s.tags[numeral + 1 : noun]
    return plain and counted(s, b) and (numeral == s.start or s.texts[numeral].islower())


def several_of(s: RuleSentence, b: Binding) -> bool:
    """Return whether a noun phrase with a single noun follows *of*, and the noun is not divisible like *cake*."""
    first, noun = b["the"] + 1, b["noun"]
    singular = s.lower[b["determiner"]] in ("one", "each")
    return (
        is_noun_phrase(s, first, noun)
        and OF.isdisjoint(s.tags[first:noun])
        and (s.lower[noun] != "family" if singular else s.lower[noun] not in DIVISIBLE)
    )


def lot_of(s: RuleSentence, b: Binding) -> bool:
    """Return whether there are only adjectives between *of* and the noun."""
    first, noun = b["of"] + 1, b["noun"]
    return is_noun_phrase(s, first, noun) and not (OF | {"PRP$"}) & set(s.tags[first:noun])

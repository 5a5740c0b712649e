"""Functions for the rules in `number.toml`, on determiners, quantifiers and numerals with the nouns that they count."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.english.wordlist import load_wordlist


def known_noun(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is a known common noun."""
    return s.texts[b["noun"]].islower() and s.lower[b["noun"]] in load_wordlist()


def after_numeral(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is a known common noun, and the numeral is not part of a name."""
    numeral = b["determiner"]
    return known_noun(s, b) and (numeral == s.start or s.texts[numeral].islower())

"""Functions for the rules in `number.toml`, on determiners, quantifiers and numerals with the nouns that they count."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.english.rules.verbs import is_verb
from naturalness.english.wordlist import load_wordlist
from naturalness.text.view import word_set

FINITE = word_set("VBZ VBP VBD MD")
"""Tags of finite verbs."""


def known_noun(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is a known common noun."""
    return s.texts[b["noun"]].islower() and s.lower[b["noun"]] in load_wordlist()


def is_noun_of_these(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is a known common noun, and no verb after *these*: *since those change often*."""
    these, noun = b["determiner"], b["noun"]
    opens = noun == these + 1 and these > s.start and s.lower[these - 1] in ("since", "because", ",")
    stop = next((i for i in range(noun, s.end) if s.lower[i] == ","), s.end)
    verbless = FINITE.isdisjoint(s.tags[noun + 1 : stop])
    return known_noun(s, b) and not (opens and verbless and is_verb(s.lower[noun]))


def after_numeral(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is a known common noun, and the numeral is not part of a name."""
    numeral = b["determiner"]
    return known_noun(s, b) and (numeral == s.start or s.texts[numeral].islower())

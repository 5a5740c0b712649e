"""Functions for the rules in `pronouns.toml`: the case of pronouns, possessives, and words mistaken for them."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, RuleSentence


def ends_clause(sentence: RuleSentence, bound: Binding) -> bool:
    """Return whether the pronoun is followed by a word or mark that rules it out as the subject of a verb."""
    after = bound["pronoun"] + 1
    if after >= sentence.end or sentence.lower[after] in (".", ",", "!", "?", ";"):
        return after - sentence.start > 2
    return sentence.lower[after] in ("to", "in", "at", "on", "from", "with", "because", "and", "when")

"""Functions for the rules in `complements.toml`: what a verb, an adjective or a preposition takes."""

from __future__ import annotations

from naturalness.english.inflection import inflect
from naturalness.english.rules.pattern import Binding, RuleSentence

TAGS = {"do": "VBP", "does": "VBZ", "did": "VBD"}


def without_do(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the subject, and the verb in the form of the preceding *do*."""
    do, verb = b["do"], b["verb"]
    return (" ".join([*s.texts[do + 1 : verb], inflect(s.lower[verb], TAGS[s.lower[do]])]),)

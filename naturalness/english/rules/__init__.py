"""Rules: one TOML file per family, with a Python file where a rule needs code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Family(NamedTuple):
    """A family of rules; its column is the share of words that they match."""

    kind: str
    """Kind of error, as `explaining.causes.KINDS` has it."""
    words: str
    """Name of the column for people."""


# Without reading the rules: most commands need the names of families alone.
FAMILIES: Mapping[str, Family] = {
    "agreement": Family("agreement", "agreement errors"),
    "number": Family("noun", "errors of number"),
    "verb_forms": Family("verb", "wrong verb forms"),
    "complements": Family("verb", "wrong complements"),
    "double_marking": Family("verb", "doubly marked forms"),
    "fragments": Family("fragment", "fragments"),
    "articles": Family("article", "article errors"),
    "pronouns": Family("pronoun", "pronoun errors"),
    "prepositions": Family("preposition", "preposition errors"),
    "repeated_words": Family("repeated", "repeated words"),
    "spelling": Family("spelling", "spelling errors"),
}

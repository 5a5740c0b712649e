"""Rules that find errors: one TOML file per family, with a Python file if a rule needs code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Family(NamedTuple):
    """A family of rules. Each family has a feature: the share of words that its rules match."""

    kind: str
    """The kind of error, a key of `explaining.causes.KINDS`."""
    words: str
    """The readable name of the feature."""


# Written out here, so that commands that need only the names of families do not read the rules.
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

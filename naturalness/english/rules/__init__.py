"""Rules that find errors: one TOML file per family, with a Python file if a rule needs code."""

from __future__ import annotations

from collections.abc import Mapping

# Written out here, so that commands that need only the names of families do not read the rules.
FAMILIES: Mapping[str, str] = {
    "agreement": "agreement",
    "number": "noun",
    "verb_forms": "verb",
    "complements": "verb",
    "double_marking": "verb",
    "fragments": "fragment",
    "articles": "article",
    "pronouns": "pronoun",
    "prepositions": "preposition",
    "repeated_words": "repeated",
    "spelling": "spelling",
}
"""The kind of error that each family of rules finds, a key of `explaining.causes.KINDS`. Each family has a feature: the
share of words that its rules match."""

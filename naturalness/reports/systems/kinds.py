"""What kinds of findings are called where they are counted."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "agreement": "subject and verb do not agree",
    "noun": "form of a noun",
    "verb": "form of a verb",
    "article": "article",
    "preposition": "preposition",
    "pronoun": "pronoun",
    "order": "word order",
    "repeated": "said twice",
    "missing": "a word missing",
    "extra": "a word too many",
    "wrong": "wrong word",
    "form": "wrong form of a word",
    "join": "sentences run together",
    "spelling": "spelling, typing",
    "unlikely": "surprising word",
    "attachment": "unclear what belongs to what",
    "long": "very long",
    "fragment": "no full sentence",
}
"""By key, as in `explaining.causes.KINDS`."""

"""The sentences of a Doc as a constituency parser reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from naturalness.models.language.units import bounds
from naturalness.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_TOKENS = 200
"""A sentence of more is not parsed: time grows with the cube of its length."""


class Sentence(NamedTuple):
    """Tokens of the Doc's view from start to stop, and their texts."""

    start: int
    stop: int
    words: list[str]


def sentences_of(doc: Doc) -> Iterator[Sentence]:
    """The sentences that have a word; tokens between sentences belong to the one before."""
    seen = view(doc)
    for start, stop in bounds(seen):
        yield Sentence(start, stop, seen.texts[start:stop])


def too_long(n: int) -> str:
    """Why a sentence is not parsed."""
    return f"a sentence of {n} tokens; the parser takes at most {MOST_TOKENS}"

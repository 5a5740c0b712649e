"""The sentences of a Doc as a constituency parser reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from naturalness.models.language.shipped import words
from naturalness.models.sentences import bounds, spelled
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_TOKENS = 200
"""A sentence of more is not parsed: time grows with the cube of its length."""


class Sentence(NamedTuple):
    """Tokens of the Doc's view from start to stop, and their texts as `words_of` has them."""

    start: int
    stop: int
    words: list[str]


def sentences_of(doc: Doc) -> Iterator[Sentence]:
    """The sentences that have a word; tokens between sentences belong to the one before."""
    seen = view(doc)
    texts = words_of(seen)
    for start, stop in bounds(seen):
        yield Sentence(start, stop, texts[start:stop])


def words_of(seen: View) -> list[str]:
    """The words as parser and grammar read them: where a text has no capitals, with those that an
    editor would have written, for both know names by them."""
    return spelled(seen, words().read.capitals)


def too_long(n: int) -> str:
    """Why a sentence is not parsed."""
    return f"a sentence of {n} tokens; the parser takes at most {MOST_TOKENS}"

"""Input and output of constituency parsers: sentences of Docs, and their best trees with probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from naturalness.models.language.shipped import words
from naturalness.models.parsers.tree import Node, Span, from_spans
from naturalness.models.sentences import bounds, spelled
from naturalness.text.view import View, stored_beside, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


N_BEST = 50


class ScoredTree(NamedTuple):
    """A tree and the natural log of its probability given the sentence."""

    spans: tuple[Span, ...]
    """Labelled spans, outer before inner, left to right; a single word has a span only if it is labelled."""
    logprob: float

    @property
    def root(self) -> Node:
        """The tree as nodes."""
        return from_spans(self.spans)


@dataclass(frozen=True)
class ParsedSentence:
    """The trees of one sentence of a Doc."""

    start: int
    stop: int
    """Index of the end of its tokens in the Doc's view; punctuation counts."""
    trees: tuple[ScoredTree, ...]
    """Distinct trees, best first; empty if there is a problem."""
    logprobs: tuple[float, ...]
    """Log-probabilities of the best trees, best first; possibly more than there are ``trees``."""
    problem: str = ""
    """Why the sentence was not parsed."""

    @cached_property
    def best(self) -> Node:
        """The best tree."""
        return self.trees[0].root


@runtime_checkable
class ConstituencyParser(Protocol):
    """Parses the sentences of Docs. The trees of a Doc do not depend on the other Docs."""

    @property
    def name(self) -> str:
        """Short name for messages."""
        ...

    @property
    def signature(self) -> str:
        """Name, checksum and versions of packages, for the signature of numbers."""
        ...

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return the sentences of each Doc with their k best trees, or fewer if fewer exist.

        ``keep`` is the number of trees to return beside the k log-probabilities; all by default.
        """
        ...


MAX_TOKENS = 200
"""Longest sentence parsed, since time grows with the cube of the length."""


class Sentence(NamedTuple):
    """A range of tokens in the Doc's view, with their texts from `words_of`."""

    start: int
    stop: int
    words: list[str]


def sentences_of(doc: Doc) -> Iterator[Sentence]:
    """Yield the sentences with a word; tokens between sentences belong to the previous one."""
    seen = view(doc)
    texts = words_of(seen)
    for start, stop in bounds(seen):
        yield Sentence(start, stop, texts[start:stop])


def words_of(seen: View) -> list[str]:
    """Return the words as parser and grammar read them.

    If the text has no capitals, they are restored, since parser and grammar use them to recognise names.
    """
    return spelled(seen, words().read.capitals)


def too_long(n: int) -> str:
    """Return why a sentence is not parsed."""
    return f"a sentence of {n} tokens; the parser takes at most {MAX_TOKENS}"


def parsed(parser: ConstituencyParser, docs: Sequence[Doc]) -> list[list[ParsedSentence]]:
    """Return the sentences of each Doc with the best tree and 50 log-probabilities, stored beside the Doc."""
    key = f"naturalness.trees.{parser.signature}"
    return stored_beside(docs, key, lambda new: parser.nbest(new, N_BEST, keep=1))

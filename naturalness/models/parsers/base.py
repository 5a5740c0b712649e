"""What constituency parsers read and return: sentences of a Doc, and the best trees of each with probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from naturalness.models.language.shipped import words
from naturalness.models.parsers.tree import Node, Span, from_spans
from naturalness.models.sentences import bounds, spelled
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


N_BEST = 50


class ScoredTree(NamedTuple):
    """A tree and the natural log of its probability given the sentence."""

    spans: tuple[Span, ...]
    """Outer before inner, left to right; single words stand in it only where they are labelled."""
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
    """Tokens of the Doc's view, marks included."""
    trees: tuple[ScoredTree, ...]
    """Different trees, the best first; empty where there is a problem."""
    logprobs: tuple[float, ...]
    """Of the best trees, the best first; there may be more of them than of ``trees``."""
    problem: str = ""
    """Why the sentence was not parsed."""

    @cached_property
    def best(self) -> Node:
        """The best tree."""
        return self.trees[0].root


@runtime_checkable
class ConstituencyParser(Protocol):
    """Parses the sentences of Docs. The same Doc gets the same trees in any company."""

    @property
    def name(self) -> str:
        """Short name, for messages."""
        ...

    @property
    def signature(self) -> str:
        """Name, checksum, and versions of packages that count, to write beside numbers."""
        ...

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return, for each Doc, its sentences with the k best trees of each (fewer where there are fewer).

        ``keep``: how many trees to return beside the k log-probabilities; all by default.
        """
        ...


MAX_TOKENS = 200
"""A sentence of more is not parsed: time grows with the cube of its length."""


class Sentence(NamedTuple):
    """Tokens of the Doc's view from start to stop, and their texts as `words_of` has them."""

    start: int
    stop: int
    words: list[str]


def sentences_of(doc: Doc) -> Iterator[Sentence]:
    """Yield the sentences that have a word; tokens between sentences belong to the one before."""
    seen = view(doc)
    texts = words_of(seen)
    for start, stop in bounds(seen):
        yield Sentence(start, stop, texts[start:stop])


def words_of(seen: View) -> list[str]:
    """Return the words as parser and grammar read them: where a text has no capitals, with those that an
    editor would have written, for both know names by them."""
    return spelled(seen, words().read.capitals)


def too_long(n: int) -> str:
    """Return why a sentence is not parsed."""
    return f"a sentence of {n} tokens; the parser takes at most {MAX_TOKENS}"


def parsed(parser: ConstituencyParser, docs: Sequence[Doc]) -> list[list[ParsedSentence]]:
    """Return, for each Doc, its sentences: the best tree, and the log-probabilities of the 50 best."""
    key = f"naturalness.trees.{parser.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc, sentences in zip(new, parser.nbest(new, N_BEST, keep=1), strict=True):
        doc.user_data[key] = sentences
    return [doc.user_data[key] for doc in docs]

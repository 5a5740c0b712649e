"""Input and output of constituency parsers: sentences of Docs, and each sentence's best trees with probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, runtime_checkable

from naturalness.models.language.shipped import words
from naturalness.models.parsers.tree import Node, Span, from_spans
from naturalness.text.view import Doc, View, bounds, spelled, stored_beside, view

N_BEST = 50


class ScoredTree(NamedTuple):
    """A tree and the natural log of its probability given the sentence."""

    spans: tuple[Span, ...]
    """Labelled spans, outer before inner and left to right; a single word has a span only if it has a label."""
    logprob: float

    @property
    def root(self) -> Node:
        """Root node of the tree."""
        return from_spans(self.spans)


@dataclass(frozen=True)
class ParsedSentence:
    """The trees of one sentence of a Doc."""

    start: int
    stop: int
    """Index in the Doc's view just after the sentence's last token, which may be punctuation."""
    trees: tuple[ScoredTree, ...]
    """Distinct trees, best first; empty if the sentence was not parsed."""
    logprobs: tuple[float, ...]
    """Log-probabilities of the best trees, best first; there may be more log-probabilities than trees."""
    problem: str = ""
    """Why the sentence was not parsed; empty if it was."""

    @cached_property
    def best(self) -> Node:
        """Root node of the best tree."""
        return self.trees[0].root


@runtime_checkable
class ConstituencyParser(Protocol):
    """Protocol for constituency parsers. The trees of a Doc do not depend on the other Docs."""

    @property
    def name(self) -> str:
        """Short name for messages."""
        ...

    @property
    def signature(self) -> str:
        """Name, checksum and package versions, which are recorded with every result."""
        ...

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return each Doc's sentences with the log-probabilities of the k best trees, or of all if there are fewer.

        ``keep`` is the number of trees to return; by default all k.
        """
        ...


MAX_TOKENS = 200
"""Maximum number of tokens in a sentence; longer ones are not parsed, since time grows with the cube of the length."""


class SentenceWords(NamedTuple):
    """A range of tokens in the Doc's view, with their texts from `words_of`."""

    start: int
    stop: int
    words: list[str]


def sentences_of(doc: Doc) -> Iterator[SentenceWords]:
    """Yield the sentences that have a word; tokens between them belong to the previous sentence."""
    seen = view(doc)
    texts = words_of(seen)
    for start, stop in bounds(seen):
        yield SentenceWords(start, stop, texts[start:stop])


def words_of(seen: View) -> list[str]:
    """Return the words of a view as the parser and the grammar read them.

    If the text has no capitals, they are restored, since both use them to recognise names.
    """
    return spelled(seen, words().read.capitals)


def too_long(n: int) -> str:
    """Return the reason why a sentence of ``n`` tokens is not parsed."""
    return f"a sentence of {n} tokens; the parser takes at most {MAX_TOKENS}"


def parsed(parser: ConstituencyParser, docs: Sequence[Doc]) -> list[list[ParsedSentence]]:
    """Return each Doc's sentences with the best tree and the 50 highest log-probabilities, stored beside the Doc."""
    key = f"naturalness.trees.{parser.signature}"
    return stored_beside(docs, key, lambda new: parser.nbest(new, N_BEST, keep=1))

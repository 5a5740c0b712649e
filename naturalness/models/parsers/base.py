"""What a constituency parser gives: for each sentence its best trees, with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from naturalness.models.parsers.tree import Node, Span, from_spans

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
    """Of the best trees, the best first; there may be more than trees that were kept."""
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
        """For each Doc its sentences, each with its k best trees (fewer where there are fewer).

        ``keep``: how many of the trees are wanted beside the k log-probabilities; all by default.
        """
        ...

"""The shipped parser: a network scores every span, a chart finds the best trees and their sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from naturalness.models.parsers.base import N_BEST, ParsedSentence, ScoredTree
from naturalness.models.parsers.chart.encoder import MOST_PIECES, Network
from naturalness.models.parsers.chart.kbest import search_spans
from naturalness.models.parsers.sentences import MOST_TOKENS, Sentence, sentences_of, too_long
from naturalness.models.parsers.tree import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

TOGETHER = 32
"""Sentences that go through the network at a time."""


@dataclass(frozen=True, slots=True)
class ChartParser:
    """Exact probabilities over all trees that the network's labels can make."""

    name: str
    signature: str
    network: Network

    def nbest(
        self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None
    ) -> list[list[ParsedSentence]]:
        """For each Doc its sentences with the log-probabilities of the k best trees.

        ``keep``: how many of the trees themselves are wanted; all, if not given. A sentence of more
        than `MOST_TOKENS` tokens has none.
        """
        sentences = [list(sentences_of(doc)) for doc in docs]
        found = iter(
            self._parsed((s for own in sentences for s in own), k, k if keep is None else keep)
        )
        return [list(islice(found, len(own))) for own in sentences]

    def _parsed(self, sentences: Iterator[Sentence], k: int, keep: int) -> Iterator[ParsedSentence]:
        while batch := list(islice(sentences, TOGETHER)):
            problems = [self._problem(sentence) for sentence in batch]
            good = [s for s, problem in zip(batch, problems, strict=True) if not problem]
            scores = self.network.span_scores([s.words for s in good])
            for sentence, problem in zip(batch, problems, strict=True):
                start, stop, words = sentence
                if problem:
                    yield ParsedSentence(start, stop, (), (), problem)
                    continue
                log_z, found = search_spans(len(words), next(scores), k)
                trees = [
                    ScoredTree(self._named(parse.spans), parse.score - log_z)
                    for parse in found[:keep]
                ]
                yield ParsedSentence(start, stop, trees, tuple(p.score - log_z for p in found))

    def _named(self, spans: Sequence[tuple[int, int, int]]) -> tuple[Span, ...]:
        labels = self.network.labels
        return tuple(Span(start, stop, labels[label]) for start, stop, label in spans)

    def _problem(self, sentence: Sentence) -> str:
        if len(sentence.words) > MOST_TOKENS:
            return too_long(len(sentence.words))
        pieces = self.network.n_pieces(sentence.words)
        if pieces > MOST_PIECES:
            return f"a sentence of {pieces} word pieces; the parser takes at most {MOST_PIECES}"
        return ""

"""The shipped parser: a network scores every span, a chart finds the best trees and the sum over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from naturalness.arrays import Float32Array
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.parsers.base import MAX_TOKENS, N_BEST, ParsedSentence, ScoredTree, sentences_of, too_long
from naturalness.models.parsers.chart.kbest import search_spans
from naturalness.models.parsers.chart.network import MAX_PIECES, Network, open_network
from naturalness.models.parsers.tree import Span
from naturalness.models.piece_vectors import ASSET as VECTORS
from naturalness.models.piece_vectors import piece_vectors

if TYPE_CHECKING:
    from spacy.tokens import Doc


Trees = tuple[tuple[ScoredTree, ...], tuple[float, ...], str]
TOGETHER = 64
"""Sentences per batch of the network."""


@dataclass(frozen=True, slots=True)
class ChartParser:
    """Exact probabilities over all trees that the network's labels can make."""

    name: str
    signature: str
    network: Network

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return, for each Doc, its sentences with the log-probabilities of the k best trees.

        ``keep``: how many of the trees to return; all by default. A sentence of more
        than `MAX_TOKENS` tokens has none.
        """
        sentences = [list(sentences_of(doc)) for doc in docs]
        # Each distinct sentence once: texts repeat themselves, titles and dialogues above all.
        different = list(dict.fromkeys(tuple(s.words) for listed in sentences for s in listed))
        n_trees = k if keep is None else keep
        trees = dict(zip(different, self._trees(different, k, n_trees), strict=True))
        return [[ParsedSentence(s.start, s.stop, *trees[tuple(s.words)]) for s in listed] for listed in sentences]

    def _trees(self, sentences: Sequence[tuple[str, ...]], k: int, keep: int) -> Iterator[Trees]:
        """Yield trees, log-probabilities and problem of each sentence."""
        for at in range(0, len(sentences), TOGETHER):
            batch = sentences[at : at + TOGETHER]
            problems = [self._problem(words) for words in batch]
            good = [words for words, problem in zip(batch, problems, strict=True) if not problem]
            scores = self.network.span_scores(good)
            for words, problem in zip(batch, problems, strict=True):
                yield ((), (), problem) if problem else self._best(words, next(scores), k, keep)

    def _best(self, words: Sequence[str], scores: Float32Array, k: int, keep: int) -> Trees:
        log_z, parses = search_spans(len(words), scores, k)
        trees = tuple(ScoredTree(self._named(parse.spans), parse.score - log_z) for parse in parses[:keep])
        return trees, tuple(parse.score - log_z for parse in parses), ""

    def _named(self, spans: Sequence[tuple[int, int, int]]) -> tuple[Span, ...]:
        labels = self.network.labels
        return tuple(Span(start, stop, labels[label]) for start, stop, label in spans)

    def _problem(self, words: Sequence[str]) -> str:
        if len(words) > MAX_TOKENS:
            return too_long(len(words))
        pieces = self.network.n_pieces(words)
        if pieces > MAX_PIECES:
            return f"a sentence of {pieces} word pieces; the parser takes at most {MAX_PIECES}"
        return ""


ASSET = "chart"


@opened_once
def chart() -> ChartParser:
    """Return the shipped chart parser, opened once per process."""
    network = open_network(locate(ASSET), piece_vectors())
    known = ",".join(load_manifest()[name].checksum for name in (ASSET, VECTORS))
    return ChartParser(ASSET, f"{ASSET}:{known}", network)

"""The shipped parser: a network scores every span, and a chart finds the best trees and the sum over all trees.

The input of the network is the damage detector's vectors. The detector's output is stored beside the Docs, so that the
sentences do not have to be read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.detector import ASSET as DETECTOR
from naturalness.models.detector import (
    MAX_SENTENCE_PIECES,
    CutWords,
    Detector,
    Reading,
    detector,
    readings_of,
    stretches,
)
from naturalness.models.parsers.base import MAX_TOKENS, N_BEST, ParsedSentence, ScoredTree, sentences_of, too_long
from naturalness.models.parsers.chart.kbest import best_trees
from naturalness.models.parsers.chart.network import EncodedSentence, SpanScorer, open_network
from naturalness.text.view import Doc

Words = tuple[str, ...]
Trees = tuple[tuple[ScoredTree, ...], tuple[float, ...], str]
"""Trees, log-probabilities and problem of a sentence."""
Readings = dict[CutWords, Reading]
"""The detector's output for each part of a sentence, keyed by the pieces of the part."""
TOGETHER = 128
"""Number of sentences per batch; within a batch, the detector reads sentences of equal length together."""


class SpanScores(NamedTuple):
    """Span scores of a sentence, and the detector's output for it."""

    spans: Float32Array
    """Score of each label for each span, (spans, labels); spans are ordered by width, then by start."""
    readings: Readings
    problem: str
    """Why the sentence was not scored; empty if it was."""


NOTHING = np.empty((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class ChartParser:
    """A parser that uses the span scorer; probabilities are exact, over all trees with the network's labels."""

    name: str
    signature: str
    detector: Detector
    """Detector whose vectors are the input of the network."""
    network: SpanScorer

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return the sentences of each Doc with the log-probabilities of the k best trees.

        ``keep`` is the number of trees to return; by default all k. A sentence of more than `MAX_TOKENS` tokens is not
        parsed: it has neither trees nor log-probabilities.
        """
        sentences = [list(sentences_of(doc)) for doc in docs]
        # Parse each distinct sentence once: titles and dialogue repeat sentences.
        different = dict.fromkeys(tuple(s.words) for listed in sentences for s in listed)
        n_trees = k if keep is None else keep
        trees: dict[Words, Trees] = {}
        readings: dict[Words, Readings] = {}
        for words, scores in zip(different, self.scores(list(different)), strict=True):
            readings[words] = scores.readings
            labels = self.network.labels
            best = ((), ()) if scores.problem else best_trees(len(words), scores.spans, labels, k, n_trees)
            trees[words] = (*best, scores.problem)
        for doc, listed in zip(docs, sentences, strict=True):
            known = readings_of(doc, self.detector)
            for sentence in listed:
                known.update(readings[tuple(sentence.words)])
        return [[ParsedSentence(s.start, s.stop, *trees[tuple(s.words)]) for s in listed] for listed in sentences]

    def scores(self, sentences: Sequence[Words]) -> Iterator[SpanScores]:
        """Yield the scores of each sentence; sentences are given as tuples of words."""
        for at in range(0, len(sentences), TOGETHER):
            batch = sentences[at : at + TOGETHER]
            cut = [tuple(map(self.detector.network.cut, words)) for words in batch]
            problems = list(map(_problem, cut))
            good = [i for i, problem in enumerate(problems) if not problem]
            encoded = self._encode([(batch[i], cut[i]) for i in good])
            scores = self.network.span_scores([sentence for sentence, _ in encoded])
            readings = iter(said for _, said in encoded)
            for problem in problems:
                yield SpanScores(NOTHING, {}, problem) if problem else SpanScores(next(scores), next(readings), "")

    def _encode(self, sentences: Sequence[tuple[Words, CutWords]]) -> list[tuple[EncodedSentence, Readings]]:
        """Return each sentence with the detector's vectors, and the detector's output for it.

        A sentence that is too long to be read at once is read in parts, and the vectors of start and end marks between
        parts are dropped.
        """
        network = self.detector.network
        parts = [[cut[a:b] for a, b in stretches(cut, network.max_pieces - 2)] for _, cut in sentences]
        outputs = network.read_pieces([part for listed in parts for part in listed])
        encoded = []
        for (words, cut), listed in zip(sentences, parts, strict=True):
            readings, vectors = zip(*(next(outputs) for _ in listed), strict=True)
            if len(vectors) > 1:
                inner = [x[1:-1] for x in vectors]
                vectors = (np.concatenate([vectors[0][:1], *inner, vectors[-1][-1:]]),)
            sentence = EncodedSentence(words, list(map(len, cut)), vectors[0])
            encoded.append((sentence, dict(zip(listed, readings, strict=True))))
        return encoded


def _problem(cut: CutWords) -> str:
    if len(cut) > MAX_TOKENS:
        return too_long(len(cut))
    pieces = sum(map(len, cut))
    if pieces > MAX_SENTENCE_PIECES:
        return f"a sentence of {pieces} word pieces; the parser takes at most {MAX_SENTENCE_PIECES}"
    return ""


ASSET = "chart"


@opened_once
def chart() -> ChartParser:
    """Return the shipped chart parser, opened once per process."""
    network = open_network(locate(ASSET))
    known = ",".join(load_manifest()[name].checksum for name in (ASSET, DETECTOR))
    return ChartParser(ASSET, f"{ASSET}:{known}", detector(), network)

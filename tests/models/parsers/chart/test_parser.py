"""The chart parser with a small network: sentences, trees, probabilities and limits."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from naturalness.files.resources import file_checksum, load_manifest, locate
from naturalness.models import detector
from naturalness.models.detector import Detector, detect, readings_of
from naturalness.models.parsers.base import MAX_TOKENS, ConstituencyParser
from naturalness.models.parsers.chart.network import EncodedSentence, SpanScorer, open_network
from naturalness.models.parsers.chart.parser import ChartParser
from naturalness.models.parsers.tree import nodes
from tests.support import chart_networks as networks
from tests.support.tiny_detector import write_tiny

VOCAB = spacy.blank("en").vocab


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> ChartParser:
    """Return a parser with random weights."""
    folder: Path = networks.write(tmp_path_factory.mktemp("network"))
    body = detector.open_network(write_tiny(tmp_path_factory.mktemp("detector")))
    return ChartParser("small", "small:0", Detector("tiny", body), open_network(folder))


def doc(*sentences: str) -> Doc:
    """Return a Doc of words separated by spaces."""
    words = [sentence.split() for sentence in sentences]
    starts = [i == 0 for sentence in words for i in range(len(sentence))]
    return Doc(VOCAB, words=[w for sentence in words for w in sentence], sent_starts=starts)


def test_sentences_have_their_best_trees(parser: ChartParser) -> None:
    """Trees are distinct and best first; their probabilities sum to 1 at most."""
    assert isinstance(parser, ConstituencyParser)
    ((first, second),) = parser.nbest([doc("the cat sat .", "sitting cats")], 20)
    assert (first.start, first.stop, second.start, second.stop) == (0, 4, 4, 6)
    for sentence, n in ((first, 4), (second, 2)):
        assert len(sentence.trees) == len(sentence.logprobs) == 20
        assert [tree.logprob for tree in sentence.trees] == list(sentence.logprobs)
        assert list(sentence.logprobs) == sorted(sentence.logprobs, reverse=True)
        assert len({tree.spans for tree in sentence.trees}) == 20
        assert sum(map(math.exp, sentence.logprobs)) <= 1 + 1e-9
        assert (sentence.best.start, sentence.best.stop) == (0, n)
        assert {node.label for node in nodes(sentence.best)} <= {"NP", "VP", "S"}


def test_all_trees_of_two_words_sum_to_one(parser: ChartParser) -> None:
    """Four labels for the pair and five choices for each word give a hundred trees."""
    (sentence,), none = parser.nbest([doc("the cat"), doc(". !")], 1000, keep=1)
    assert (len(sentence.trees), len(sentence.logprobs), none) == (1, 4 * 5 * 5, [])
    assert sum(map(math.exp, sentence.logprobs)) == pytest.approx(1)


def test_repeated_sentences_share_their_trees(parser: ChartParser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal sentences are scored once, within a Doc and across Docs; each has its own position."""
    asked: list[list[str]] = []
    scores = SpanScorer.span_scores

    def noted(self: SpanScorer, sentences: list[EncodedSentence]) -> object:
        asked.extend(list(sentence.words) for sentence in sentences)
        return scores(self, sentences)

    monkeypatch.setattr(SpanScorer, "span_scores", noted)
    (a, b), (c, d) = parser.nbest([doc("The cat", "Cats"), doc("Sit", "The cat")], 5)
    assert asked == [["The", "cat"], ["Cats"], ["Sit"]]
    assert a.trees is d.trees and a.logprobs == d.logprobs
    assert isinstance(a.trees, tuple)  # nobody can change those of another
    assert [(s.start, s.stop) for s in (a, b, c, d)] == [(0, 2), (2, 3), (0, 1), (1, 3)]
    assert [s.trees for s in parser.nbest([doc("Sit", "The cat")], 5)[0]] == [c.trees, d.trees]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["cat"] * (MAX_TOKENS + 1), "a sentence of 201 tokens; the parser takes at most 200"),
        (["x" * 12] * 100, "a sentence of 1200 word pieces; the parser takes at most 1024"),
    ],
)
def test_long_sentences_have_a_reason_and_no_trees(parser: ChartParser, words: list[str], problem: str) -> None:
    """A sentence that is too long has a reason and no trees; other sentences of the Doc have trees."""
    ((short, long),) = parser.nbest([doc("the cat", " ".join(words))])
    assert short.trees
    assert (long.trees, long.logprobs, long.problem) == ((), (), problem)


def test_a_long_sentence_is_read_in_parts(parser: ChartParser) -> None:
    """A sentence with more pieces than the detector reads at once is read in parts, without losing a word."""
    words = tuple(["the", "cat", "sat", "on", "a", "mat", "and", "the", "dog", "saw", "it", "all"] * 3)
    (scores,) = parser.scores([words])
    assert len(scores.spans) == len(words) * (len(words) + 1) // 2
    assert len(scores.readings) > 2
    cut = [pieces for stretch in scores.readings for pieces in stretch]
    assert cut == [parser.detector.network.cut(word) for word in words]
    ((first, said), *_) = scores.readings.items()
    (alone,) = parser.detector.network.read([first])
    assert said.soundness == alone.soundness
    np.testing.assert_array_equal(said.logs, alone.logs)


def test_the_detector_reuses_the_readings(parser: ChartParser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser stores the detector's readings beside the Doc; they equal those of the detector itself."""
    text = "the cat sat on it .", "cats"
    (alone,) = detect([doc(*text)], parser.detector)
    one = doc(*text)
    parser.nbest([one], 1)
    assert len(readings_of(one, parser.detector)) == 2
    monkeypatch.setattr(detector.Network, "run", lambda *_: pytest.fail("read again"))
    (shared,) = detect([one], parser.detector)
    np.testing.assert_array_equal(shared.logs, alone.logs)
    np.testing.assert_array_equal(shared.states, alone.states)
    assert shared.parts == alone.parts


def test_the_parser_was_trained_on_the_shipped_detector() -> None:
    """The parser was trained on the shipped detector; if not, run `python -m training.constituency`."""
    assert load_manifest()["chart"].figures["body"] == file_checksum(locate("detector") / detector.NETWORK)[:12]

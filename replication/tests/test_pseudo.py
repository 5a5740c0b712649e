"""Pseudo-log-likelihoods of a small network, compared with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.language.neural.model import NeuralNetwork, open_network
from naturalness_replication.pseudo import pseudo_of
from tests.support.tiny_neural import END, PLACES, START, VOCABULARY, reference, weights, write_tiny

WORDS = [[3], [5, 9], [7], [4], [6], [8]]
SENTENCE = [row for word in WORDS for row in word]
HIDDEN = len(VOCABULARY)
CLOSE = 0.2
"""Tolerance of weights and sums in eight-bit integers."""


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> NeuralNetwork:
    """Open a small network."""
    return open_network(write_tiny(tmp_path_factory.mktemp("neural")))


def test_the_rest_of_a_word_is_masked(network: NeuralNetwork) -> None:
    """A piece is predicted with the later pieces of its word masked, but not the earlier ones."""
    plain = [START, *SENTENCE, END]
    wanted = []
    for start, stop in ((0, 1), (1, 3), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)):
        text = [*plain]
        text[start + 1 : stop + 1] = [HIDDEN] * (stop - start)
        wanted.append(reference(text, weights(), causal=False)[start, SENTENCE[start]])
    assert np.abs(pseudo_of(network, WORDS) - wanted).max() < CLOSE


def test_distant_words_are_masked_together(network: NeuralNetwork) -> None:
    """Masking every n-th word in one run gives the same values as the formula."""
    plain = [START, *SENTENCE, END]
    ends = np.cumsum([len(word) for word in WORDS])
    spans = list(zip(ends - [len(word) for word in WORDS], ends, strict=True))
    for every in (2, len(WORDS), 99):
        wanted = np.empty(len(SENTENCE))
        for start, stop in spans:
            text = [*plain]
            for k, (a, b) in enumerate(spans):
                if k % every == spans.index((start, stop)) % every:
                    text[a + 1 : b + 1] = [HIDDEN] * (b - a)
            rows = reference(text, weights(), causal=False)
            wanted[start:stop] = rows[np.arange(start, stop), SENTENCE[start:stop]]
        assert np.abs(pseudo_of(network, WORDS, every) - wanted).max() < CLOSE
    assert not len(pseudo_of(network, [], 2))


def test_long_sentences_are_read_in_parts(network: NeuralNetwork) -> None:
    """Every piece of a sentence or word that is too long for the network has a value."""
    units = [3 + i % 7 for i in range(3 * PLACES + 1)]
    for sentence in ([[unit] for unit in units], [*WORDS, units]):
        for every in (0, 2):
            assert len(pseudo_of(network, sentence, every)) == sum(map(len, sentence))

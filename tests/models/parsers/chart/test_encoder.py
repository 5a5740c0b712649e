"""The network's numbers: against the formulas written out, and in any company."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from naturalness.models.parsers.chart.encoder import Network
from naturalness.models.parsers.chart.opening import open_network
from naturalness.models.pieces import SHAPES, shape
from tests.support import chart_networks as networks
from tests.support.chart_networks import LABELS, LAYERS, WIDTH

WORDS = ["The", "cat", "sat", "."]
SENTENCES = st.lists(
    st.lists(st.sampled_from(["the", "cat", "Cats", "sitting", ".", "I", "x1"]), min_size=1, max_size=12),
    min_size=1,
    max_size=6,
)
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """A small one."""
    return open_network(networks.write(tmp_path_factory.mktemp("network")))


def written_out(words: list[str]) -> Floats:
    """Scores by the formulas, span by span, in double precision."""
    a = {name: array.astype(np.float64) for name, array in networks.arrays().items()}

    def rows(name: str) -> Floats:
        return a[f"{name}.rows"] * a[f"{name}.scales"][:, None]

    def linear(name: str, x: Floats) -> Floats:
        return x @ rows(name).T + a.get(f"{name}.bias", 0.0)

    def norm(name: str, x: Floats, tiny: float = 1e-12) -> Floats:
        centred = x - x.mean(-1, keepdims=True)
        spread = (centred**2).mean(-1, keepdims=True)
        return centred / np.sqrt(spread + tiny) * a[f"{name}.weight"] + a[f"{name}.bias"]

    pieces = {"The": ["the"], "cat": ["cat"], "sat": ["s", "##a", "##t"], ".": ["."]}
    cut = [["[CLS]"], *(pieces[word] for word in words), ["[SEP]"]]
    look = ["none", *(SHAPES[shape(word, i)] for i, word in enumerate(words)), "none"]
    ids = [networks.VOCABULARY.index(p) for parts in cut for p in parts]
    shapes = [SHAPES.index(s) for s, parts in zip(look, cut, strict=True) for _ in parts]
    x = norm("norm", rows("pieces")[ids] + rows("positions")[: len(ids)] + a["shapes.weight"][shapes])
    for i in range(LAYERS):
        q, k, v = np.split(linear(f"attend{i}", x), 3, axis=1)
        heads = []
        for h in range(0, WIDTH, 32):
            weight = np.exp(q[:, h : h + 32] @ k[:, h : h + 32].T / math.sqrt(32))
            heads.append(weight / weight.sum(1, keepdims=True) @ v[:, h : h + 32])
        x = norm(f"first{i}", x + linear(f"gather{i}", np.hstack(heads)))
        x = norm(f"second{i}", x + linear(f"narrow{i}", np.maximum(linear(f"wide{i}", x), 0)))
    ends = np.cumsum([0, *(len(parts) for parts in cut[1:])])  # last piece before each fence
    out = []
    for width in range(1, len(words) + 1):
        for start in range(len(words) - width + 1):
            left, right = (np.hstack([x[ends[f]], x[ends[f] + 1]]) for f in (start, start + width))
            span = norm("span", linear("left", left) + linear("right", right), 1e-5)
            out.append(linear("label", np.maximum(span, 0)))
    return np.array(out)


def test_scores_are_those_of_the_formulas(network: Network) -> None:
    """Spans by width, then from left to right; a column for each label."""
    (scores,) = network.span_scores([WORDS])
    assert scores.shape == (10, len(LABELS))
    np.testing.assert_allclose(scores, written_out(WORDS), rtol=1e-3, atol=1e-4)


@settings(deadline=None, max_examples=30)
@given(SENTENCES)
def test_company_changes_nothing(network: Network, sentences: list[list[str]]) -> None:
    """To the last bit."""
    together = list(network.span_scores(sentences))
    for words, scores in zip(sentences, together, strict=True):
        np.testing.assert_array_equal(next(network.span_scores([words])), scores)


def test_no_sentence_gives_nothing(network: Network) -> None:
    """An empty batch is no error."""
    assert list(network.span_scores([])) == []


def test_pieces_are_counted(network: Network) -> None:
    """What decides whether a sentence fits."""
    assert network.n_pieces(["The", "sitting", "☃"]) == 1 + 4 + 1

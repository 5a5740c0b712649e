"""The networks that judge for GRUEN: likelihood, acceptability and order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from naturalness.metrics.gruen.judges import (
    CAUSAL,
    ORDER_NETWORK,
    POSITIONS,
    SENTENCE_NETWORK,
    GruenText,
    OrderHead,
    belongings,
    rating_head,
)
from naturalness.models.networks import OnnxSession
from naturalness.text.parsing import parse
from tests.support.tiny_encoder import (
    Floats,
    Weights,
    layer_sizes,
    linear,
    linear_sizes,
    random_weights,
    through_layers,
)

WIDTH, SEEN, VECTOR, INNER, LAYERS, HEADS, POOLED = 32, 48, 32, 64, 2, 2, 16


def test_a_probability_for_each_sentence() -> None:
    """A sentence's probability does not depend on its neighbours; damage lowers that of its own sentence."""
    texts = [
        "She put the letter on the table. Then she went out.",
        "Then she went out.",
        "She put letter the on the table. Then she went out.",
    ]
    head = rating_head()
    both, alone, broken = (head.probabilities(GruenText(doc)) for doc in parse(texts))
    assert len(both) == len(broken) == 2 and ((both > 0) & (both < 1)).all()
    assert both[1] == alone[0] == broken[1]
    assert broken[0] < both[0] - 0.2


@dataclass
class Inner:
    """A text that consists of the states of its sentences."""

    inner: list[Floats]


def text_of(*inner: Floats) -> Any:
    """Return a text of sentences with these states."""
    return Inner(list(inner))


def states(*lengths: int) -> list[Floats]:
    """Return random states of sentences with these numbers of pieces."""
    rng = np.random.default_rng(3)
    return [rng.normal(0, 1, (1, n, WIDTH)).astype(np.float32) for n in lengths]


def weights() -> Weights:
    """Return random weights."""
    sizes = {
        **linear_sizes("seen", SEEN, WIDTH),
        **linear_sizes("sentence", VECTOR, 2 * SEEN + WIDTH),
        "parts.weight": (2, VECTOR),
        "places.weight": (POSITIONS, VECTOR),
        **linear_sizes("pooled", VECTOR, 2 * VECTOR),
        **linear_sizes("order", 1, VECTOR),
        **layer_sizes(LAYERS, VECTOR, INNER),
    }
    return random_weights({k: v for k, v in sizes.items() if not k.startswith("norm.")}, 1)


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> OrderHead:
    """Open an order head with random weights."""
    pytest.importorskip("onnx")
    from training.order.export import write

    folder = tmp_path_factory.mktemp("order")
    write(weights(), folder, heads=HEADS)
    return OrderHead("tiny", OnnxSession(folder / SENTENCE_NETWORK), OnnxSession(folder / ORDER_NETWORK))


def test_a_logit_agrees_with_numpy(head: OrderHead) -> None:
    """The logit agrees with numpy, also if the last sentences share a position embedding."""
    w = weights()
    vectors = np.concatenate([head.vector(inner) for inner in states(*range(3, 13))])
    second = np.arange(10) >= 4
    x = vectors + w["parts.weight"][second.astype(int)]
    x = x + w["places.weight"][np.minimum(np.arange(10), POSITIONS - 1)]
    x = through_layers(x, w, LAYERS, HEADS)
    pooled = np.concatenate([x[~second].mean(0), x[second].mean(0)])[None]
    expected = linear(np.maximum(linear(pooled, w, "pooled"), 0), w, "order")
    assert head.logit(vectors, 4) == pytest.approx(float(expected[0, 0]), abs=0.15)


def test_loss_by_hand(head: OrderHead, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sentences have two split points; the loss averages those of the right and of the swapped order."""
    calls: list[tuple[list[float], int]] = []

    def logit(self: OrderHead, vectors: Floats, split: int) -> float:
        calls.append((vectors[:, 0].tolist(), split))
        return {(1.0, 1): 2.0, (2.0, 2): -1.0}.get((float(vectors[0, 0]), split), 0.5)

    def vector(self: OrderHead, inner: Floats) -> Floats:
        return inner[:, 0]

    monkeypatch.setattr(OrderHead, "logit", logit)
    monkeypatch.setattr(OrderHead, "vector", vector)
    actual = head.loss(text_of(*(np.full((1, 1, WIDTH), i, np.float32) for i in (1, 2, 3))))
    assert calls == [([1, 2, 3], 1), ([2, 3, 1], 2), ([1, 2, 3], 2), ([3, 1, 2], 1)]
    losses = [math.log(1 + math.exp(z)) for z in (-2.0, -1.0, -0.5, 0.5)]
    assert actual == pytest.approx(sum(losses) / 4)


TWO = "She put the letter on the table. Then she went out."
BROKEN = "She put letter the on the table. Then she went out."


def test_belongings_by_hand() -> None:
    """Each value is the geometric mean of p / (p + u); without frequencies it is that of p."""
    logs, ends = np.log([0.4, 0.1, 0.3]), np.array([2, 3])
    actual = belongings(logs, np.log([0.1, 0.4, 0.3]), ends)
    assert actual == pytest.approx([math.sqrt(0.8 * 0.2), 0.5])
    assert belongings(logs, np.full(3, np.nan), ends) == pytest.approx([0.2, 0.3])
    assert len(belongings(np.empty(0), np.empty(0), np.empty(0, np.int64))) == 0


def test_a_number_for_each_sentence() -> None:
    """A sentence's likelihood does not depend on its neighbours; a text without words has no values."""
    docs = parse([TWO, "Then she went out.", "", "?!", BROKEN])
    both, second, empty, marks, broken = CAUSAL.of(docs)
    assert len(both) == len(broken) == 2 and len(second) == 1
    assert len(empty) == len(marks) == 0
    assert both[1] == second[0] == broken[1]
    assert 0 < broken[0] < both[0] < 1

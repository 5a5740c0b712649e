"""The order head: random weights, beside the same worked out in numpy; losses by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import erf

from naturalness.errors import NaturalnessError
from naturalness.models.metrics.gruen.coherence import NETWORK, PLACES, SENTENCE, OrderHead
from naturalness.models.networks import Session
from tests.support.tiny_encoder import (
    Floats,
    Weights,
    layer_sizes,
    linear,
    linear_sizes,
    random_weights,
    through_layers,
)

pytest.importorskip("onnx")

from training.order.export import write

WIDTH, SEEN, VECTOR, INNER, LAYERS, HEADS = 32, 48, 32, 64, 2, 2


@dataclass
class Given:
    """What a head reads of a text."""

    inner: list[Floats]


def states(*lengths: int) -> list[Floats]:
    """Of sentences of so many pieces."""
    rng = np.random.default_rng(3)
    return [rng.normal(0, 1, (1, n, WIDTH)).astype(np.float32) for n in lengths]


def weights() -> Weights:
    """Random ones."""
    sizes = {
        **linear_sizes("seen", SEEN, WIDTH),
        **linear_sizes("sentence", VECTOR, 2 * SEEN + WIDTH),
        "parts.weight": (2, VECTOR),
        "places.weight": (PLACES, VECTOR),
        **linear_sizes("pooled", VECTOR, 2 * VECTOR),
        **linear_sizes("order", 1, VECTOR),
        **layer_sizes(LAYERS, VECTOR, INNER),
    }
    return random_weights({k: v for k, v in sizes.items() if not k.startswith("norm.")}, 1)


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> OrderHead:
    """With random weights."""
    folder = tmp_path_factory.mktemp("order")
    write(weights(), folder, heads=HEADS)
    return OrderHead("tiny", Session(folder / SENTENCE), Session(folder / NETWORK))


def test_a_vector_is_what_numpy_makes_it(head: OrderHead) -> None:
    """But for weights in whole numbers of eight bits."""
    w, (inner,) = weights(), states(6)
    seen = linear(inner[0], w, "seen")
    seen = (seen * 0.5 * (1 + erf(seen / np.sqrt(2)))).astype(np.float32)
    pooled = np.concatenate([inner[0, 0], seen.mean(0), seen.max(0)])[None]
    wanted = linear(pooled, w, "sentence")
    assert head.vector(inner) == pytest.approx(wanted, abs=0.3)


def test_a_logit_is_what_numpy_makes_it(head: OrderHead) -> None:
    """Ten sentences, the last three in the place of the eighth."""
    w = weights()
    vectors = np.concatenate([head.vector(inner) for inner in states(*range(3, 13))])
    second = np.arange(10) >= 4
    x = vectors + w["parts.weight"][second.astype(int)]
    x = x + w["places.weight"][np.minimum(np.arange(10), PLACES - 1)]
    x = through_layers(x, w, LAYERS, HEADS)
    pooled = np.concatenate([x[~second].mean(0), x[second].mean(0)])[None]
    wanted = linear(np.maximum(linear(pooled, w, "pooled"), 0), w, "order")
    assert head.logit(vectors, 4) == pytest.approx(float(wanted[0, 0]), abs=0.15)


def test_loss_by_hand(head: OrderHead, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sentences are parted at two places; ln(1 + e^-z) of the right order, e^z swapped."""
    asked: list[tuple[list[float], int]] = []

    def logit(self: OrderHead, vectors: Floats, split: int) -> float:
        asked.append((vectors[:, 0].tolist(), split))
        return {(1.0, 1): 2.0, (2.0, 2): -1.0}.get((float(vectors[0, 0]), split), 0.5)

    def vector(self: OrderHead, inner: Floats) -> Floats:
        return inner[:, 0]

    monkeypatch.setattr(OrderHead, "logit", logit)
    monkeypatch.setattr(OrderHead, "vector", vector)
    found = head.loss(given(*(np.full((1, 1, WIDTH), i, np.float32) for i in (1, 2, 3))))
    assert asked == [([1, 2, 3], 1), ([2, 3, 1], 2), ([1, 2, 3], 2), ([3, 1, 2], 1)]
    losses = [math.log(1 + math.exp(z)) for z in (-2.0, -1.0, -0.5, 0.5)]
    assert found == pytest.approx(sum(losses) / 4)


def given(*inner: Floats) -> Any:
    """A text of which only this is known."""
    return Given(list(inner))


def test_one_sentence_has_no_order(head: OrderHead) -> None:
    """Nor has none."""
    assert math.isnan(head.loss(given(*states(4))))
    assert math.isnan(head.loss(given()))


def test_a_text_of_any_length_is_read(head: OrderHead) -> None:
    """Sentences far from the beginning have the place of the last that is told apart."""
    assert math.isfinite(head.loss(given(*states(*[3] * 30))))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Not run."""
    write(weights(), tmp_path, heads=HEADS)
    path = tmp_path / NETWORK
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(NaturalnessError, match="no network that onnxruntime"):
        Session(path)

"""The order head: random weights, beside the same worked out in numpy; losses by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from naturalness.models.metrics.gruen.order import joined

from naturalness.errors import NaturalnessError
from naturalness.models.detector.network import open_network
from naturalness.models.metrics.gruen.coherence import NETWORK, OrderHead
from naturalness.models.networks import Session
from tests.models.detector.tiny import HEADS, INNER, PLACES, POOLED, WIDTH, write_tiny
from tests.models.encoder import (
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

LAYERS = 2
FIRST, SECOND = [5, 6, 7, 8], [9, 10, 11]


def weights() -> Weights:
    """Random ones."""
    sizes = {
        "parts.weight": (2, WIDTH), **linear_sizes("pooled", POOLED, 3 * WIDTH),
        **linear_sizes("order", 1, POOLED), **layer_sizes(LAYERS, WIDTH, INNER),
    }  # fmt: skip
    return random_weights({k: v for k, v in sizes.items() if not k.startswith("norm.")}, 1)


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> OrderHead:
    """On top of a tiny detector."""
    folder = tmp_path_factory.mktemp("order")
    write(weights(), folder, heads=HEADS)
    below = open_network(write_tiny(folder / "detector"))
    return OrderHead("tiny", below, Session(folder / NETWORK))


def test_it_computes_what_numpy_does(head: OrderHead) -> None:
    """But for weights and sums in whole numbers of eight bits."""
    w = weights()
    ids, parts = joined(FIRST, SECOND, head.below.pieces, PLACES)
    (inner,) = head.below.session.run(("inner",), {"ids": [ids]})
    x: Floats = inner[0] + w["parts.weight"][parts]
    x = through_layers(x, w, LAYERS, HEADS)
    second = np.array(parts, bool)
    pooled = np.concatenate([x[0], x[~second].mean(0), x[second].mean(0)])[None]
    wanted = linear(np.maximum(linear(pooled, w, "pooled"), 0), w, "order")
    assert head.logit(FIRST, SECOND) == pytest.approx(float(wanted[0, 0]), abs=0.1)


def test_loss_by_hand(head: OrderHead, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sentences are parted at two places; ln(1 + e^-z) of the right order, e^z swapped."""
    asked: list[tuple[list[int], list[int]]] = []

    def logit(self: OrderHead, first: Sequence[int], second: Sequence[int]) -> float:
        asked.append((list(first), list(second)))
        return {1: 2.0, 4: -1.0}.get(first[0], 0.5)

    monkeypatch.setattr(OrderHead, "logit", logit)
    found = head.loss([[1, 2], [3], [4]])
    assert asked == [([1, 2], [3, 4]), ([3, 4], [1, 2]), ([1, 2, 3], [4]), ([4], [1, 2, 3])]
    losses = [math.log(1 + math.exp(z)) for z in (-2.0, 0.5, -2.0, -1.0)]
    assert found == pytest.approx(sum(losses) / 4)


def test_one_sentence_has_no_order(head: OrderHead) -> None:
    """Nor has none."""
    assert math.isnan(head.loss([[1, 2]]))
    assert math.isnan(head.loss([]))


def test_a_text_of_any_length_is_read(head: OrderHead) -> None:
    """What stands far from the split is left out."""
    assert math.isfinite(head.loss([[5] * 50, [6] * 50, [7]]))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Not run."""
    write(weights(), tmp_path, heads=HEADS)
    path = tmp_path / NETWORK
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(NaturalnessError, match="no network that onnxruntime"):
        Session(path)

"""The acceptability head: random weights, beside the same worked out in numpy; and the shipped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.models.metrics.gruen.acceptability import NETWORK, AcceptabilityHead, acceptability_head
from naturalness.models.metrics.gruen.text import Text
from naturalness.models.networks import Session
from naturalness.text.parsing import parse
from tests.support.tiny_encoder import layer_sizes, linear, linear_sizes, random_weights, through_layers

WIDTH, INNER, LAYERS, HEADS, POOLED = 32, 64, 2, 2, 16


def test_it_computes_what_numpy_does(tmp_path: Path) -> None:
    """But for weights and sums in whole numbers of eight bits."""
    pytest.importorskip("onnx")
    from training.acceptability.export import write

    sizes = {
        **linear_sizes("pooled", POOLED, 3 * WIDTH),
        **linear_sizes("acceptable", 1, POOLED),
        **layer_sizes(LAYERS, WIDTH, INNER),
    }
    w = random_weights({k: v for k, v in sizes.items() if not k.startswith("norm.")}, 2)
    write(w, tmp_path, heads=HEADS)
    head = AcceptabilityHead("tiny", Session(tmp_path / NETWORK))
    inner = np.random.default_rng(0).normal(0, 1, (1, 7, WIDTH)).astype(np.float32)
    x = through_layers(inner[0], w, LAYERS, HEADS)
    pooled = np.concatenate([x[0], x.mean(0), x.max(0)])[None]
    wanted = linear(np.maximum(linear(pooled, w, "pooled"), 0), w, "acceptable")
    assert head.logit(inner) == pytest.approx(float(wanted[0, 0]), abs=0.15)


def test_a_probability_for_each_sentence() -> None:
    """Of its own alone; the damaged one is lower and its neighbour is not."""
    texts = [
        "She put the letter on the table. Then she went out.",
        "Then she went out.",
        "She put letter the on the table. Then she went out.",
    ]
    head = acceptability_head()
    both, alone, broken = (head.probabilities(Text(doc)) for doc in parse(texts))
    assert len(both) == len(broken) == 2 and ((both > 0) & (both < 1)).all()
    assert both[1] == alone[0] == broken[1]
    assert broken[0] < both[0] - 0.2

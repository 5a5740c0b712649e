"""Integer products in the detector's file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.models.networks import OnnxSession
from tests.support.tiny_encoder import Floats

pytest.importorskip("onnx")

from training.detector.export import LARGEST, Body

N, K = 6, 96
STEP = np.linspace(0.01, 0.06, N, dtype=np.float32)[:, None]


def product(folder: Path, whole: Floats) -> OnnxSession:
    """Return the graph of one product, whose weights are integers times a step."""
    weights = {"x.weight": whole * STEP, "x.bias": np.zeros(N, np.float32), "x.step": STEP}
    graph = Body(weights, {"vectors": ("a", "b", K)})
    graph.save(folder / "x.onnx", {"y": (graph.linear("vectors", "x"), ("a", "b", N))})
    return OnnxSession(folder / "x.onnx")


def test_the_largest_sums_are_exact(tmp_path: Path) -> None:
    """The largest possible sums do not overflow."""
    session = product(tmp_path, np.full((N, K), LARGEST, np.float32))
    rows = np.array([[np.full(K, 1.27), np.full(K, -1.27)]], np.float32)
    (y,) = session.run(("y",), {"vectors": rows})
    expected = K * 1.27 * LARGEST * STEP[:, 0]
    np.testing.assert_allclose(y[0], [expected, -expected], rtol=1e-6)

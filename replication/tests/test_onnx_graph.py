"""Graphs written node by node.

Tests need the package onnx; without it, they are skipped.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.models.networks import OnnxSession
from naturalness_replication.onnx_graph import Graph

pytest.importorskip("onnx", reason="needs the package onnx")


def doubled(factor: float) -> bytes:
    """Return a network that looks up rows and multiplies them."""
    graph = Graph(opset=17, ir_version=8)
    rows = graph.node("Gather", [graph.tensor(np.array([1, 5, 7], np.float32)), "ids"])
    product = graph.node("Mul", [rows, graph.tensor(np.float32(factor))])
    return graph.serialised("doubled", {"ids": ("n",)}, {"product": (product, ("n",))})


def test_a_graph_computes_what_its_nodes_say(tmp_path: Path) -> None:
    """Inputs and outputs have the given names."""
    path = tmp_path / "doubled.onnx"
    path.write_bytes(doubled(2))
    session = OnnxSession(path)
    assert (session.inputs, session.outputs) == (("ids",), ("product",))
    (product,) = session.run(["product"], {"ids": [2, 0]})  # type: ignore[dict-item]
    assert product.tolist() == [14, 2]

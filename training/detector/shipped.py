"""The shipped detector as a network in torch, for heads that are trained on top of it.

Its weights are those of the file, eight bits wide, opened to floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import NodeProto, numpy_helper
from torch import Tensor

from naturalness.files.resources import locate
from naturalness.models.detector import ASSET, NETWORK, open_network
from training.detector.network import Detector
from training.onnx_graph import MIDDLE, Floats

TABLES = ("pieces", "positions")
IN_LAYER = ("attention_in", "attention_out", "wide", "narrow")
HEADS = ("pooled", "kinds", "sound")


def shipped() -> Detector:
    """The network that the package runs."""
    folder = locate(ASSET)
    return opened(folder / NETWORK, list(open_network(folder).pieces.rows))


def opened(path: Path, vocabulary: list[str]) -> Detector:
    """The network of a file that `export.write` wrote; its nodes stand in the order of writing."""
    graph = onnx.load(str(path)).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    model = Detector(vocabulary, drop=0.0)
    names = [f"layers.{i}.{name}" for i in range(len(model.layers)) for name in IN_LAYER]
    norms = [f"layers.{i}.norm_{j}" for i in range(len(model.layers)) for j in (1, 2)]
    weights: dict[str, Floats] = {}
    matrices = iter([*names, *HEADS])
    means = iter(["norm", *norms])
    for node in graph.node:
        if node.op_type == "MatMulNBits":
            name = next(matrices)
            weights[f"{name}.weight"] = _matrix(node, tensors)
            weights[f"{name}.bias"] = tensors[node.input[5]]
        elif node.op_type == "LayerNormalization":
            name = next(means)
            weights[f"{name}.weight"], weights[f"{name}.bias"] = (tensors[tensor] for tensor in node.input[1:])
    for name, table in zip(TABLES, _tables(graph.node, tensors), strict=True):
        weights[f"{name}.weight"] = table
    state: dict[str, Tensor] = {name: torch.tensor(values) for name, values in weights.items()}
    model.load_state_dict(state)
    return model.eval()


def _matrix(node: NodeProto, tensors: Mapping[str, Floats]) -> Floats:
    sizes = {attribute.name: attribute.i for attribute in node.attribute}
    whole = tensors[node.input[1]].astype(np.float32) - MIDDLE
    scale = tensors[node.input[2]].reshape(whole.shape[:2])
    return (whole * scale[..., None]).reshape(sizes["N"], -1)[:, : sizes["K"]].copy()


def _tables(nodes: list[NodeProto], tensors: Mapping[str, Floats]) -> Iterator[Floats]:
    """Tables of vectors: a Gather of whole numbers, followed by one of its scales."""
    gathers = [node.input[0] for node in nodes if node.op_type == "Gather"]
    for i, name in enumerate(gathers):
        if name in tensors and tensors[name].dtype == np.int8:
            yield tensors[name].astype(np.float32) * tensors[gathers[i + 1]]

"""Convert the detector's network to floating-point matrix products, for a GPU.

The weights stay the same, and no intermediate result is rounded to integers.

The shipped networks multiply matrices of integers, which is exact on every processor, but onnxruntime has no such
operator for GPUs. Here each integer product becomes a product of floats, with the weights that the integers represent.
Needs the package onnx.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.errors import AssetError
from naturalness.files.resources import require_package

if TYPE_CHECKING:
    from naturalness.arrays import Float32Array

EXTRA = "gpu"
PRODUCT = "MatMulIntegerToFloat"
"""onnxruntime's operator for the matrix product of integer rows with an integer matrix."""


def in_floats(path: Path) -> bytes:
    """Return the bytes of a network after replacing every integer product with a product of floats."""
    require_package("onnx", user="`device=cuda`", extra=EXTRA)
    import onnx

    model = onnx.load(path, load_external_data=False)  # shipped networks have no external data
    graph = model.graph
    makers = {output: node for node in graph.node for output in node.output}
    constants = {tensor.name: tensor for tensor in graph.initializer}
    users: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    for node in list(graph.node):
        if node.op_type == PRODUCT:
            _replace(node, makers, constants, users, graph)
    _keep(graph, makers, (output.name for output in graph.output))
    data: bytes = model.SerializeToString()
    return data


def _replace(
    product: Any, makers: dict[str, Any], constants: dict[str, Any], users: dict[str, list[Any]], graph: Any
) -> None:
    """Replace an integer product, and the multiplication by row scales that follows it, with a product of floats."""
    from onnx import helper, numpy_helper

    rows = makers[product.input[0]]
    (scaled,) = users[product.output[0]]
    if rows.op_type != "QuantizeLinear" or scaled.op_type != "Mul":
        raise AssetError(
            f"a network in which {product.name} is used as none of this release does; reinstall naturalness"
        )
    columns = product.input[1]
    whole = constants[columns] if columns in constants else constants[makers[columns].input[0]]
    step = numpy_helper.to_array(constants[product.input[3]])
    weight: Float32Array = numpy_helper.to_array(whole).astype(np.float32) * step
    name = f"{product.name}_floats"
    graph.initializer.append(numpy_helper.from_array(weight, name))
    joined = helper.make_node("MatMul", [rows.input[0], name], [scaled.output[0]], f"{product.name}_of_floats")
    graph.node.insert(list(graph.node).index(scaled), joined)
    graph.node.remove(scaled)
    makers[scaled.output[0]] = joined


def _keep(graph: Any, makers: dict[str, Any], outputs: Iterable[str]) -> None:
    """Keep only the nodes and constants that ``outputs`` depend on."""
    needed: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name and name not in needed:
            needed.add(name)
            waiting += makers[name].input if name in makers else ()
    for node in [node for node in graph.node if needed.isdisjoint(node.output)]:
        graph.node.remove(node)
    for tensor in [tensor for tensor in graph.initializer if tensor.name not in needed]:
        graph.initializer.remove(tensor)

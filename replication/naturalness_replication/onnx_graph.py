"""Write ONNX graphs node by node; the package onnx is imported when the first node or constant is added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

CONTRIB = "com.microsoft"
"""Domain of onnxruntime's own operators."""
Dims = Sequence[str | int]


@dataclass
class Graph:
    """A graph built node by node; `node` and `tensor` return names to use as inputs of further nodes."""

    opset: int
    ir_version: int
    contrib: bool = False
    """Whether the graph may use onnxruntime's own operators."""
    nodes: list[Any] = field(default_factory=list, init=False)
    tensors: list[Any] = field(default_factory=list, init=False)

    def node(self, kind: str, inputs: Sequence[str], domain: str = "", **attributes: Any) -> str:
        """Add a node, and return the name of its first output."""
        from onnx import helper

        name = f"{kind}_{len(self.nodes)}"
        # Write a domain only if the graph uses two domains, so that the bytes of existing files stay the same.
        where = domain if self.contrib else None
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, domain=where, **attributes))
        return name

    def tensor(self, values: object) -> str:
        """Add a constant, and return its name."""
        from onnx import numpy_helper

        name = f"tensor_{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def serialised(
        self,
        name: str,
        inputs: Mapping[str, Dims],
        outputs: Mapping[str, tuple[str, Dims]],
        floats: Mapping[str, Dims] | None = None,
    ) -> bytes:
        """Check the graph and return its bytes; the same graph always gives the same bytes.

        ``inputs`` and ``floats`` give the dimensions of integer and float inputs by name. ``outputs`` gives,
        for each graph output, the node output that it copies, and its dimensions. Outputs are always floats.
        """
        import onnx
        from onnx import TensorProto, helper

        kinds = [(TensorProto.INT64, inputs), (TensorProto.FLOAT, floats or {})]
        named = [helper.make_node("Identity", [x], [output]) for output, (x, _) in outputs.items()]
        graph = helper.make_graph(
            [*self.nodes, *named],
            name,
            [helper.make_tensor_value_info(n, kind, dims) for kind, group in kinds for n, dims in group.items()],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, dims) for n, (_, dims) in outputs.items()],
            self.tensors,
        )
        sets = [helper.make_opsetid(domain, version) for domain, version in (("", self.opset), (CONTRIB, 1))]
        model = helper.make_model(graph, opset_imports=sets[: 1 + self.contrib], ir_version=self.ir_version)
        onnx.checker.check_model(model)
        return bytes(model.SerializeToString(deterministic=True))

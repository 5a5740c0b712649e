"""ONNX graphs written node by node: encoders with weights of eight or four bits, activations in floats.

Weights are whole numbers in blocks of a row, each block with a scale (`MatMulNBits`); so are tables of vectors of four
bits, and those of eight have a scale per row. Sentences of one length are processed together, so no mask is needed.
Needs only onnx and numpy: weights come as arrays, under the names that torch gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper

from naturalness_replication.onnx_graph import CONTRIB, Dims, Graph

OPSET, IR_VERSION = 21, 10
BLOCK = 128
"""Weights that share a scale, at most."""
MIN_BLOCK = 16
BITS, MIDDLE, MAX_WEIGHT = 8, 128, 127
NIBBLE, NIBBLES = 4, 15
"""Bits of half a byte, and its largest number."""
WHOLE = 4
"""onnxruntime's `accuracy_level`: products in whole numbers, half as fast again as in floats."""
EPSILON = 1e-12
"""Of layer norms, as in BERT."""
TINY = np.float32(1e-12)
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Packed:
    """A matrix (n, k) of integers, in blocks with a scale each."""

    whole: str
    scale: str
    n: int
    k: int
    block: int


class Encoder(Graph):
    """A graph that grows by the layers of an encoder with given weights."""

    def __init__(
        self, weights: Mapping[str, Floats], heads: int, *, bits: int = BITS, epsilon: float = EPSILON
    ) -> None:
        """Start a graph; ``bits`` of weights are 8 or 4, and ``epsilon`` is that of layer norms."""
        super().__init__(OPSET, IR_VERSION, contrib=True)
        self.weights = weights
        self.heads = heads
        self.bits = bits
        self.epsilon = epsilon

    def rows(self, table: str, ids: str) -> str:
        """Return rows of a table of vectors, stored in eight bits with a scale per row, or in blocks of four bits."""
        values = self.weights[f"{table}.weight"]
        if self.bits == NIBBLE:
            return self.unpacked(self.packed(values), ids)
        scale = np.maximum(np.abs(values).max(1, keepdims=True), TINY) / MAX_WEIGHT
        whole = np.rint(values / scale).astype(np.int8)
        values_of_rows = self.node("Gather", [self.tensor(whole), ids])
        scales = self.node("Gather", [self.tensor(scale.astype(np.float32)), ids])
        return self.node("Mul", [self.node("Cast", [values_of_rows], to=TensorProto.FLOAT), scales])

    def packed(self, weight: Floats, block: int = BLOCK) -> Packed:
        """Return a matrix (n, k) as integers, for `times` and `unpacked`."""
        n, k = weight.shape
        size = min(block, max(MIN_BLOCK, 1 << (k - 1).bit_length()))
        blocks = -(-k // size)
        filled = np.zeros((n, blocks * size), np.float32)
        filled[:, :k] = weight
        parts = filled.reshape(n, blocks, size)
        middle = 1 << (self.bits - 1)
        scale = np.maximum(np.abs(parts).max(2), TINY) / (middle - 1)
        whole = (np.rint(parts / scale[..., None]) + middle).astype(np.uint8)
        if self.bits == NIBBLE:
            whole = whole[..., ::2] | whole[..., 1::2] << NIBBLE
        return Packed(self.tensor(whole), self.tensor(scale.astype(np.float32)), n, k, size)

    def nibbles(self, whole: NDArray[np.int8]) -> str:
        """Return integers -8..7 as a constant of four bits each."""
        flat = whole.reshape(-1).view(np.uint8) & NIBBLES
        name = f"tensor_{len(self.tensors)}"
        both = (flat[::2] | flat[1::2] << NIBBLE).tobytes()
        self.tensors.append(helper.make_tensor(name, TensorProto.INT4, whole.shape, both, raw=True))
        return name

    def _split(self, whole: str, block: int) -> str:
        """Return one integer per byte, from bytes that hold one or two."""
        if self.bits != NIBBLE:
            return whole
        even = self.node("BitwiseAnd", [whole, self.tensor(np.uint8(NIBBLES))])
        odd = self.node("BitShift", [whole, self.tensor(np.uint8(NIBBLE))], direction="RIGHT")
        last = self.tensor([-1])
        both = self.node("Concat", [self.node("Unsqueeze", [half, last]) for half in (even, odd)], axis=-1)
        lead = self.node("Slice", [self.node("Shape", [whole]), self.tensor([0]), self.tensor([-1])])
        return self.node("Reshape", [both, self.node("Concat", [lead, self.tensor([block])], axis=0)])

    def _floats(self, whole: str, block: int) -> str:
        """Return packed integers as floats, before they are scaled."""
        floats = self.node("Cast", [self._split(whole, block)], to=TensorProto.FLOAT)
        return self.node("Sub", [floats, self.tensor(np.float32(1 << (self.bits - 1)))])

    def unpacked(self, table: Packed, ids: str) -> str:
        """Return rows of a packed table (..., k); k must be a multiple of the block."""
        floats = self._floats(self.node("Gather", [table.whole, ids]), table.block)
        scales = self.node("Gather", [table.scale, ids])
        scales = self.node("Unsqueeze", [scales, self.tensor([-1])])
        shape = self.node("Concat", [self.node("Shape", [ids]), self.tensor([table.k])], axis=0)
        return self.node("Reshape", [self.node("Mul", [floats, scales]), shape])

    def opened(self, table: Packed) -> str:
        """Return a packed table as floats (n, k), which onnxruntime computes when it opens the file."""
        scales = self.node("Unsqueeze", [table.scale, self.tensor([-1])])
        floats = self.node("Mul", [self._floats(table.whole, table.block), scales])
        return self.node("Reshape", [floats, self.tensor([table.n, table.k])])

    def times(self, x: str, matrix: Packed, bias: Floats | None) -> str:
        """Return x W + b, with W packed."""
        inputs = [x, matrix.whole, matrix.scale, "", ""]
        if bias is not None:
            inputs.append(self.tensor(bias))
        return self.node(
            "MatMulNBits",
            inputs,
            CONTRIB,
            K=matrix.k,
            N=matrix.n,
            bits=self.bits,
            block_size=matrix.block,
            accuracy_level=WHOLE,
        )

    def linear(self, x: str, layer: str) -> str:
        """Return x W + b, with W in integers."""
        weight, bias = self.weights[f"{layer}.weight"], self.weights.get(f"{layer}.bias")
        return self.times(x, self.packed(weight), bias)

    def norm(self, x: str, layer: str, added: str = "") -> str:
        """Return the layer norm of x, or of x plus ``added``."""
        inputs = [self.tensor(self.weights[f"{layer}.{name}"]) for name in ("weight", "bias")]
        # Two nodes: onnxruntime's SkipLayerNormalization takes longer than both on a processor.
        x = self.node("Add", [x, added]) if added else x
        return self.node("LayerNormalization", [x, *inputs], epsilon=self.epsilon)

    def attention(self, x: str, layer: str, hides: str = "", asking: str = "") -> str:
        """Return attention over the pieces of each text, with ``hides`` (1, 1 or heads, n, n) added to its logits.

        ``asking`` (texts, m, width): the only queries, if given; ``hides`` is then (1, 1, m, n).
        """
        if asking:
            weight, bias = self.weights[f"{layer}.weight"], self.weights[f"{layer}.bias"]
            width = weight.shape[1]
            query = self.times(asking, self.packed(weight[:width]), bias[:width])
            keys_and_values = self.times(x, self.packed(weight[width:]), bias[width:])
            parts = [query, *self.parts(keys_and_values, 2)]
        else:
            parts = self.parts(self.linear(x, layer), 3)
        inputs = [*parts, "", "", hides] if hides else parts
        return self.node("MultiHeadAttention", inputs, CONTRIB, num_heads=self.heads)

    def parts(self, x: str, n: int) -> list[str]:
        """Split vectors (texts, pieces, width) into equal parts."""
        names = [f"{x}_{i}" for i in range(n)]
        self.nodes.append(helper.make_node("Split", [x], names, axis=2, num_outputs=n))
        return names

    def layer(self, x: str, name: str, hides: str = "", asking: str = "") -> str:
        """Return the output of a `training.layer.Layer`, only for ``asking`` if given."""
        seen = self.attention(x, f"{name}.attention_in", hides, asking)
        x = self.norm(asking or x, f"{name}.norm_1", self.linear(seen, f"{name}.attention_out"))
        inner = self.node("Gelu", [self.linear(x, f"{name}.wide")], CONTRIB)
        return self.norm(x, f"{name}.norm_2", self.linear(inner, f"{name}.narrow"))

    def encoder(self, ids: str, vectors: str, layers: int, hides: str = "") -> list[str]:
        """Return the vectors of pieces ``ids`` (texts, pieces) after the embeddings and after each layer."""
        positions = self.node("Range", [self.tensor(0), self.length(ids), self.tensor(1)])
        x = self.node("Add", [vectors, self.rows("positions", positions)])
        states = [self.norm(x, "norm")]
        for i in range(layers):
            states.append(self.layer(states[-1], f"layers.{i}", hides))
        return states

    def length(self, ids: str) -> str:
        """Return the number of pieces of each text."""
        return self.node("Gather", [self.node("Shape", [ids]), self.tensor(1)])

    def write(
        self,
        path: Path,
        inputs: Mapping[str, Dims],
        outputs: Mapping[str, tuple[str, Dims]],
        floats: Mapping[str, Dims] | None = None,
    ) -> None:
        """Write the graph; inputs are whole numbers or ``floats``, outputs floats of a node."""
        path.write_bytes(self.serialised(path.stem, inputs, outputs, floats))

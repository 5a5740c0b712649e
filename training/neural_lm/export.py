"""Write the language model as the two files of its asset; needs only onnx and numpy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from naturalness.models.language.neural.model import DESCRIPTION, FORMAT_VERSION, NETWORK
from training.onnx_graph import Encoder, Floats

BLOCK = 64
"""Numbers of a piece's vector that share a scale; it divides their number."""
NEVER = np.float32(-1e4)
"""Added to what may not be seen, and to the piece that hides others, which never follows."""


def write(
    weights: Mapping[str, Floats],
    folder: Path,
    *,
    vocabulary: Sequence[str],
    special: Sequence[int],
    encoder: str,
    heads: int,
    weight: float = 1.0,
) -> None:
    """Write the description and the network.

    ``special``: the rows of the unknown piece, the start and the end. The last row of the table of pieces, which is
    not in the vocabulary, is the mask.
    """
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Encoder(weights, heads)
    table = graph.packed(weights["pieces.weight"], BLOCK)
    vectors = graph.linear(graph.unpacked(table, "ids"), "widen")
    hides = later(graph)
    x = graph.encoder("ids", vectors, layers - 1, hides)[-1]
    # In the last layer only what is asked for looks at the others: of a text in which one piece
    # is hidden that is one vector.
    texts = graph.node("Gather", [graph.node("Shape", ["ids"]), graph.tensor([0])])
    sizes = graph.node("Concat", [texts, graph.tensor([-1, len(weights["norm.weight"])])], axis=0)
    asking = graph.node("Reshape", [graph.node("GatherND", [x, "at"]), sizes])
    x = graph.layer(x, f"layers.{layers - 1}", asked_rows(graph, hides, texts), asking)
    x = graph.node("Reshape", [x, graph.tensor([-1, len(weights["norm.weight"])])])
    asked = graph.linear(x, "foretell")
    common = np.append(weights["common"], NEVER)
    # Opened once to floats: 16,000 products of 192 numbers are a third faster so than in bytes.
    opened = graph.opened(table)
    logits = graph.node("Gemm", [asked, opened, graph.tensor(common)], transB=1)
    all_logs = graph.node("LogSoftmax", [logits], axis=-1)
    terms = graph.node("Mul", [graph.node("Exp", [all_logs]), all_logs])
    entropy = graph.node("Neg", [graph.node("ReduceSum", [terms, graph.tensor([1])], keepdims=1)])
    logs = graph.node("GatherElements", [all_logs, "targets"], axis=1)
    folder.mkdir(parents=True, exist_ok=True)
    graph.write(
        folder / NETWORK,
        {"ids": ("texts", "pieces"), "at": ("asked", 2), "targets": ("asked", 1), "causal": (1, 1)},
        {"logs": (logs, ("asked", 1)), "entropy": (entropy, ("asked", 1))},
    )
    unknown, start, end = special
    about = {
        "format_version": FORMAT_VERSION,
        "encoder": encoder,
        "unknown": unknown,
        "start": start,
        "end": end,
        "weight": weight,
        "hidden": len(vocabulary),
        "places": len(weights["positions.weight"]),
        "vocabulary": list(vocabulary),
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def asked_rows(graph: Encoder, hides: str, texts: str) -> str:
    """Return the rows of ``hides`` for the m positions that the first text asks for (1, 1, m, n).

    From left to right, one text is read at a time; in both directions, nothing is hidden.
    """
    positions = graph.node("Gather", ["at", graph.tensor(1)], axis=1)
    each = graph.node("Concat", [texts, graph.tensor([-1])], axis=0)
    positions = graph.node("Reshape", [positions, each])
    first = graph.node("Gather", [positions, graph.tensor(0)], axis=0)
    return graph.node("Gather", [hides, first], axis=2)


def later(graph: Encoder) -> str:
    """Return the bias that hides later pieces if ``causal`` is 1 (1, 1, n, n)."""
    length = graph.node("Unsqueeze", [graph.length("ids"), graph.tensor([0])])
    square = graph.node("Concat", [length, length], axis=0)
    ones = graph.node("Expand", [graph.tensor(np.ones((1, 1), np.float32)), square])
    above = graph.node("Trilu", [ones, graph.tensor(1)], upper=1)
    amount = graph.node("Mul", [graph.node("Cast", ["causal"], to=1), graph.tensor(NEVER)])
    return graph.node("Unsqueeze", [graph.node("Mul", [above, amount]), graph.tensor([0, 1])])

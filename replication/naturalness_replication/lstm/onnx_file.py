"""Check an untrusted ONNX file before onnxruntime opens it.

A graph cannot run arbitrary code, but it may contain endless loops or references to weights in other files; a language
model needs none of these. The file is parsed as protocol buffers, with the field
numbers in https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, since the package onnx is not a dependency.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from naturalness.errors import ModelError
from naturalness.files.toml import read_beside

MAX_LAYERS = 20
_TABLES = read_beside(__file__)


def check_network(path: Path) -> None:
    """Raise `ModelError` unless a network has the nodes that the command `lstm` writes, and no external weights."""
    operators: list[str] = []
    try:
        graphs = [value for name, value in _fields(path.read_bytes(), "model") if name == "graph"]
        for graph in graphs:
            for name, value in _fields(graph, "graph"):
                if name == "node":
                    operators.append(_operator(value))
                elif name == "tensor":
                    list(_fields(value, "tensor"))
    except (ValueError, IndexError) as error:
        raise ModelError(f"{path} is not a supported language-model network ({error}); train the model again") from None
    before, layer, after = _TABLES["nodes"].values()
    layers = (len(operators) - len(before) - len(after)) // len(layer)
    if len(graphs) != 1 or not 1 <= layers <= MAX_LAYERS or operators != before + layers * layer + after:
        raise ModelError(
            f"{path} has {len(graphs)} graphs and the nodes {', '.join(operators):.300}; expected what "
            "the command `lstm` writes"
        )


def _operator(data: bytes) -> str:
    """Return a node's operator, with its domain if it has one; check the fields of its attributes."""
    parts = {"domain": b"", "operator": b""}
    for name, value in _fields(data, "node"):
        if name == "attribute":
            list(_fields(value, "attribute"))
        elif name in parts:
            parts[name] += value
    return b".".join(filter(None, parts.values())).decode()


def _fields(data: bytes, message: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes (empty for a number) of each field; raise `ValueError` for an unknown field."""
    at, known = 0, _TABLES[message]
    while at < len(data):
        tag, at = _number(data, at)
        field, kind = str(tag >> 3), tag & 7
        if field not in known:
            raise ValueError(f"field {field}, expected one of {', '.join(known.values())}")
        size = 0
        if kind == 0:
            _, at = _number(data, at)
        elif kind == 1:
            at += 8
        elif kind == 5:
            at += 4
        elif kind == 2:
            size, at = _number(data, at)
        else:
            raise ValueError(f"a field of kind {kind}")
        if at + size > len(data):
            raise ValueError("it is truncated")
        yield known[field], data[at : at + size]
        at += size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the variable-length integer at an offset, and the offset after it."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        shift += 7
        at += 1
        if byte < 128:
            return number, at
        if shift > 63:
            raise ValueError("a number of more than 64 bits")

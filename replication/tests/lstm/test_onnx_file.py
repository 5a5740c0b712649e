"""Networks of language models from elsewhere: no loops, no weights in other files, no functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import ModelError
from naturalness_replication.lstm.onnx_file import _TABLES, check_network
from replication.tests.support.tiny_lstm import write_tiny

onnx = pytest.importorskip("onnx")


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command `lstm` writes."""
    folder = tmp_path_factory.mktemp("lstm")
    return write_tiny(folder) / "neural.onnx"


def test_our_own_network_is_taken(network: Path) -> None:
    """It has two layers."""
    check_network(network)
    before, layer, after = _TABLES["nodes"].values()
    assert [node.op_type for node in onnx.load(network).graph.node] == [*before, *layer, *layer, *after]


def loop(model: Any) -> None:
    """A node with a graph inside."""
    body = onnx.helper.make_graph([], "body", [], [])
    model.graph.node.append(onnx.helper.make_node("Identity", ["ids"], ["x"]))
    model.graph.node[-1].attribute.append(onnx.helper.make_attribute("body", body))


def function(model: Any) -> None:
    """A function of the file's own."""
    model.functions.append(onnx.helper.make_function("own", "F", ["x"], ["y"], [], model.opset_import))


def elsewhere(model: Any) -> None:
    """Weights that lie in a file of the machine."""
    tensor = model.graph.initializer[0]
    onnx.external_data_helper.set_external_data(tensor, "../../../etc/passwd")


CHANGES: dict[str, Callable[[Any], None]] = {
    "a field of its own|field 6": loop,
    "functions|field 25": function,
    "weights elsewhere|field 1[34]": elsewhere,
    "a loop|the nodes .*Loop": lambda model: model.graph.node.append(onnx.helper.make_node("Loop", [], ["x"])),
    "a domain|own.Gather": lambda model: setattr(model.graph.node[0], "domain", "own"),
    "no layer|the nodes": lambda model: model.graph.node.pop(2),
}


@pytest.mark.parametrize("name", CHANGES)
def test_others_are_refused(network: Path, tmp_path: Path, name: str) -> None:
    """Before onnxruntime sees them."""
    model = onnx.load(network)
    CHANGES[name](model)
    path = tmp_path / "neural.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelError, match=name.partition("|")[2]):
        check_network(path)


def test_whatever_the_bytes_are(network: Path, tmp_path: Path) -> None:
    """Cut anywhere, or changed anywhere: taken or refused in words."""
    whole, path = network.read_bytes(), tmp_path / "neural.onnx"
    for at in range(0, len(whole), max(1, len(whole) // 150)):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :]):
            path.write_bytes(data)
            try:
                check_network(path)
            except ModelError as error:
                assert str(path) in str(error)

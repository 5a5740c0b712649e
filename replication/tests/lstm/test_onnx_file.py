"""Networks of language models: loops, functions and weights in other files are refused."""

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
    """Write a network as the command `lstm` does."""
    folder = tmp_path_factory.mktemp("lstm")
    return write_tiny(folder) / "neural.onnx"


def test_a_network_of_the_package_is_accepted(network: Path) -> None:
    """A network that the package wrote is accepted."""
    check_network(network)
    before, layer, after = _TABLES["nodes"].values()
    assert [node.op_type for node in onnx.load(network).graph.node] == [*before, *layer, *layer, *after]


def loop(model: Any) -> None:
    """Add a node that contains a graph."""
    body = onnx.helper.make_graph([], "body", [], [])
    model.graph.node.append(onnx.helper.make_node("Identity", ["ids"], ["x"]))
    model.graph.node[-1].attribute.append(onnx.helper.make_attribute("body", body))


def function(model: Any) -> None:
    """Add a function."""
    model.functions.append(onnx.helper.make_function("own", "F", ["x"], ["y"], [], model.opset_import))


def elsewhere(model: Any) -> None:
    """Refer to weights in another file."""
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
def test_other_networks_are_refused(network: Path, tmp_path: Path, name: str) -> None:
    """A network with loops, functions or external weights is refused before onnxruntime reads it."""
    model = onnx.load(network)
    CHANGES[name](model)
    path = tmp_path / "neural.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelError, match=name.partition("|")[2]):
        check_network(path)


def test_damaged_bytes_give_a_clear_error(network: Path, tmp_path: Path) -> None:
    """A truncated or changed file is accepted, or refused with an error that names it."""
    whole, path = network.read_bytes(), tmp_path / "neural.onnx"
    for at in range(0, len(whole), max(1, len(whole) // 150)):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :]):
            path.write_bytes(data)
            try:
                check_network(path)
            except ModelError as error:
                assert str(path) in str(error)

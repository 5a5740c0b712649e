"""Run neural networks on one thread, with onnxruntime (ONNX files) or torch."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, NaturalnessError, UnknownName, first_line, installing
from naturalness.files.resources import require_package

EXTRA = "gpu"
PRODUCT = "MatMulIntegerToFloat"
"""onnxruntime's operator for the matrix product of integer rows with an integer matrix."""
CPU, CUDA = "cpu", "cuda"
PROVIDERS: Mapping[str, Sequence[Any]] = {
    CPU: ("CPUExecutionProvider",),
    CUDA: (("CUDAExecutionProvider", {"use_tf32": 0}), "CPUExecutionProvider"),
}
"""Execution providers of onnxruntime for each device; operators that a GPU does not support run on the CPU."""
QUIET = 3
"""Log level at which onnxruntime logs only errors, which it also raises as exceptions."""


def read_description(path: Path, version: int) -> dict[str, Any]:
    """Read the JSON description of a network; raise `ValueError` if its format version is not ``version``.

    May also raise `OSError`, `LookupError` or `TypeError`; the caller turns these into a message that says which file
    was expected.
    """
    about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if about["format_version"] != version:
        raise ValueError(f"format version {about['format_version']!r:.20}; this release reads {version}")
    return about


interruption: ContextVar[Callable[[], object]] = ContextVar("interruption", default=lambda: None)
"""Called before each run of a network; it may raise an exception to abort a cancelled computation."""
Rows = Sequence[Sequence[int]] | Float32Array
"""Input of a network: rows of integers, or the output of another network."""


def load_onnxruntime() -> Any:
    """Import onnxruntime with telemetry off; all other code gets onnxruntime from here.

    The environment variable must be set before the import: otherwise release 1.32 or newer writes a machine identifier
    and a database to the user's cache and a file to the temporary folder, and looks up the host to which it would send
    events.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    # If something else has already imported onnxruntime, the variable came too late.
    onnxruntime.disable_telemetry_events()
    return onnxruntime


_device = CPU
"""Name of the device on which this process runs detectors."""


def device() -> str:
    """Return the device on which this process will open detectors: ``"cpu"`` or ``"cuda"``."""
    return _device


def use_device(name: str) -> None:
    """Run the detectors of this process on ``"cpu"``, the default, or on ``"cuda"``, an NVIDIA GPU.

    A GPU computes in floats and a CPU in integers, so scores differ (by .008 on average, and by up to .04), and the
    last digits of a score may depend on the other texts in the batch. Do not compare scores from one device with scores
    from the other. Needs the extra ``gpu``; raises `NaturalnessError` if no GPU can be used.
    """
    global _device
    if name not in PROVIDERS:
        raise UnknownName("device", name, PROVIDERS)
    if name != CPU and _provider(name) not in load_onnxruntime().get_available_providers():
        raise NaturalnessError(
            f"device {name!r} needs onnxruntime with CUDA, and the one that is installed has none; run: "
            f"pip uninstall onnxruntime && {installing(EXTRA)}, on a machine with an NVIDIA GPU"
        )
    _device = name


def _provider(name: str) -> str:
    first = PROVIDERS[name][0]
    return first if isinstance(first, str) else str(first[0])


class OnnxSession:
    """A network whose inputs are rows of numbers.

    It runs on one thread, because work is divided among processes, and several threads per process would compete. On a
    GPU, its matrix products use floats.
    """

    def __init__(self, path: Path, device: str = CPU) -> None:
        onnxruntime = load_onnxruntime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = QUIET
        try:
            self._session: Any = onnxruntime.InferenceSession(
                path.read_bytes() if device == CPU else in_floats(path), options, providers=list(PROVIDERS[device])
            )
        except NaturalnessError:
            raise
        except Exception as error:  # onnxruntime's exceptions have no other common base class
            reason = str(error).strip().splitlines()[0][:200]
            raise AssetError(
                f"{path} is not a network that onnxruntime {onnxruntime.__version__} can run "
                f"({reason}); reinstall naturalness, or install a newer onnxruntime"
            ) from None
        if _provider(device) not in self._session.get_providers():
            raise NaturalnessError(
                f"device {device!r} cannot be used: onnxruntime {onnxruntime.__version__} found no CUDA and cuDNN of "
                "the versions that it needs (https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html)"
            )

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the network's inputs."""
        return tuple(node.name for node in self._session.get_inputs())

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the network's outputs."""
        return tuple(node.name for node in self._session.get_outputs())

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Rows]) -> list[Float32Array]:
        """Run the network, and return the named outputs."""
        interruption.get()()
        arrays = {
            name: rows if isinstance(rows, np.ndarray) else np.array(rows, np.int64) for name, rows in inputs.items()
        }
        try:
            results: list[Float32Array] = self._session.run(list(outputs), arrays)
        except Exception as error:  # onnxruntime's exceptions have no other common base class
            raise AssetError(
                f"a network cannot be run ({first_line(error)}); it is damaged, or memory is short"
            ) from error
        return results


@contextmanager
def single_thread() -> Iterator[None]:
    """Run torch on one thread, since its sums, and therefore scores, depend on the number of threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def in_floats(path: Path) -> bytes:
    """Return the bytes of the detector's network with floating-point matrix products, for a GPU.

    The shipped networks multiply matrices of integers, which is exact on every processor, but onnxruntime has no such
    operator for GPUs. Each integer product becomes a product of floats, with the weights that the integers represent;
    no intermediate result is rounded to integers. Needs the package onnx.
    """
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

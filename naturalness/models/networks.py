"""Neural networks on one thread: ONNX files, run by onnxruntime, and what torch runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, NaturalnessError, UnknownName, first_line, installing
from naturalness.models.float_graph import EXTRA, in_floats

CPU, CUDA = "cpu", "cuda"
PROVIDERS: Mapping[str, Sequence[Any]] = {
    CPU: ("CPUExecutionProvider",),
    CUDA: (("CUDAExecutionProvider", {"use_tf32": 0}), "CPUExecutionProvider"),
}
"""What runs a network on a device, as onnxruntime calls it; what a GPU has no operator for runs on the CPU."""
QUIET = 3
"""onnxruntime's level of log: errors, which come as exceptions too."""


def read_description(path: Path, version: int) -> dict[str, Any]:
    """Read what stands beside a network: its names for things, in a format of this version.

    Raises `OSError`, `ValueError`, `LookupError` or `TypeError`; the caller adds what the file should
    have been.
    """
    about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if about["format_version"] != version:
        raise ValueError(f"format version {about['format_version']!r:.20}; this release reads {version}")
    return about


Rows = Sequence[Sequence[int]] | Float32Array
"""Integers, or the output of another network."""


def load_onnxruntime() -> Any:
    """Import onnxruntime with its telemetry off; the only place that imports it.

    From release 1.32 on, importing it writes an identifier of the machine and a database into the user's cache, a file
    into the folder for temporary files, and looks up a host for events, unless this variable says otherwise.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    # For a process that had imported it before.
    onnxruntime.disable_telemetry_events()
    return onnxruntime


_device = CPU
"""Of this process."""


def device() -> str:
    """Return where detectors that are opened from now on run in this process: ``"cpu"`` or ``"cuda"``."""
    return _device


def use_device(name: str) -> None:
    """Run the detectors of this process on ``"cpu"``, the default, or on ``"cuda"``, an NVIDIA GPU.

    A GPU computes in floats and a processor in integers, so scores differ (by .008 on average, and by up to .04), and
    the last digits of a score may depend on the other texts in the batch. Do not mix scores of both devices. Needs the
    extra ``gpu``; raises `NaturalnessError` if no GPU can be used.
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


class Session:
    """A network that takes rows of numbers.

    It runs on one thread: work is shared out over processes, whose threads would compete. On a GPU its products are of
    floats.
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
        except Exception as error:  # its classes have no other base in common
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
        """Names of its inputs."""
        return tuple(node.name for node in self._session.get_inputs())

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of its outputs."""
        return tuple(node.name for node in self._session.get_outputs())

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Rows]) -> list[Float32Array]:
        """Return the outputs of these names."""
        arrays = {
            name: rows if isinstance(rows, np.ndarray) else np.array(rows, np.int64) for name, rows in inputs.items()
        }
        try:
            results: list[Float32Array] = self._session.run(list(outputs), arrays)
        except Exception as error:  # its classes have no other base in common
            raise AssetError(
                f"a network cannot be run ({first_line(error)}); it is damaged, or memory is short"
            ) from error
        return results


@contextmanager
def single_thread() -> Iterator[None]:
    """Run torch on one thread: its sums depend on the number of threads, and so would the scores."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)

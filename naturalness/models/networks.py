"""Run neural networks on one thread, with onnxruntime (ONNX files) or torch."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, first_line

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


class OnnxSession:
    """A network whose inputs are rows of numbers.

    It runs on one thread, because work is divided among processes, and several threads per process would compete.
    """

    def __init__(self, path: Path) -> None:
        onnxruntime = load_onnxruntime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = QUIET
        try:
            providers = ["CPUExecutionProvider"]
            self._session: Any = onnxruntime.InferenceSession(path.read_bytes(), options, providers=providers)
        except Exception as error:  # onnxruntime's exceptions have no other common base class
            reason = str(error).strip().splitlines()[0][:200]
            raise AssetError(
                f"{path} is not a network that onnxruntime {onnxruntime.__version__} can run "
                f"({reason}); reinstall naturalness, or install a newer onnxruntime"
            ) from None

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

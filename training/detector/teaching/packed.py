"""Weights on their way to a GPU and back, in whole numbers: a row of a matrix has a step between them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.detector.network import Body, Shape
from training.detector.steps import whole

BITS = 7
"""Of weights to begin with; those that come back have the steps that training has set."""
FILE_SIZE, TRAINED_FILE_SIZE = 15 << 20, 30 << 20
"""Bytes of a file before it is compressed, a little or, with weights of four bits, by half."""
TABLE = "pieces.weight"


def is_product(name: str, values: Tensor) -> bool:
    """Whether these are the weights of a product in a layer."""
    return name.startswith("layers.") and values.ndim == 2 and not name.endswith(".step")


def pack(state: Mapping[str, Tensor], *, table: bool = True) -> dict[str, np.ndarray]:
    """Arrays of small numbers; ``table``: with the vectors of pieces, which stay as they were in training."""
    arrays: dict[str, np.ndarray] = {}
    for name, values in state.items():
        values = values.detach().float().cpu()
        if name == TABLE and not table:
            continue
        if is_product(name, values):
            step = state[name.replace(".weight", ".step")].detach().float().cpu()
            if step.any():
                arrays[name] = whole(values, step).numpy().astype(np.int8)
                continue
        if is_product(name, values) or name == TABLE:
            most = (1 << BITS - 1) - 1
            step = values.abs().amax(1, keepdim=True).clamp(min=1e-12) / most
            arrays[f"{name}/step"] = step.numpy()
            arrays[name] = (values / step).round().numpy().astype(np.int8)
        else:
            arrays[name] = values.numpy()
    return arrays


def unpack(arrays: Mapping[str, np.ndarray]) -> dict[str, Tensor]:
    """The weights; those that were trained in whole numbers are what they are in the file."""
    state = {name: torch.from_numpy(np.asarray(x, np.float32)) for name, x in arrays.items() if "/" not in name}
    for name in state:
        step = arrays.get(f"{name}/step", arrays.get(name.replace(".weight", ".step")))
        if step is not None and arrays[name].dtype == np.int8:
            state[name] *= torch.from_numpy(step)
    return state


def write(arrays: Mapping[str, np.ndarray], stem: Path, size: int = FILE_SIZE) -> list[Path]:
    """Write them into files ``stem.0.npz``, ``stem.1.npz`` and so on, none of which is large."""
    for before in stem.parent.glob(f"{stem.name}.*.npz"):
        before.unlink()
    parts: list[dict[str, np.ndarray]] = [{}]
    room = size
    for name, values in arrays.items():
        if parts[-1] and values.nbytes > room:
            parts.append({})
            room = size
        parts[-1][name] = values
        room -= values.nbytes
    paths = []
    for k, part in enumerate(parts):
        paths.append(stem.with_name(f"{stem.name}.{k}.npz"))
        np.savez_compressed(paths[-1], **{name.replace("/", "|"): values for name, values in part.items()})
    return paths


def read(stem: Path) -> dict[str, np.ndarray]:
    """What `write` wrote."""
    arrays: dict[str, np.ndarray] = {}
    for path in sorted(stem.parent.glob(f"{stem.name}.*.npz")):
        with np.load(path) as part:
            arrays |= {name.replace("|", "/"): part[name] for name in part.files}
    if not arrays:
        raise FileNotFoundError(f"no weights at {stem}.0.npz; run prepare, or for those that were trained, learn")
    return arrays


def body(state: Mapping[str, Tensor], vocabulary: list[str]) -> Body:
    """A network with these weights; what it lacks is as in a new one."""
    layers = len({name.split(".")[1] for name in state if name.startswith("layers.")})
    feed_forward, width = state["layers.0.wide.weight"].shape
    model = Body(vocabulary, Shape(layers, width, feed_forward), len(state.get("hint.weight", ())))
    model.load_state_dict({**model.state_dict(), **state})
    model.pieces.weight.requires_grad_(False)
    return model

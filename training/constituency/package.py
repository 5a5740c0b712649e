"""Write a trained network in the package's format: eight-bit rows with scales."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from naturalness.files.archive import SMALL, pack
from naturalness.models.parsers.chart.network import DESCRIPTION, FORMAT_VERSION, WEIGHTS
from training.constituency.network import SpanScorer

Arrays = dict[str, NDArray[Any]]


def write_network(model: SpanScorer, folder: Path) -> None:
    """Write the two files of a network; the same weights give the same bytes."""
    about = {"format_version": FORMAT_VERSION, "labels": model.labels}
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")
    # A tenth smaller if deflated, and twice as long to open.
    (folder / WEIGHTS).write_bytes(pack(_arrays(model), SMALL, deflated=False))


def _arrays(model: SpanScorer) -> Arrays:
    arrays: Arrays = {}

    def small(name: str, part: torch.nn.Module) -> None:
        for key, value in part.named_parameters():
            arrays[f"{name}.{key}"] = value.detach().numpy()

    def linear(name: str, part: torch.nn.Linear, bias: torch.Tensor | None) -> None:
        arrays[f"{name}.rows"], arrays[f"{name}.scales"] = quantised(part.weight.detach().numpy())
        if bias is not None:
            arrays[f"{name}.bias"] = bias.detach().numpy()

    small("shapes", model.shapes)
    linear("body", model.body, model.body.bias)
    linear("left", model.left, model.left.bias + model.style.weight[0])
    linear("right", model.right, None)
    small("span", model.span_norm)
    linear("label", model.label, model.label.bias)
    return arrays


def quantised(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return integers from -127 to 127 and the scale of each row."""
    scales = np.maximum(np.abs(weight).max(1), 1e-8) / np.float32(127)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales.astype(np.float32)

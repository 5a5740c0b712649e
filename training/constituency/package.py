"""A trained network as the package reads it: eight-bit rows with scales, held against torch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from naturalness.files.archive import SMALL, pack
from naturalness.models.parsers.chart.network import DESCRIPTION, FORMAT_VERSION, WEIGHTS, EncodedSentence, open_network
from training.constituency.batches import Body, collate
from training.constituency.network import SpanScorer
from training.constituency.rows import quantised

Arrays = dict[str, NDArray[Any]]
CLOSE = 0.1
"""Difference that rounding the weights may make: root of its mean square, in natural logs."""


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

    def rows(name: str, weight: torch.Tensor) -> None:
        arrays[f"{name}.rows"], arrays[f"{name}.scales"] = quantised(weight.detach().numpy())

    def small(name: str, part: torch.nn.Module) -> None:
        for key, value in part.named_parameters():
            arrays[f"{name}.{key}"] = value.detach().numpy()

    def linear(name: str, part: torch.nn.Linear, bias: torch.Tensor | None) -> None:
        rows(name, part.weight)
        if bias is not None:
            arrays[f"{name}.bias"] = bias.detach().numpy()

    small("shapes", model.shapes)
    linear("body", model.body, model.body.bias)
    linear("left", model.left, model.left.bias + model.style.weight[0])
    linear("right", model.right, None)
    small("span", model.span_norm)
    linear("label", model.label, model.label.bias)
    return arrays


@torch.inference_mode()
def compare(model: SpanScorer, body: Body, folder: Path, sentences: Sequence[Sequence[str]]) -> float:
    """Difference between scores in torch and in the package; raises where it is not `CLOSE`."""
    network = open_network(folder)
    squares: list[float] = []
    for words in sentences:
        expected = model(collate(body, [words], [0]))[0][0].numpy()
        cut = body.cut(words)
        ((_, vectors),) = body.network.read_pieces([cut])
        (scores,) = network.span_scores([EncodedSentence(words, list(map(len, cut)), vectors)])
        squares += ((scores - expected) ** 2).mean(1).tolist()
    difference = float(np.sqrt(np.mean(squares)))
    if difference > CLOSE:
        raise ValueError(f"scores of package and torch differ by {difference:.3f}; at most {CLOSE}")
    return difference

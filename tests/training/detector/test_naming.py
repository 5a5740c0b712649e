"""Retraining the classifier of kinds of damage."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from tests.support.drafts import sentence  # noqa: E402
from tests.support.small_body import small  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.naming import name_anew  # noqa: E402
from training.detector.network import load  # noqa: E402

SLEPT = sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3 ././punct/3")


def test_only_the_layer_of_kinds_learns(tmp_path: Path) -> None:
    """Only the weights of the layer of kinds change."""
    model = load(small(tmp_path / "detector.pt")).round()
    before = {name: values.clone() for name, values in model.state_dict().items()}
    name_anew(model, Source.of((SLEPT,) * 40), steps=3)
    changed = {name for name, values in model.state_dict().items() if not torch.equal(values, before[name])}
    assert changed == {"kinds.weight", "kinds.bias"}

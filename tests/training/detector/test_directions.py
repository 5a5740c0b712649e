"""Principal directions of the detector's vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from naturalness.models import detector
from naturalness.models.detector import DIRECTIONS_FILE
from tests.support.drafts import sentence
from tests.support.tiny_detector import WIDTH, write_tiny
from training.detector import directions
from training.detector.directions import principal, write_directions
from training.detector.mixture import Source


def test_the_mean_precedes_the_directions() -> None:
    """The mean is followed by the directions in order of variance, scaled by the largest deviation."""
    vectors = np.array([[1, 2, 5], [-1, 2, 5], [1, -2, 5], [-1, -2, 5]], dtype=np.float32)
    deviation = vectors[:, 1].std(ddof=1)
    assert principal(vectors, 2) == pytest.approx(np.array([[0, 0, 5], [0, 1 / deviation, 0], [1 / deviation, 0, 0]]))


SHORT = [
    sentence("a/DT/det/1 b/NN/nsubj/2 c/VBZ/root/2 d/NN/obj/2"),
    sentence("b/NN/nsubj/1 c/VBZ/root/1 e/RB/advmod/1"),
]


def test_directions_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directions in the file are orthogonal and of equal length, and repeated writing gives the same bytes."""
    monkeypatch.setattr(directions, "PAIRS", 40)
    monkeypatch.setattr(directions, "TOGETHER", 20)
    for module in (directions, detector):
        monkeypatch.setattr(module, "DIRECTIONS", WIDTH)
    folder = write_tiny(tmp_path)
    (folder / DIRECTIONS_FILE).unlink()
    write_directions(folder, Source.of(SHORT))
    written = (folder / DIRECTIONS_FILE).read_bytes()
    table = np.load(folder / DIRECTIONS_FILE).astype(float)
    for rows in table[:, 1:]:
        assert rows @ rows.T == pytest.approx(rows[0] @ rows[0] * np.eye(WIDTH), rel=1e-2, abs=1e-2 * rows[0] @ rows[0])
    write_directions(folder, Source.of(SHORT))
    assert (folder / DIRECTIONS_FILE).read_bytes() == written

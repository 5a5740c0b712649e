"""The mender's head in torch, with weights drawn by seed, and the file that is written of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.mender import NETWORK  # noqa: E402
from naturalness.models.networks import CPU, Session  # noqa: E402
from training.mender.network import BLOCK, LARGEST, READ, Head, Linear, write  # noqa: E402

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


def test_rounded_weights_by_hand() -> None:
    """A block has fifteen steps, the largest weight seven of them; gradients pass as if nothing were rounded."""
    layer = Linear(2 * BLOCK, 1, bias=False)
    layer.rounds = True
    weights = torch.zeros(1, 2 * BLOCK)
    weights[0, :3] = torch.tensor([0.7, 0.24, -0.26])
    weights[0, BLOCK] = 0.07
    layer.weight.data = weights
    expected = torch.zeros(2 * BLOCK)
    expected[:3], expected[BLOCK] = torch.tensor([0.7, 0.2, -0.3]), 0.07
    made = layer(torch.eye(2 * BLOCK)).squeeze()
    torch.testing.assert_close(made, expected)
    assert (made[:BLOCK] / (0.7 / LARGEST)).abs().max().item() == pytest.approx(LARGEST)
    made.sum().backward()
    torch.testing.assert_close(layer.weight.grad, torch.ones(1, 2 * BLOCK))


def test_rounding_can_be_switched_off() -> None:
    """Then the weights count as they are."""
    torch.manual_seed(1)
    head, values = Head(len(TAGS)).eval(), vectors(1, 4)
    exact = said(head, values)
    assert not np.allclose(said(head.round(), values), exact)
    assert np.array_equal(said(head.round(False), values), exact)


def test_the_file_computes_what_the_head_does(head: Head, tmp_path: Path) -> None:
    """The logits of every piece agree to 0.1, for one text and for several, which do not change each other."""
    write(head, tmp_path, TAGS)
    session = Session(tmp_path / NETWORK, CPU)
    for texts, pieces in ((1, 1), (1, 9), (3, 24)):
        values = vectors(texts, pieces)
        (logits,) = session.run(["tags"], {"vectors": values})
        assert logits.shape == (texts, pieces, len(TAGS))
        assert np.abs(logits - said(head, values)).max() < 0.1
        (alone,) = session.run(["tags"], {"vectors": values[-1:]})
        assert np.array_equal(alone[0], logits[-1])


def test_the_same_weights_are_the_same_bytes(head: Head, tmp_path: Path) -> None:
    """A rebuilt file can be compared."""
    for name in ("a", "b"):
        write(head, tmp_path / name, TAGS)
    assert (tmp_path / "a" / NETWORK).read_bytes() == (tmp_path / "b" / NETWORK).read_bytes()

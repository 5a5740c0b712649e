"""Training of readers and of their heads."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.pieces import Pieces  # noqa: E402
from tests.support.drafts import sentence  # noqa: E402
from tests.support.small_body import VOCABULARY  # noqa: E402
from training import loop  # noqa: E402
from training.default_model.sets import RatedSet  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.network import Body, Shape  # noqa: E402
from training.reader import learning  # noqa: E402
from training.reader.learning import Reader, Run, learn, rate_all  # noqa: E402
from training.reader.rated import Rated, Set, read_texts  # noqa: E402

WORDS = ("the", "old", "man", "slept", "loudly")


@pytest.fixture
def data() -> Rated:
    """Return two families of rated texts, and pairs from post-editing."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, rng.integers(2, 9))) for _ in range(40)]

    def rated(family: str, rows: np.ndarray) -> Set:
        return Set(RatedSet("", family), rows, rng.normal(size=len(rows)), np.ones(len(rows), bool))

    sets = {"GUG": rated("a", np.arange(20)), "CoLA": rated("b", np.arange(18, 40))}
    return Rated(texts, sets, [("the old man slept .", "man slept the")])


@pytest.fixture
def reader() -> Reader:
    """Return a small reader whose piece table is not trained."""
    torch.manual_seed(1)
    body = Body(VOCABULARY, Shape(2, 24 * 16, 32))
    body.pieces.weight.requires_grad_(False)
    return Reader(body)


def test_a_reader_learns(data: Rated, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers and heads change while the piece table does not, and a text gets the same rating in any batch."""
    monkeypatch.setattr(learning, "TOGETHER", 16)
    before = {name: x.clone() for name, x in reader.state_dict().items()}
    source = Source.of([sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3")] * 40)
    lines: list[str] = []
    monkeypatch.setattr(loop, "report", lines.append)
    learn(reader, data, source, Run(4, pieces=200), without={"a"})
    assert "rated" in lines[0] and "damage" in lines[0]
    after = reader.state_dict()
    for name in ("body.layers.0.wide.weight", "body.kinds.weight", "body.sound.weight", "p.weight", "r.weight"):
        assert (after[name] - before[name]).abs().max() > 0
    assert torch.equal(after["body.pieces.weight"], before["body.pieces.weight"])
    ratings = rate_all(reader, data.texts)
    (ids,) = read_texts(data.texts[7:8], Pieces(VOCABULARY))
    assert ratings.shape == (40,)
    assert ratings[7] == pytest.approx(float(reader([torch.tensor(ids)]).detach()), abs=0.02)


def test_a_head_learns_from_vectors(data: Rated) -> None:
    """A head correlates with its target, and its exported weights include the standardisation."""
    from training.reader.heads import learn as learn_head

    vectors = torch.from_numpy((np.random.default_rng(0).normal(size=(40, 12)) * 3 + 1).astype(np.float32))
    head = learn_head(vectors, data, vectors[:, 0].numpy(), without=(), steps=60)
    rating = head(vectors).detach().numpy()
    assert np.corrcoef(rating, vectors[:, 0])[0, 1] > 0.3
    w = {name: torch.from_numpy(values) for name, values in head.weights(float(rating.mean()), 2.0).items()}
    again = torch.relu(vectors @ w["p.weight"].t() + w["p.bias"]) @ w["r.weight"].t() + w["r.bias"]
    torch.testing.assert_close(again.squeeze(-1), torch.from_numpy((rating - rating.mean()) / 2), atol=1e-3, rtol=1e-2)

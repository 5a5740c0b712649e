"""Training of readers and of their heads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

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
from training.reader.learning import Reader, Run, learn, rows_of  # noqa: E402
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
    rows = rows_of(reader, data, Path())
    learn(reader, data, rows, source, Run(4, pieces=200, damage_pieces=200), without={"a"})
    assert "rated" in lines[0] and "damage" in lines[0]
    after = reader.state_dict()
    for name in ("body.layers.0.wide.weight", "body.kinds.weight", "body.sound.weight", "p.weight", "r.weight"):
        assert (after[name] - before[name]).abs().max() > 0
    assert torch.equal(after["body.pieces.weight"], before["body.pieces.weight"])
    ratings = reader(rows[: len(data.texts)]).detach()
    (ids,) = read_texts(data.texts[7:8], Pieces(VOCABULARY))
    assert ratings.shape == (40,)
    assert float(ratings[7]) == pytest.approx(float(reader([torch.tensor(ids)]).detach()), abs=0.02)


def test_fixed_layers_do_not_learn(data: Rated, reader: Reader, tmp_path: Path) -> None:
    """The lower layer stays, the upper one learns from its stored vectors; ratings from pieces are nearly the same."""
    fixed = Reader(reader.body, 1)
    before = {name: x.clone() for name, x in fixed.state_dict().items()}
    source = Source.of([sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3")] * 40)
    store = tmp_path / "after.npy"
    stored = rows_of(fixed, data, store)
    learn(fixed, data, stored, source, Run(3, pieces=60, damage_pieces=60))
    after = fixed.state_dict()
    assert torch.equal(after["body.layers.0.wide.weight"], before["body.layers.0.wide.weight"])
    assert not torch.equal(after["body.layers.1.wide.weight"], before["body.layers.1.wide.weight"])
    rows = [torch.tensor(ids) for ids in read_texts(data.texts[:5], Pieces(VOCABULARY))]
    torch.testing.assert_close(fixed(stored[:5]), fixed(rows), atol=0.03, rtol=0.05)
    assert np.load(store).shape[1] == 24 * 16


def test_a_linear_head_learns_from_vectors() -> None:
    """The head ranks new texts as its sets do, whatever their level; its two layers give deviations of its ratings."""
    from training.reader.heads import as_head, equations, learned

    vectors = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    share = (np.argsort(np.argsort(vectors[:, 0])) + 0.5) / 60
    centre = np.arange(60) % 2
    vectors[centre == 1, 0] += 50
    odds = np.log(share / (1 - share))
    parts = [
        equations(vectors[:20], odds[:20], centre[:20], 2.0),
        equations(vectors[20:40], odds[20:40], centre[20:40], 1.0),
    ]
    weight = learned(parts, penalty=0.3)
    rating = vectors @ weight
    for which in (0, 1):
        new = np.flatnonzero((centre == which) & (np.arange(60) >= 40))
        assert np.corrcoef(rating[new], vectors[new, 0])[0, 1] > 0.95
    head = as_head(weight, 3.0, 0.5, 2.0)
    hidden = np.maximum(vectors @ head["p.weight"].T + head["p.bias"], 0)
    again = hidden @ head["r.weight"].T + head["r.bias"]
    np.testing.assert_allclose(again[:, 0], (rating + 3 - 0.5) / 2, rtol=1e-4, atol=1e-4)


def test_families_teach_by_what_is_left_of_them(data: Rated) -> None:
    """Texts of hidden families, and those that are not taught, teach no head."""
    from training.reader.heads import of_sets

    vectors = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    (found,) = of_sets(vectors, data, {"a"})
    assert found.weight == pytest.approx(20**0.25)
    assert not list(of_sets(vectors, data, {"c"}))
    hidden = replace(data.sets["CoLA"], about=RatedSet("", "gug"))
    (fewer,) = of_sets(vectors, replace(data, sets={**data.sets, "CoLA": hidden}), {"a", "gug"})
    assert fewer.weight == pytest.approx(18**0.25)

"""Training readers: steps follow their plans, losses say what they should, heads learn what a body makes of texts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.pieces import SPECIAL  # noqa: E402
from naturalness.statistics.correlation import ranks  # noqa: E402
from training.default_model.sets import SETS  # noqa: E402
from training.detector.batches import IGNORED  # noqa: E402
from training.detector.network import Body, Shape  # noqa: E402
from training.reader.answers import of_keys, read_answers  # noqa: E402
from training.reader.batches import (  # noqa: E402
    ABOUT,
    DAMAGE,
    TEXTS,
    Damage,
    Plan,
    Rated,
    RatedBatches,
    Rows,
    Set,
    damage_batches,
    read_damage,
    read_rated,
)
from training.reader.learning import Learner, Run, learn, ranking_loss, rate_all  # noqa: E402
from training.reader.network import Reader, averaged  # noqa: E402
from training.reader.sets import FOLDS  # noqa: E402

CPU = torch.device("cpu")
VOCABULARY = [*SPECIAL, *(str(i) for i in range(30))]


def columns_of(n: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return columns of rows of random pieces."""
    lengths = rng.integers(4, 20, n)
    total = int(lengths.sum())
    return {
        "ids": rng.integers(1, 30, total).astype(np.uint16),
        "targets": rng.choice([0, 0, 0, 1, 2, 255], total).astype(np.uint8),
        "offsets": np.cumsum([0, *lengths]).astype(np.uint32),
    }


@pytest.fixture
def damage() -> Damage:
    """Return forty pairs."""
    soundness = torch.tensor(np.tile([1.0, 0.4], 40), dtype=torch.float32)
    return Damage(Rows.of(columns_of(80, np.random.default_rng(0)), 0, CPU), soundness)


@pytest.fixture
def data() -> Rated:
    """Return two families of rated texts, and pairs by post-editing."""
    rng = np.random.default_rng(0)

    def rated(name: str, family: str, rows: np.ndarray) -> Set:
        ratings = rng.normal(size=len(rows))
        places = ((ranks(ratings) - 0.5) / len(rows)).astype(np.float32)
        return Set(name, family, False, 1.0, rows, ratings, places, np.ones(len(rows), bool))

    sets = [rated("one", "a", np.arange(20)), rated("two", "b", np.arange(18, 40))]
    edits = np.stack([np.arange(40, 50), np.arange(50, 60)], 1)
    texts = Rows.of(columns_of(60, rng), 0, CPU)
    return Rated(texts, sets, edits, np.arange(60, dtype=np.uint64), [["a"], ["b"]])


def new_reader() -> Reader:
    """Return a small reader; its tables stay as they are."""
    torch.manual_seed(1)
    body = Body(VOCABULARY, Shape(2, 24 * 16, 32))
    body.pieces.weight.requires_grad_(False)
    return Reader(body)


def test_every_family_that_teaches_is_in_one_fold() -> None:
    """No text lacks a reader that never saw its family."""
    families = [family for fold in FOLDS for family in fold]
    assert len(families) == len(set(families))
    assert {rated.family for rated in SETS.values() if rated.share} == set(families)


def test_files_give_back_what_was_prepared(tmp_path: Path) -> None:
    """Rows, sets with their places, and pairs."""
    rng = np.random.default_rng(0)
    one = {"family": "a", "licensed": True, "share": 1.0}
    about = {"padding": 0, "sets": {"one": one}, "folds": [["a"]]}
    (tmp_path / ABOUT).write_text(json.dumps(about))
    texts = columns_of(4, rng)
    known = {"rows|one": np.arange(3), "ratings|one": np.array([3.0, 1.0, 2.0]), "taught|one": np.ones(3, bool)}
    np.savez(tmp_path / TEXTS, **texts, **known, edits=np.array([[0, 3]]), keys=np.arange(4, dtype=np.uint64))
    np.savez(tmp_path / DAMAGE, **columns_of(6, rng), soundness=np.tile([1.0, 0.5], 3))
    rated, pairs = read_rated(tmp_path, CPU), read_damage(tmp_path, CPU)
    (there,) = rated.sets
    assert (there.name, there.family, there.licensed) == ("one", "a", True)
    np.testing.assert_allclose(there.places, [5 / 6, 1 / 6, 1 / 2], rtol=1e-6)
    assert rated.n == 3 and rated.folds == [["a"]]
    assert pairs.soundness.tolist() == [1.0, 0.5] * 3
    ids, mask, _ = rated.texts.batch(torch.tensor([2]), 24)
    start, stop = texts["offsets"][2:4]
    assert ids[0][mask[0]].tolist() == texts["ids"][start:stop].tolist()


def test_each_pair_comes_once_and_fits(damage: Damage) -> None:
    """Better ones first, then the worse in the same order; no batch is larger than asked for."""
    batches = damage_batches(damage, np.random.default_rng(0), 200)
    seen: list[int] = []
    while len(seen) < 40:
        batch = next(batches)
        better, worse = np.split(batch.rows, 2)
        np.testing.assert_array_equal(better + 1, worse)
        assert len(batch.rows) * batch.longest <= 200
        seen += (better // 2).tolist()
    assert sorted(seen) == list(range(40))


def test_a_family_that_leaves_teaches_nothing(data: Rated) -> None:
    """Neither its sets nor its texts in other sets."""
    rated = RatedBatches(data, np.random.default_rng(0), 400, without={"a"})
    hidden = set(data.sets[0].rows.tolist())
    for _ in range(30):
        batch = rated.next()
        parts = batch.parts or [(slice(0, len(batch.rows)), batch.longest)]
        assert sum((part.stop - part.start) * longest for part, longest in parts) <= 1.5 * 400
        if batch.kind == "rated":
            assert batch.set == 1
            assert sum(part.stop - part.start for part, _ in parts) == len(batch.rows) == len(batch.places)
            assert all((data.texts.n_pieces[batch.rows[part]] <= longest).all() for part, longest in parts)
            assert not hidden & set(batch.rows.tolist())


def test_rows_are_padded_and_masked(data: Rated) -> None:
    """Beyond its end a row has the empty piece and no target."""
    ids, mask, targets = data.texts.batch(torch.tensor([3]), 24)
    n = int(data.texts.n_pieces[3])
    assert mask[0].sum() == n
    assert (ids[0, n:] == 0).all() and (targets[0, n:] == IGNORED).all()
    start = int(data.texts.offsets[3])
    torch.testing.assert_close(ids[0, :n], data.texts.ids[start : start + n].long())


def test_the_right_order_costs_least() -> None:
    """The loss of pairs falls when the better text has the higher number."""
    places = torch.tensor([0.1, 0.5, 0.9])
    right, wrong = torch.tensor([-1.0, 0.0, 1.0]), torch.tensor([1.0, 0.0, -1.0])
    assert ranking_loss(right, places) < ranking_loss(torch.zeros(3), places) < ranking_loss(wrong, places)


def test_plans_are_equal_for_equal_seeds(data: Rated, damage: Damage) -> None:
    """The same batches in the same order."""
    run = Run(3, pieces=200, seed=4)
    plans: list[Plan] = [Learner(new_reader(), run, data, damage, half=False).plan(()) for _ in range(2)]
    torch.testing.assert_close(*(plan.rows for plan in plans))


def test_a_reader_learns(data: Rated, damage: Damage) -> None:
    """Losses stay finite, the table of pieces stays as it is, the layers and the heads do not; every text is rated."""
    reader = new_reader()
    before = {name: x.clone() for name, x in reader.state_dict().items()}
    lines: list[str] = []
    learn(Learner(reader, Run(4, pieces=200), data, damage, half=False), lines.append, without={"a"})
    after = reader.state_dict()
    assert "rated" in lines[0] and "damage" in lines[0]
    for name in ("body.layers.0.wide.weight", "body.kinds.weight", "body.sound.weight", "p.weight", "r.weight"):
        assert (after[name] - before[name]).abs().max() > 0
    assert torch.equal(after["body.pieces.weight"], before["body.pieces.weight"])
    ratings = rate_all(reader, data, half=False)
    ids, mask, _ = data.texts.batch(torch.tensor([7]), int(data.texts.n_pieces[7]))
    assert ratings.shape == (40,)
    assert ratings[7] == pytest.approx(float(reader(ids, mask)), abs=1e-4)


def test_the_mean_of_readers_is_that_of_their_weights() -> None:
    """Name by name."""
    one, two = new_reader().state_dict(), new_reader().state_dict()
    two["r.bias"] = one["r.bias"] + 2
    torch.testing.assert_close(averaged([one, two])["r.bias"], one["r.bias"] + 1)


def test_answers_are_found_by_key(tmp_path: Path) -> None:
    """In any order of keys; a text that nobody has read is an error."""
    answers = {"keys": np.array([7, 3, 9], np.uint64), "six": np.array([0.1, 0.2, 0.3], np.float16)}
    np.savez(tmp_path / "answers.npz", **answers)
    there = of_keys(read_answers(tmp_path), np.array([9, 7], np.uint64))
    assert there["six"].tolist() == answers["six"][[2, 0]].tolist()
    with pytest.raises(KeyError, match="1 texts"):
        of_keys(answers, np.array([5], np.uint64))


def test_a_head_learns_what_a_body_makes_of_texts(data: Rated) -> None:
    """Standardised inputs are part of its weights, and its ratings are in deviations."""
    from training.reader.heads import Texts, ratings_of
    from training.reader.heads import learn as learn_head

    rows = np.unique(np.concatenate([one.rows for one in data.sets]))
    vectors = (np.random.default_rng(0).normal(size=(len(rows), 12)) * 3 + 1).astype(np.float16)
    texts = Texts(rows, vectors)
    teacher = vectors[:, 0].astype(np.float32)
    head = learn_head(texts, data, teacher, without=set(), steps=60)
    rating = ratings_of(head, texts)[rows]
    assert np.corrcoef(rating, teacher)[0, 1] > 0.3
    weights = head.weights(texts, float(rating.mean()), 2.0)
    w = {name: torch.from_numpy(values) for name, values in weights.items()}
    x = torch.from_numpy(vectors.astype(np.float32))
    again = torch.relu(x @ w["p.weight"].t() + w["p.bias"]) @ w["r.weight"].t() + w["r.bias"]
    torch.testing.assert_close(again.squeeze(-1), torch.from_numpy((rating - rating.mean()) / 2), atol=1e-3, rtol=1e-2)


def test_texts_are_summed_up_layer_by_layer(tmp_path: Path) -> None:
    """The first vector, the mean and the maximum of the last layers, the last one last."""
    pytest.importorskip("onnx")
    from naturalness.models.detector import open_network
    from tests.support.tiny_detector import VOCABULARY, WIDTH, weights, write_tiny
    from training.reader.heads import reading_layers

    network, texts = open_network(write_tiny(tmp_path)), [[(VOCABULARY.index(letter),) for letter in "acat"]]
    two, one = (reading_layers(network, weights(), VOCABULARY, layers=n) for n in (2, 1))
    ((_, (both,)),) = two.every_piece(("summary",), texts)
    ((_, (last,)),) = one.every_piece(("summary",), texts)
    ((_, (states,)),) = network.every_piece(("states",), texts)
    assert both.shape == (6 * WIDTH,)
    np.testing.assert_array_equal(both[3 * WIDTH :], last)
    np.testing.assert_allclose(last, np.concatenate([states[0], states.mean(0), states.max(0)]), rtol=1e-5)

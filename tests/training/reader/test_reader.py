"""Training readers: files give back what was written, steps follow their plans, and losses say what they should."""

from __future__ import annotations

from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.detector import KINDS as DETECTED  # noqa: E402
from training.default_model.sets import SETS  # noqa: E402
from training.reader import learning, packed  # noqa: E402
from training.reader.batches import (  # noqa: E402
    IGNORED,
    Damage,
    Data,
    Plan,
    RatedBatches,
    Rows,
    Set,
    damage_batches,
    ranks,
)
from training.reader.evaluate import of_keys, read_answers  # noqa: E402
from training.reader.learn import Recipe, Session  # noqa: E402
from training.reader.learning import Learner, Run, learn, learn_words, ranking_loss, steps_of  # noqa: E402
from training.reader.network import Linear, Reader, Shape, arrays_of, attend, new_reader, whole  # noqa: E402
from training.reader.sets import FOLDS  # noqa: E402

CPU = torch.device("cpu")
KINDS = 3
TINY = Shape(2, 24 * 16, 32)
"""Twelve heads, and blocks of 128 numbers."""


def rows_of(n: int, rng: np.random.Generator) -> Rows:
    """Return rows of random pieces."""
    lengths = rng.integers(4, 20, n)
    total = int(lengths.sum())
    arrays = {
        "ids": rng.integers(1, 30, total).astype(np.uint16),
        "targets": rng.choice([0, 0, 0, 1, 2, 255], total).astype(np.uint8),
        "offsets": np.cumsum([0, *lengths]).astype(np.uint32),
    }
    return Rows.of(arrays, 0, CPU)


@pytest.fixture
def data() -> Data:
    """Return small damage, two families of rated texts, and pairs by post-editing."""
    rng = np.random.default_rng(0)
    soundness = torch.tensor(np.tile([1.0, 0.4], 40), dtype=torch.float32)
    damage = Damage(rows_of(80, rng), soundness, range(30), range(30, 35), range(35, 40))

    def rated(name: str, family: str, rows: np.ndarray) -> Set:
        ratings = rng.normal(size=len(rows))
        places = ((ranks(ratings) - 0.5) / len(rows)).astype(np.float32)
        return Set(name, family, False, 1.0, rows, ratings, places, np.ones(len(rows), bool))

    sets = [rated("one", "a", np.arange(20)), rated("two", "b", np.arange(18, 40))]
    edits = np.stack([np.arange(40, 50), np.arange(50, 60)], 1)
    return Data(damage, rows_of(60, rng), sets, edits, np.arange(60, dtype=np.uint64), [["a"], ["b"]], ["x"] * KINDS)


def state_of(shape: Shape = TINY, kinds: int = KINDS) -> dict[str, np.ndarray]:
    """Return the weights of a new reader, as a training begins with them."""
    torch.manual_seed(1)
    return {
        name: packed.rounded(x) if packed.is_product(name) else x
        for name, x in arrays_of(Reader(30, 24, shape, kinds)).items()
        if not name.endswith(".step")
    }


def test_every_family_that_teaches_is_in_one_fold() -> None:
    """No text lacks a reader that never saw its family."""
    families = [family for fold in FOLDS for family in fold]
    assert len(families) == len(set(families))
    assert {rated.family for rated in SETS.values() if rated.share} == set(families)


def test_files_give_back_the_arrays(tmp_path: Path) -> None:
    """What is written is read, of any type."""
    arrays = {
        "ids": np.arange(300, dtype=np.uint16),
        "flags": np.array([True, False]),
        "x": np.ones((2, 3), np.float32),
    }
    packed.write(tmp_path / "a.npz.xz", arrays, packed.REPEATS)
    there = packed.read(tmp_path / "a.npz.xz")
    assert set(there) == set(arrays)
    for name, values in arrays.items():
        assert there[name].dtype == values.dtype
        np.testing.assert_array_equal(there[name], values)


@pytest.mark.parametrize("in_whole_numbers", [False, True])
def test_a_stored_reader_says_what_it_said(tmp_path: Path, data: Data, *, in_whole_numbers: bool) -> None:
    """Differences in whole numbers are near, weights in whole numbers exact."""
    start = state_of()
    reader = new_reader(start, KINDS, TINY)
    with torch.no_grad():
        for module in reader.modules():
            if isinstance(module, Linear):
                module.weight.add_(0.01 * torch.randn_like(module.weight))
    if in_whole_numbers:
        reader.compute_in_whole_numbers()
    stored = packed.compact(arrays_of(reader), None if in_whole_numbers else start)
    packed.write_parts(tmp_path, "reader", stored, 2)
    paths = packed.parts_of(tmp_path, "reader")
    assert len(paths) == 2
    state = packed.restored(packed.read_all(paths), start)
    state[packed.TABLE] = arrays_of(reader)[packed.TABLE]
    again = new_reader(state, KINDS, TINY)
    for module in again.modules():
        if isinstance(module, Linear):
            module.in_whole_numbers = in_whole_numbers
    ids, mask, _ = data.texts.batch(torch.arange(12), 24)
    with torch.no_grad():
        before, after = reader(ids, mask).rating.numpy(), again(ids, mask).rating.numpy()
    assert np.corrcoef(before, after)[0, 1] > 0.999


def test_whole_numbers_are_what_the_product_reads() -> None:
    """Weights are -7..7 times a step, inputs -127..127 times the scale of their row; gradients pass."""
    torch.manual_seed(0)
    layer = Linear(16, 8)
    layer.step.copy_(layer.weight.detach().abs().amax(1, keepdim=True) / 7)
    layer.in_whole_numbers = True
    x = torch.randn(3, 5, 16, requires_grad=True)
    scale = x.detach().abs().amax(-1, keepdim=True) / 127
    weight = whole(layer.weight.detach(), layer.step) * layer.step
    expected = ((x.detach() / scale).round() * scale) @ weight.t() + layer.bias
    torch.testing.assert_close(layer(x), expected)
    layer(x).sum().backward()
    torch.testing.assert_close(x.grad, weight.sum(0).expand(3, 5, 16))
    assert layer.weight.grad is not None and layer.weight.grad.abs().sum() > 0


def test_plain_attention_is_the_same() -> None:
    """Where the fused kernel fails, products and a softmax take its place."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 12, 8, 4) for _ in range(3))
    bias = torch.randn(2, 12, 8, 8)
    torch.testing.assert_close(attend(q, k, v, bias, plain=True), attend(q, k, v, bias, plain=False))


def test_each_pair_comes_once_and_fits(data: Data) -> None:
    """Better ones first, then the worse in the same order; no batch is larger than asked for."""
    batches = damage_batches(data.damage, data.damage.mixture, np.random.default_rng(0), 200)
    seen: list[int] = []
    while len(seen) < len(data.damage.mixture):
        batch = next(batches)
        better, worse = np.split(batch.rows, 2)
        np.testing.assert_array_equal(better + 1, worse)
        assert len(batch.rows) * batch.longest <= 200
        seen += (better // 2).tolist()
    assert sorted(seen) == list(data.damage.mixture)


def test_a_family_that_leaves_teaches_nothing(data: Data) -> None:
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


def test_rows_are_padded_and_masked(data: Data) -> None:
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


def test_rates_rise_stay_and_fall() -> None:
    """A tenth, a fifth, the rest."""
    run = Run(100)
    rates = [run.rate_at(step) for step in range(100)]
    assert rates[0] == pytest.approx(0.1) and max(rates) == 1.0 == rates[25]
    assert rates[-1] < 0.02 and all(a >= b for a, b in pairwise(rates[30:]))


def test_plans_are_equal_for_equal_seeds(data: Data) -> None:
    """The same batches in the same order."""
    run = Run(3, pieces=200, seed=4)
    plans = [Plan.of(steps_of(run, data, without=set()), CPU).rows for _ in range(2)]
    torch.testing.assert_close(*plans)


@pytest.mark.parametrize("taught", [False, True])
def test_a_reader_learns(data: Data, *, taught: bool) -> None:
    """Losses stay finite, the table of pieces stays as it is, the layers and the heads do not."""
    reader = new_reader(state_of(), KINDS, TINY)
    teacher = new_reader(state_of(Shape(1, 24 * 32, 32)), KINDS, Shape(1, 24 * 32, 32)) if taught else None
    before = arrays_of(reader)
    lines: list[str] = []
    learn(Learner(reader, Run(4, pieces=200, whole_from=0.5), data, teacher, half=False), lines.append, without={"a"})
    learn_words(reader, data, lines.append, steps=2, pieces=200, batches=1, half=False)
    after = arrays_of(reader)
    assert "rated" in lines[0] and "damage" in lines[0]
    assert reader.body.layers[0].wide.in_whole_numbers
    for name in ("body.layers.0.wide.weight", "body.kinds.weight", "p.weight", "r.weight"):
        assert np.abs(after[name] - before[name]).max() > 0
    assert np.isfinite(after["body.layers.1.narrow.weight"]).all()


def test_a_training_that_meets_its_end_is_kept_from_the_half_on(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in whole numbers even where it did not come so far; with fewer steps it is left out."""

    def stopped_at(seconds: int) -> tuple[Reader, list[str]]:
        clock = count()
        monkeypatch.setattr(learning, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        reader, lines = new_reader(state_of(), KINDS, TINY), list[str]()
        learner = Learner(reader, Run(6, pieces=200, whole_from=0.8), data, half=False)
        assert learn(learner, lines.append, until=seconds) > 0
        return reader, lines

    reader, lines = stopped_at(3)
    assert lines == ["  stopped at step 3 of 6, and kept"]
    assert reader.body.layers[0].wide.in_whole_numbers and reader.body.layers[0].wide.step.all()
    with pytest.raises(TimeoutError, match="step 2 of 6"):
        stopped_at(2)


def test_a_later_run_goes_on_from_stored_weights(tmp_path: Path, data: Data) -> None:
    """Where only the small files were kept."""
    start = state_of()
    start[packed.TABLE] = packed.rounded(start[packed.TABLE])
    files: dict[str, dict[str, np.ndarray]] = {}
    for name, values in start.items():
        layer = f"layer-0{name.split('.')[2]}" if ".layers." in name else "begin"
        files.setdefault(layer, {})[name] = values
    for name, arrays in files.items():
        packed.write(tmp_path / f"{name}.npz.xz", packed.in_seven_bits(arrays), packed.LITERALS)
    reader = new_reader(start, KINDS, TINY)
    with torch.no_grad():
        for module in reader.modules():
            if isinstance(module, Linear):
                module.weight.add_(0.01 * torch.randn_like(module.weight))
    packed.write_parts(tmp_path, "six", packed.compact(arrays_of(reader), start), 2)
    session = Session(tmp_path, tmp_path, CPU, data, Recipe(), float("inf"), print)
    assert session.known("twelve") is None
    state = session.known("six")
    assert state is not None
    new_reader(start, KINDS, TINY).load_state_dict(state)
    for name, values in reader.state_dict().items():
        torch.testing.assert_close(state[name], values, atol=0.01, rtol=0.02)


def test_answers_are_found_by_key(tmp_path: Path) -> None:
    """In any order of keys; a text that nobody has read is an error."""
    answers = {"keys": np.array([7, 3, 9], np.uint64), "six|rating": np.array([0.1, 0.2, 0.3], np.float16)}
    np.savez(tmp_path / "answers.npz", **answers)
    there = of_keys(read_answers(tmp_path), np.array([9, 7], np.uint64))
    assert there["six|rating"].tolist() == answers["six|rating"][[2, 0]].tolist()
    with pytest.raises(KeyError, match="1 texts"):
        of_keys(answers, np.array([5], np.uint64))


def test_the_file_of_a_reader_says_what_it_says(tmp_path: Path, data: Data) -> None:
    """Kinds, soundness and rating, by onnxruntime as by torch."""
    pytest.importorskip("onnx")
    from training.detector.export import write
    from training.detector.imported import weights_of_file
    from training.reader.export import differences, weights_of

    n, vocabulary = len(DETECTED), [str(i) for i in range(30)]
    reader = new_reader(state_of(TINY, n), n, TINY).compute_in_whole_numbers().eval()
    write(weights_of(reader), tmp_path, vocabulary=vocabulary)
    apart = differences(reader, tmp_path, data.texts, range(12))
    assert max(apart[name] for name in ("kinds", "sound", "rating")) < 0.05
    weights, pieces = weights_of_file(tmp_path)
    assert pieces == vocabulary
    before = (tmp_path / "detector.onnx").read_bytes()
    write(weights, tmp_path, vocabulary=pieces)
    assert (tmp_path / "detector.onnx").read_bytes() == before


def test_a_head_learns_what_a_body_makes_of_texts(data: Data) -> None:
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

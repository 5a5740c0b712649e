"""A reader becomes the body of a detector, and its columns are those of the detector's features."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from naturalness.models.detector import Detector, open_network  # noqa: E402
from naturalness.models.pieces import Pieces  # noqa: E402
from tests.support.drafts import sentence  # noqa: E402
from tests.support.small_body import VOCABULARY  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.naming import name_anew  # noqa: E402
from training.detector.network import Body, Shape  # noqa: E402
from training.detector.quantisation import quantise  # noqa: E402
from training.reader import __main__ as command  # noqa: E402
from training.reader import columns  # noqa: E402
from training.reader.bodies import average, export, scale_of, standardise  # noqa: E402
from training.reader.learning import Reader  # noqa: E402
from training.reader.rated import Rated  # noqa: E402

TEXTS = ["The old man slept.", "Man slept the the old.", "", "Old man. The man slept."]


def small_reader(seed: int) -> Reader:
    """Return a reader of a small body with weights drawn by seed."""
    torch.manual_seed(seed)
    body = Body(VOCABULARY, Shape(2, 384, 32))
    body.pieces.weight.requires_grad_(False)
    return Reader(body)


@pytest.fixture
def source() -> Source:
    """Return sentences to damage."""
    return Source.of([sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3")] * 40)


def test_the_body_is_the_mean_of_detector_and_reader(tmp_path: Path, source: Source) -> None:
    """It has the detector's heads, or those of a third; the file has the reader's rating head."""
    detector, reader, third = small_reader(0).body, small_reader(1), small_reader(2).body
    mean = average(reader, detector)
    weights, name = mean.body.state_dict(), "layers.1.wide.weight"
    expected = (detector.state_dict()[name] + reader.body.state_dict()[name]) / 2
    torch.testing.assert_close(weights[name], expected)
    assert torch.equal(weights["sound.weight"], detector.sound.weight)
    assert torch.equal(average(reader, detector, third).body.sound.weight, third.sound.weight)
    name_anew(quantise(mean.body, source, 2), source, steps=2)
    assert not torch.equal(mean.body.kinds.weight, detector.kinds.weight)
    export(mean, tmp_path / "mean")
    ((_, (rating, states)),) = open_network(tmp_path / "mean").every_piece(("rating", "states"), [[[4, 5, 6]]])
    summary = np.concatenate([states[0], states.mean(0), states.max(0)])
    head = {name: x.detach().numpy() for name, x in reader.state_dict().items() if name.startswith(("p.", "r."))}
    hidden = np.maximum(head["p.weight"] @ summary + head["p.bias"], 0)
    assert float(np.ravel(rating)[0]) == pytest.approx(float((head["r.weight"] @ hidden + head["r.bias"])[0]), abs=0.05)


def test_columns_are_those_of_the_detector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In torch, a reader gives the columns that its file gives; a text without words has none."""
    reader = small_reader(2).eval()
    reader.body.round()
    export(reader, tmp_path / "file")
    table = np.random.default_rng(0).normal(size=(2, 33, 384)).astype(np.float32) / 20
    np.save(tmp_path / "file" / "directions.npy", table)
    network = open_network(tmp_path / "file")
    monkeypatch.setattr(columns, "detector", lambda: Detector("small", network))
    in_torch = columns.measure_columns(TEXTS, columns.detector_of(reader, "torch"))
    in_file = columns.measure_columns(TEXTS, Detector("file", network))
    assert np.isnan(in_file[2]).all() and np.isnan(in_torch[2]).all()
    np.testing.assert_allclose(in_torch[[0, 1, 3]], in_file[[0, 1, 3]], atol=0.06)


def test_ratings_are_standardised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Over the texts that are given, the mean is 0 and the standard deviation is 1."""
    reader = small_reader(2).eval()
    reader.body.round()
    export(reader, tmp_path / "file")
    network = open_network(tmp_path / "file")
    monkeypatch.setattr(columns, "detector", lambda: Detector("small", network))
    standardise(reader, *scale_of(columns.detector_of(reader, "as trained"), TEXTS))
    assert scale_of(columns.detector_of(reader, "scaled"), TEXTS) == pytest.approx((0.0, 1.0), abs=0.01)


def test_finished_readers_are_kept(tmp_path: Path, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time left no training begins; a later run trains what is missing, and nothing twice."""
    trained: list[int] = []
    arguments = ["reader", "RATINGS", "CORPORA", "MPNET", "--work", str(tmp_path)]
    monkeypatch.setattr("sys.argv", [*arguments, "--seconds", "0"])
    monkeypatch.setattr(
        command, "read_rated", lambda ratings: Rated(["the old man"], {}, [("the old man", "man the old")])
    )
    monkeypatch.setattr(command, "source_of", lambda *a: source)
    monkeypatch.setattr(command, "pretrained", lambda mpnet, vocabulary: small_reader(0).body)
    network = SimpleNamespace(pieces=Pieces(VOCABULARY))
    monkeypatch.setattr(command, "detector", lambda: Detector("small", network))
    monkeypatch.setattr(command, "learn", lambda reader, *a, **named: trained.append(reader.fixed))
    (tmp_path / "six.npz").touch()
    with pytest.raises(SystemExit, match="no time is left for six-fold-0"):
        command.main()
    monkeypatch.setattr("sys.argv", [*arguments, "--fixed", "1"])
    command.main()
    names = {"six", *(f"six-fold-{k}" for k in range(5))}
    assert {path.stem for path in tmp_path.glob("*.npz")} == names
    assert trained == [1] * 5
    with np.load(tmp_path / "six-fold-3.npz") as stored:
        assert "body.layers.1.wide.weight" in stored.files and "body.layers.0.wide.step" not in stored.files


def test_columns_of_a_fold_have_the_shipped_level() -> None:
    """Means of 2 and 5 become the shipped 15 and 6."""
    own, shipped = np.array([[1, 5], [3, 5]], np.float32), np.array([[10, 6], [20, 6]], np.float32)
    of_fold = np.array([[2, 5], [5, 7], [np.nan, 5]], np.float32)
    np.testing.assert_allclose(columns.levelled(of_fold, own, shipped), [[15, 6], [18, 8], [np.nan, 6]])

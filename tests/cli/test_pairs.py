"""`train` and `evaluate` on tables of pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Captured, Cli, run_line
from tests.support.pairs import PAIRS, write_pairs

QUICK = ["--features", "surface,repetition,word_lm", "--repeats", "3", "--jobs", "1"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table of pairs and a model trained on it."""
    home = tmp_path_factory.mktemp("pairs")
    table = write_pairs(home / "pairs.csv")
    assert run_line("train", table, "-o", home / "model", *QUICK) == 0
    other = (
        ("order", "The nurse read a long letter.", "The nurse a long read letter."),
        ("order", "Two men carried the piano.", "Two carried the men piano."),
        ("repetition", "He sat by the fire.", "He sat sat by by the fire."),
        PAIRS[0],
    )
    write_pairs(home / "other.csv", other)
    return home


def test_training_reports_the_share_of_pairs(home: Path, cli: Cli) -> None:
    """`train` reports the share of correctly ordered pairs beside baselines, and records it in the figures."""
    folder = home / "again"
    out = cli(0, "train", home / "pairs.csv", "-o", folder, *QUICK).out
    assert "pairs ordered correctly" in out
    assert all(name in out for name in ("length alone", "SLOR"))
    figures = json.loads((folder / "metrics.json").read_text())
    assert figures["data"]["learned"] == "pairs"
    assert figures["data"]["pairs"] == 24
    assert figures["protocol"]["chosen_by"] == "pair_accuracy"
    assert figures["learners"]["auto"]["pair_accuracy"]["mean"] > 0.7


def test_a_model_of_pairs_scores_texts(home: Path, cli: Cli) -> None:
    """A model of pairs is linear: it scores the better text higher, and explains scores."""
    texts = ["The pilot drank a glass of water.", "The pilot pilot drank glass a of of water."]
    model = f"--model {home}/model --format json".split()
    good, bad = json.loads(cli(0, "score", *texts, *model).out)
    assert 0 < bad["naturalness"] < 0.5 < good["naturalness"] < 1
    assert json.loads((home / "model" / "manifest.json").read_text())["units"] == ["linear"]
    assert run_line("explain", texts[1], "--model", home / "model") == 0


def test_evaluate_reports_phenomena(home: Path, cli: Cli) -> None:
    """`evaluate` reports each phenomenon with its interval and count, and leaves out pairs with a training text."""
    arguments = f"evaluate {home}/other.csv --model {home}/model".split()
    report = json.loads(cli(0, [*arguments, "--format", "json"]).out)
    assert (report["pairs"], report["pairs_left_out"]) == (3, 1)
    assert {name: share["pairs"] for name, share in report["phenomena"].items()} == {"order": 2, "repetition": 1}
    share = report["figures"]["pair_accuracy"]
    assert share["low"] <= share["value"] <= share["high"]
    out = cli(0, arguments).out
    assert "3 pairs of 6 texts" in out
    assert "1 pair with texts left out: the model was trained on them" in out
    halves = write_pairs(home / "halves.csv", [("order", PAIRS[0][1], "Dogs the bark.")])
    assert "trained on a text of every pair of" in cli(2, "evaluate", halves, "--model", home / "model").err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--learner", "xgboost"], "learner of pairs 'xgboost'"),
        (["--select", "rfe"], "cannot learn from pairs; leave it out"),
        (["--folds", "20"], "fewer than the 20 folds"),
    ],
)
def test_wrong_options_fail_before_measuring(
    home: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, options: list[str], said: str
) -> None:
    """Wrong options end with exit code 2 before any text is measured."""
    monkeypatch.setattr("naturalness.features.measuring.measure", pytest.fail)
    try:
        code = run_line("train", home / "pairs.csv", "-o", home / "no", *options)
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err

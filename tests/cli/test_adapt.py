"""`adapt`, from a file of texts to scores on two axes: complete output."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from naturalness.cli import run
from tests.support.commands import Captured, Cli

TEXTS = [
    f"{who} {verb} {what} {when}."
    for who, verb, what, when in product(
        ("My sister", "The old teacher", "Our neighbour", "She", "A friend of mine"),
        ("bought", "found", "is looking for", "has lost"),
        ("a small house", "the red bicycle", "some good bread", "his keys"),
        ("today", "in the village", "last week"),
    )
]
USUAL = "Our neighbour has lost a small house in the village."
UNUSUAL = "Notwithstanding prior deliberations, the amended ordinance was thereupon unanimously repealed."


@pytest.fixture(scope="module")
def adapted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model adapted to 240 texts."""
    home = tmp_path_factory.mktemp("adapt")
    (home / "texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    command = f"adapt {home}/texts.txt -o {home}/kind --from fast".split()
    assert run(command) == 0
    return home / "kind"


def test_two_axes_and_a_score(adapted: Path, cli: Cli) -> None:
    """A sound text of another kind has a low fit, and scores lower than a text of the kind."""
    usual, unusual, neither = json.loads(
        cli(1, "score", USUAL, UNUSUAL, "?", "--model", adapted, "--format", "json").out
    )
    assert usual["fit"] > 0.1 > unusual["fit"] >= 0
    assert usual["naturalness"] > unusual["naturalness"]
    assert neither["sound"] is None and neither["fit"] is None
    (fast,) = json.loads(cli(0, "score", UNUSUAL, "--fast", "--format", "json").out)
    assert unusual["sound"] == pytest.approx(fast["naturalness"], rel=1e-5)


def test_commands_accept_an_adapted_model(adapted: Path, tmp_path: Path, cli: Cli) -> None:
    """`explain` shows what is unusual; thresholds and percentiles refer to texts of the kind."""
    (row,) = json.loads(cli(0, "explain", UNUSUAL, "--model", adapted, "--format", "json").out)
    assert row["total"] == pytest.approx(row["base"] + sum(c["value"] for c in row["contributions"]), abs=1e-4)
    assert (
        "of the texts that the model was adapted to"
        in cli(0, "score", USUAL, "--model", adapted, "--register", "yours").out
    )
    assert "yours" in cli(0, f"meaning --model {adapted}").out


def test_training_on_ratings_starts_from_soundness(adapted: Path, tmp_path: Path) -> None:
    """A model trained from an adapted one has one linear unit, and contains the kind's language model. The texts that
    were rated may be those of the adaptation, since soundness was not learned from them.
    """
    rated = "\n".join(f'"{text}",{1 + n % 5}' for n, text in enumerate(TEXTS[:60]))
    (tmp_path / "rated.csv").write_text(f"text,rating\n{rated}\n", encoding="utf-8")
    command = f"train {tmp_path}/rated.csv -o {tmp_path}/next --from {adapted}".split()
    assert run([*command, "--repeats", "2", "--folds", "2", "--jobs", "1", "--store", "none"]) == 0
    manifest = json.loads((tmp_path / "next" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["units"] == ["linear"] and "lm:tags" in manifest["groups"]
    assert (tmp_path / "next" / "models" / "lm" / "tags" / "order-3.binary").is_file()


def test_the_folder_holds_no_sentence(adapted: Path) -> None:
    """No file contains a sentence, compressed or plain; the card has counts and a hash."""
    card = (adapted / "card.md").read_text(encoding="utf-8")
    assert "240 different texts" in card and re.search(r"fingerprint `[0-9a-f]{16}`", card)
    for path in adapted.rglob("*"):
        if path.is_file():
            assert b"has lost" not in path.read_bytes()


def test_too_few_texts(tmp_path: Path, cli: Cli) -> None:
    """Too few texts are an error, which is raised before anything is measured and leaves no files."""
    (tmp_path / "few.txt").write_text("\n".join(TEXTS[:50]), encoding="utf-8")
    assert (
        "50 different texts with words; expected 200 or more"
        in cli(2, f"adapt {tmp_path}/few.txt -o {tmp_path}/kind").err
    )
    assert [path.name for path in tmp_path.iterdir()] == ["few.txt"]


def test_models_that_cannot_be_adapted(adapted: Path, tmp_path: Path, cli: Cli, capsys: Captured) -> None:
    """An adapted model and a model of ratings are refused."""
    texts = adapted.parent / "texts.txt"
    command = f"adapt {texts} -o {tmp_path}/kind --from".split()
    assert "model 'kind' has already been adapted" in cli(2, [*command, str(adapted)]).err
    rated = "\n".join(f'"{text}",{n % 7 / 2}' for n, text in enumerate(TEXTS[:40]))
    (tmp_path / "rated.csv").write_text(f"text,rating\n{rated}\n", encoding="utf-8")
    training = f"train {tmp_path}/rated.csv -o {tmp_path}/rates --learner logistic-l2".split()
    quick = ["--features", "surface,lexical", "--repeats", "2", "--folds", "2", "--jobs", "1", "--store", "none"]
    assert run([*training, *quick]) == 0
    capsys.readouterr()
    assert "model 'rates' predicts ratings" in cli(2, [*command, str(tmp_path / "rates")]).err


def test_a_model_is_replaced_only_with_force(
    adapted: Path, cli: Cli, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old model stays if nothing can be learned, for example if no text can be damaged."""
    command = ["adapt", str(adapted.parent / "texts.txt"), "-o", str(adapted), "--from", "fast"]
    assert "add --force" in cli(2, command).err
    before = (adapted / "manifest.json").read_bytes()
    assert run([*command, "--force"]) == 0
    assert (adapted / "manifest.json").read_bytes() == before
    monkeypatch.setattr("naturalness.adapting.adapt.damaged_versions", lambda *_: [])
    capsys.readouterr()
    assert "too few texts can be damaged" in cli(2, [*command, "--force"]).err
    assert (adapted / "manifest.json").read_bytes() == before

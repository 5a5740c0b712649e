"""Weights of mixtures: by hand, by search, and on text of a model's own kind."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import CorpusError, ModelError
from naturalness.models.language.training.corpus import read_docs
from naturalness.text.view import view
from naturalness_replication.language.folders import open_language_model
from naturalness_replication.language.mixing import Judgement, best_weights, mix_language_models, tune
from tests.support.language_models import HARBOUR, KITCHEN, train

NEVER = -math.inf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models."""
    train(tmp_path / "harbour", HARBOUR)
    train(tmp_path / "kitchen", KITCHEN)
    return tmp_path


def test_weights_by_hand() -> None:
    """Three units that only one can have written, one of the other: three quarters."""
    rows = np.array([[-1.0, -2.0, -3.0, NEVER], [NEVER, NEVER, NEVER, -1.0]])
    assert best_weights(rows) == pytest.approx([0.75, 0.25], abs=1e-5)
    assert best_weights(np.array([[-9.0, -9.0], [-9.0, -9.0]])) == pytest.approx([0.5, 0.5])


def test_what_a_mixture_is_worth_by_hand() -> None:
    """Both know the first unit and the end; the second model alone knows the other."""
    judgement = Judgement(
        logprobs=np.log([[0.5, 0.1, 0.5], [0.1, 0.25, 0.1]]),
        unknown=np.array([[False, True, False], [False, False, False]]),
        ends=np.array([False, False, True]),
        texts=1,
    )
    tuned = tune(["a", "b"], judgement)
    first, second = tuned.components
    assert first.perplexity == pytest.approx((0.5 * 0.1 * 0.5) ** (-1 / 3))
    assert (first.shared, second.shared) == pytest.approx((2.0, 10.0))
    assert (first.unknown, second.unknown, tuned.unknown) == (0.5, 0.0, 0.0)
    a, b = first.weight, second.weight
    mixed = [a * 0.5 + b * 0.1, b * 0.25, a * 0.5 + b * 0.1]
    assert tuned.perplexity == pytest.approx(math.prod(mixed) ** (-1 / 3))
    assert tuned.shared == pytest.approx(1 / mixed[0])
    assert (tuned.texts, tuned.units) == (1, 3)
    # 2 ln(0.1 + 0.4 a) + ln(1 - a) is highest where 0.8 (1 - a) = 0.1 + 0.4 a
    assert a == pytest.approx(7 / 12, abs=1e-5)


def test_each_model_wins_its_own_text(folder: Path) -> None:
    """The folder opens, names its models as seen from itself, and has the perplexity told."""
    specs = [str(folder / "harbour"), str(folder / "kitchen")]
    held_out = ["The captain saw the boat at night.", "Peter came back again."]
    tuned = mix_language_models(specs, held_out, folder / "both")
    assert tuned.components[0].weight > 0.8
    assert tuned.components[0].shared < tuned.components[1].shared
    model = open_language_model(str(folder / "both"))
    total, n = 0.0, 0
    for doc in read_docs(held_out, "words"):
        scores = model.score(view(doc))
        total += float(scores.logprobs.sum())
        n += len(scores.units)
    assert n == tuned.units
    assert math.exp(-total / n) == pytest.approx(tuned.perplexity)
    other = mix_language_models(specs, KITCHEN, folder / "other")
    assert other.components[1].weight > 0.8


def test_relative_paths_stay_relative(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As seen from the folder of the mixture; others stay as they were given."""
    monkeypatch.chdir(folder)
    (folder / "sub").mkdir()
    specs = ["harbour", str(folder / "kitchen")]
    mix_language_models(specs, HARBOUR, Path("sub/both"))
    data = json.loads((folder / "sub/both/manifest.json").read_text())
    assert [part["path"] for part in data["mixture"]] == ["../../harbour", specs[1]]
    monkeypatch.chdir("/")
    assert open_language_model(str(folder / "sub/both")).name == "both"


def test_what_cannot_be_mixed(folder: Path) -> None:
    """One model, the same twice, no text, models of other units; nothing is left behind."""
    specs = [str(folder / "harbour"), str(folder / "kitchen")]
    train(folder / "tags", kind="tags")
    before = sorted(path.name for path in folder.iterdir())
    target = folder / "both"
    for few in ([], specs[:1], [specs[0], specs[0]], [specs[0], f"{specs[1]}/../harbour"]):
        with pytest.raises(ModelError, match="expected two different models"):
            mix_language_models(few, HARBOUR, target)
    with pytest.raises(ModelError, match="only models of the same units can be mixed"):
        mix_language_models([specs[0], str(folder / "tags")], HARBOUR, target)
    with pytest.raises(CorpusError, match="none of 1 texts has a word"):
        mix_language_models(specs, ["..."], target)
    assert sorted(path.name for path in folder.iterdir()) == before
    with pytest.raises(ModelError, match="exists"):
        mix_language_models(specs, HARBOUR, folder / "tags")


def test_a_copy_of_a_model_is_the_same_model(folder: Path) -> None:
    """Told by its files, whatever they are called."""
    copied = shutil.copytree(folder / "harbour", folder / "copied")
    specs = [str(folder / "kitchen"), str(folder / "harbour"), str(copied)]
    with pytest.raises(ModelError, match=r"harbour' and .*copied' are the same model"):
        mix_language_models(specs, HARBOUR, folder / "both")


@pytest.mark.parametrize(
    ("target", "spec"),
    [
        ("kitchen", "kitchen"),
        ("kitchen", "link"),
        ("kitchen", "kitchen/model.arpa"),
        ("kitchen/new", "kitchen"),
        ("kitchen/new", "link"),
    ],
)
def test_a_mixture_never_replaces_its_models(folder: Path, target: str, spec: str) -> None:
    """By any name, nor is anything written into their folders."""
    (folder / "link").symlink_to(folder / "kitchen")
    specs = [str(folder / "harbour"), str(folder / spec)]
    before = sorted(folder.rglob("*"))
    with pytest.raises(ModelError, match=r"is the place of .*, which the mixture needs"):
        mix_language_models(specs, HARBOUR, folder / target, force=True)
    assert sorted(folder.rglob("*")) == before

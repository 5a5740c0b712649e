"""A saved model of the present format keeps its scores; one of an earlier format says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.pipelines.scorer import load_model

ASSETS = Path(__file__).parents[1] / "assets" / "models"
SAVED = [ASSETS / "v2" / name for name in ("blend", "kernel", "linear", "three", "trees")]


@pytest.mark.parametrize("folder", SAVED, ids=lambda folder: folder.name)
def test_old_models_keep_their_scores(folder: Path) -> None:
    """A stored table of features gets the stored scores, whatever later pipelines and features do."""
    expected = json.loads((folder / "expected.json").read_text())
    table = np.array(expected["table"], dtype=np.float64)
    naturalness, labels = load_model(folder, changed_assets=True).decide(table)
    assert naturalness.tolist() == expected["naturalness"]
    assert labels == expected["labels"]


@pytest.mark.parametrize("folder", SAVED, ids=lambda folder: folder.name)
def test_old_models_say_what_to_do(folder: Path) -> None:
    """A model that was trained with another pipeline names the release that wrote it, and what else helps."""
    version = json.loads((folder / "manifest.json").read_text())["naturalness"]
    steps = f"; install naturalness {version}, train the model again, or, .* accept other scores"
    with pytest.raises(ModelError, match=steps):
        load_model(folder)


def test_a_model_of_an_earlier_format_says_what_to_do() -> None:
    """Release 0.1.0 stored hashes of the texts as spelled."""
    with pytest.raises(ModelError, match=r"format version 1; this release reads 2: install the release that wrote it"):
        load_model(ASSETS / "v1" / "linear", changed_assets=True)


def test_a_model_with_a_replicated_learner_names_the_package() -> None:
    """Release 0.3 had the learner `neighbours`, which is now a part of the replications."""
    with pytest.raises(ModelError, match=r"learner, neighbours, is a part of the replications .* retrain the model"):
        load_model(ASSETS / "v2" / "neighbours", changed_assets=True)

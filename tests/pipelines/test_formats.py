"""Models saved by earlier releases."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.pipelines.scorer import load_model

ASSETS = Path(__file__).parents[1] / "assets" / "models"
SAVED = [ASSETS / "v2" / name for name in ("blend", "kernel", "linear", "switching", "three", "trees")]


@pytest.mark.parametrize("folder", SAVED, ids=lambda folder: folder.name)
def test_scores_of_saved_models(folder: Path) -> None:
    """A saved model gives a stored table of features the stored scores."""
    expected = json.loads((folder / "expected.json").read_text())
    table = np.array(expected["table"], dtype=np.float64)
    naturalness, labels = load_model(folder, changed_assets=True).decide(table)
    assert naturalness.tolist() == expected["naturalness"]
    assert labels == expected["labels"]


@pytest.mark.parametrize("folder", SAVED, ids=lambda folder: folder.name)
def test_changed_pipelines(folder: Path) -> None:
    """A model of another pipeline is refused; the error names the release that wrote it, and other remedies."""
    version = json.loads((folder / "manifest.json").read_text())["naturalness"]
    steps = f"; install naturalness {version}, train the model again, or, .* accept that scores differ"
    with pytest.raises(ModelError, match=steps):
        load_model(folder)


def test_earlier_formats() -> None:
    """A model of format 1, of release 0.1.0, is refused with advice."""
    with pytest.raises(ModelError, match=r"format version 1; this release reads 2: install the release that wrote it"):
        load_model(ASSETS / "v1" / "linear", changed_assets=True)


def test_replicated_learners() -> None:
    """A model with the learner `neighbours`, of release 0.3, is refused; the error names the package that has it."""
    with pytest.raises(ModelError, match=r"learner, neighbours, is a part of the replications .* retrain the model"):
        load_model(ASSETS / "v2" / "neighbours", changed_assets=True)

"""The recurrent learner on texts: learned with torch, saved, scored without it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from naturalness import NaturalnessClassifier, NaturalnessRegressor
from naturalness.errors import MissingPackage
from naturalness.files.resources import has_package
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from tests.support.rated import sentences

needs_torch = pytest.mark.skipif(not has_package("torch"), reason="needs the extra 'neural'")
ROWS = sentences(30)
TEXTS, RATINGS = [text for text, _, _ in ROWS], [rating for _, rating, _ in ROWS]
SMALL = {"steps": 5, "size": 4}


@needs_torch
def test_a_saved_model_scores_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers; an empty text has none."""
    regressor = NaturalnessRegressor(learner="bigru", parameters=SMALL, folds=2)
    regressor.fit(TEXTS, RATINGS)
    low, high = regressor.scale_
    expected = np.clip((regressor.predict(TEXTS) - low) / (high - low), 0, 1)
    save_estimator(regressor, tmp_path / "saved")
    manifest = json.loads((tmp_path / "saved" / "manifest.json").read_text())
    assert (manifest["groups"], manifest["units"]) == (["vectors:40"], ["recurrent"])
    monkeypatch.setitem(sys.modules, "torch", None)
    scores = load_model(tmp_path / "saved").score([*TEXTS, ""]).naturalness
    np.testing.assert_allclose(scores[:-1], expected, atol=1e-6)
    assert np.isnan(scores[-1])


@needs_torch
def test_the_same_fit_twice_is_the_same(tmp_path: Path) -> None:
    """Byte for byte, classes too; the group may be named."""
    labels = ["natural" if rating >= 4 else "unnatural" for rating in RATINGS]
    for name in ("one", "two"):
        classifier = NaturalnessClassifier(features=["vectors:8"], learner="bigru", parameters=SMALL, folds=2)
        save_estimator(classifier.fit(TEXTS, labels), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_without_torch_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("naturalness.pipelines.estimator.measure", None)
    with pytest.raises(MissingPackage, match=r"naturalness\[neural\]"):
        NaturalnessRegressor(learner="bigru").fit(TEXTS, RATINGS)

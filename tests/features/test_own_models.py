"""Groups of a user's language model, `lm:FOLDER`."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from naturalness import FeatureExtractor, NaturalnessRegressor
from naturalness.errors import ModelError, NaturalnessError
from naturalness.features import GROUPS, column_names, resolve
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from tests.support import language_models as small


@pytest.fixture
def group(tmp_path: Path) -> str:
    """Return the name of a group over a small model."""
    return f"lm:{small.train(tmp_path / 'harbour')}"


def test_columns_are_named_after_the_folder(group: str) -> None:
    """The columns are those of `word_lm`, with the last part of the path in their names."""
    names = column_names(resolve([group]))
    feature_names = [f.name for f in GROUPS["word_lm"].features]
    assert names == [f"lm_harbour__{name}" for name in feature_names]


def test_two_models_with_the_same_columns_are_refused(tmp_path: Path) -> None:
    """Folders with the same name would have the same columns, and are refused."""
    one, other = tmp_path / "a" / "m", tmp_path / "b" / "m"
    with pytest.raises(NaturalnessError, match="rename one of the folders"):
        resolve([f"lm:{one}", f"lm:{other}"])
    assert resolve([f"lm:{one}", f"lm:{one}"]) == resolve([f"lm:{one}"])
    names = column_names(resolve(["lm:m.v1", "lm:m.v2"]))
    assert names[0] == "lm_m_v1__score" and len(set(names)) == len(names)


def test_a_missing_model_is_an_error() -> None:
    """The error about a missing language model names it."""
    with pytest.raises(ModelError, match="no language model 'nowhere'"):
        FeatureExtractor(["lm:nowhere"]).fit(["x"])


def test_a_saved_model_refuses_another_language_model(group: str, tmp_path: Path) -> None:
    """A saved model reads its own copy of the language model, and refuses a changed copy."""
    texts = [*small.HARBOUR, *small.KITCHEN]
    regressor = NaturalnessRegressor(features=[group, "surface"], learner="logistic-l2", folds=2)
    regressor.fit(texts, [*range(7), *range(7)])
    save_estimator(regressor, tmp_path / "saved")
    scores = load_model(tmp_path / "saved").score(texts).naturalness
    np.testing.assert_array_equal(scores, load_model(tmp_path / "saved").score(texts).naturalness)
    shutil.rmtree(tmp_path / "harbour")
    small.train(tmp_path / "harbour", small.KITCHEN)
    np.testing.assert_array_equal(scores, load_model(tmp_path / "saved").score(texts).naturalness)
    copy = tmp_path / "saved" / "models" / "lm" / "harbour"
    shutil.rmtree(copy)
    shutil.copytree(tmp_path / "harbour", copy)
    with pytest.raises(ModelError, match="other files than the manifest says"):
        load_model(tmp_path / "saved")

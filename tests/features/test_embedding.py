"""Groups of sentence encoders, `embedding:PATH`."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from naturalness import FeatureExtractor, NaturalnessRegressor
from naturalness.errors import ModelError
from naturalness.features import column_names, resolve
from naturalness.features.named import is_named_group
from naturalness.files.resources import has_package
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from tests.support import language_models as small
from tests.support.tiny_huggingface import write_masked

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)
TEXTS = [*small.HARBOUR, *small.KITCHEN]


def test_the_shipped_encoder_needs_no_torch() -> None:
    """Each coordinate has a column; all are undefined for a text without words."""
    (group,) = resolve(["embedding:shipped", "embedding:shipped"])
    assert is_named_group(group)
    assert column_names([group])[:2] == ["embedding_shipped__x0", "embedding_shipped__x1"]
    extractor = FeatureExtractor(["embedding:shipped"]).fit(["x"])
    table = extractor.transform(["The dog slept.", ""])
    assert table.shape == (2, len(group.features))
    assert np.linalg.norm(table[0]) == pytest.approx(1, abs=1e-4)
    assert np.isnan(table[1]).all()
    assert group.extract([]).shape == (0, len(group.features))


def test_a_missing_encoder_is_told_before_anything_is_parsed() -> None:
    """The error names the path and the expected form."""
    with pytest.raises(ModelError, match="no sentence encoder 'nowhere'"):
        FeatureExtractor(["embedding:nowhere"]).fit(["x"])


def test_beside_other_groups_a_saved_model_scores_the_same(tmp_path: Path) -> None:
    """A saved model with embeddings and other features scores the same, and records the encoder's checksum."""
    regressor = NaturalnessRegressor(features=["embedding:shipped", "surface"], learner="logistic-l2", folds=2).fit(
        TEXTS, [*range(7), *range(7)]
    )
    save_estimator(regressor, tmp_path / "saved")
    model = load_model(tmp_path / "saved")
    np.testing.assert_allclose(model.score(TEXTS).naturalness, np.clip(regressor.predict(TEXTS) / 6, 0, 1), atol=1e-6)


@needs_torch
def test_a_saved_model_refuses_another_encoder_in_its_place(tmp_path: Path) -> None:
    """The encoder is copied, so its folder may change; the copy is compared with training."""
    folder = write_masked(tmp_path / "tiny")
    group = f"embedding:{folder}"
    regressor = NaturalnessRegressor(features=[group], learner="logistic-l2", folds=2)
    regressor.fit(TEXTS, [*range(7), *range(7)])
    assert regressor.columns_[0] == "embedding_tiny__x0"
    save_estimator(regressor, tmp_path / "saved")
    scores = load_model(tmp_path / "saved").score(TEXTS).naturalness
    np.testing.assert_array_equal(scores, load_model(tmp_path / "saved").score(TEXTS).naturalness)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    np.testing.assert_array_equal(scores, load_model(tmp_path / "saved").score(TEXTS).naturalness)
    shutil.copytree(folder, tmp_path / "saved" / "models" / "embedding" / "tiny", dirs_exist_ok=True)
    with pytest.raises(ModelError, match="other files than the manifest says"):
        load_model(tmp_path / "saved")

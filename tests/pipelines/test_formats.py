"""A saved model of every format version still loads and gives the scores it gave.

`python -m tests.pipelines.test_formats` writes those of the present version into tests/assets; run
it once when a version is new, never again.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.judging.folder import FORMAT_VERSION
from naturalness.pipelines.scorer import load_model

ASSETS = Path(__file__).parents[1] / "assets" / "models"
SAVED = sorted(path for path in ASSETS.glob("v*/*") if path.is_dir())


@pytest.mark.parametrize("folder", SAVED, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_old_models_keep_their_scores(folder: Path) -> None:
    """On a stored feature table, so that later pipelines and features do not matter."""
    expected = json.loads((folder / "expected.json").read_text())
    table = np.array(expected["table"], dtype=np.float64)
    naturalness, labels = load_model(folder, changed_assets=True).decide(table)
    assert naturalness.tolist() == expected["naturalness"]
    assert labels == expected["labels"]


@pytest.mark.parametrize("folder", SAVED, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_old_models_say_what_to_do(folder: Path) -> None:
    """A model that was trained with another pipeline names the release that wrote it, and what else helps."""
    version = json.loads((folder / "manifest.json").read_text())["naturalness"]
    steps = f"; install naturalness {version}, train the model again, or, .* accept other scores"
    with pytest.raises(ModelError, match=steps):
        load_model(folder)


@pytest.mark.parametrize("folder", SAVED, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_models_know_their_texts(folder: Path) -> None:
    """Those of version 1 by their spelling alone, and they say so."""
    seen = load_model(folder, changed_assets=True).saved.seen
    assert bool(seen.note) == seen.spelled == (folder.parent.name == "v1")


def test_every_version_has_models() -> None:
    """The present one too."""
    versions = {path.parent.name for path in SAVED}
    assert versions == {f"v{number}" for number in range(1, FORMAT_VERSION + 1)}


def main() -> None:
    """Write models of the present version."""
    from naturalness import FeatureExtractor, NaturalnessClassifier, NaturalnessRegressor
    from naturalness.pipelines.saving import save_estimator
    from tests.support.rated import sentences

    rows = sentences(60)
    texts, ratings = [row[0] for row in rows], np.array([row[1] for row in rows])
    groups = ["surface", "repetition"]
    estimators = {
        "linear": NaturalnessRegressor(features=groups, learner="logistic-l2"),
        "kernel": NaturalnessRegressor(features=groups, learner="rbf-svm"),
        "neighbours": NaturalnessClassifier(features=groups, learner="neighbours"),
        "trees": NaturalnessClassifier(
            features=groups, learner="xgboost", parameters={"n_estimators": 20, "max_depth": 3}
        ),
        "three": NaturalnessClassifier(features=groups, learner="logistic-l1", folds=3),
    }
    table = FeatureExtractor(groups).fit_transform(texts[:8])
    table[0, 0] = np.nan
    for name, estimator in estimators.items():
        target = ratings if name in ("linear", "kernel") else ratings >= 4
        folder = ASSETS / f"v{FORMAT_VERSION}" / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        save_estimator(estimator.fit(texts, np.digitize(ratings, [3, 5]) if name == "three" else target), folder)
        naturalness, labels = load_model(folder).decide(table)
        expected = {
            "table": [[None if v != v else v for v in row] for row in table.tolist()],
            "naturalness": naturalness.tolist(),
            "labels": labels,
        }
        (folder / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()

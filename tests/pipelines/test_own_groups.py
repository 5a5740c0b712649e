"""User-defined feature groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness import NaturalnessClassifier
from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.features import Feature, Requirement
from naturalness.pipelines.saving import save_estimator


class Hedging:
    """A group that measures the share of hedging words."""

    name = "hedging"
    requires: tuple[Requirement, ...] = ()
    features = (Feature("share", "hedging words / words", "[0, 1]", "more hedging"),)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return the share of hedging words, (n_docs, 1)."""
        return np.array([[float(np.mean([t.lower_ == "perhaps" for t in doc]))] for doc in docs])


def test_user_defined_group(tmp_path: Path) -> None:
    """Estimators learn and explain with a user-defined group, but cannot be saved, since folders hold no code."""
    plain = [f"The {who} {did}." for who in ("man", "girl", "cook") for did in ("slept", "sang")]
    hedged = [f"Perhaps the {text[4:]}" for text in plain]
    classifier = NaturalnessClassifier(features=[Hedging()], learner="logistic-l2", folds=2)
    classifier.fit(plain + hedged, ["natural"] * 6 + ["unnatural"] * 6)
    (one,) = classifier.explain(["Perhaps the dog sang."])
    assert one.naturalness == pytest.approx(classifier.naturalness([one.text])[0], rel=1e-4)
    (contribution,) = one.contributions
    assert contribution.value < 0
    assert [moved.column for moved in contribution.features] == ["hedging__share"]
    with pytest.raises(ModelError, match=r"of your own \(hedging\) cannot be saved"):
        save_estimator(classifier, tmp_path / "saved")

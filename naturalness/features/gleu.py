"""GLEU and its parser metrics as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement
from naturalness.features.constituency import CHART, ConstituencyFeatures
from naturalness.features.requirements import asset
from naturalness.metrics.gleu import ASSET, fitted, score_parts
from naturalness.text.view import Doc

SHIPPED = (*CHART, *map(asset, ("pcfg", "pipeline", "tags", "words", ASSET)))


class GleuFeatures:
    """GLEU: two parser metrics of its paper, our metric `structure`, and the SVM score computed from these metrics."""

    name: ClassVar = "gleu"
    features = Columns("gleu")
    requires: ClassVar[tuple[Requirement, ...]] = SHIPPED

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return np.column_stack(score_parts(docs, fitted()))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it lacks some values although it has words; an empty string if it lacks none."""
        return ConstituencyFeatures().gaps(docs)

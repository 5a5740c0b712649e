"""GLEU and its parser metrics as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import Feature, Requirement, read_table
from naturalness.features.constituency import CHART, ConstituencyFeatures
from naturalness.features.link import LinkFeatures
from naturalness.features.requirements import LINK_GRAMMAR, asset
from naturalness.metrics.gleu import ASSET_OF, STRUCTURE, STRUCTURE_LINK, score_parts
from naturalness.text.view import Doc

SHIPPED = (*CHART, *map(asset, ("pcfg", "pipeline", "tags", "words", ASSET_OF[STRUCTURE])))


@dataclass(frozen=True)
class GleuFeatures:
    """GLEU: the parser metrics of its paper, our metric `structure`, and the SVM score computed from these metrics."""

    name: str = "gleu"
    variant: str = STRUCTURE
    requires: tuple[Requirement, ...] = SHIPPED

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features in the group's table."""
        return read_table(self.name)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        table, distances = score_parts(docs, self.variant)
        return np.column_stack([table, distances])

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it lacks some values although it has words; an empty string if it lacks none."""
        reasons = ConstituencyFeatures().gaps(docs)
        if LINK_GRAMMAR not in self.requires:
            return reasons
        return [reason or of_links for reason, of_links in zip(reasons, LinkFeatures().gaps(docs), strict=True)]


def gleu_link() -> GleuFeatures:
    """Return the variant of the group that also has Link Grammar's metrics."""
    return GleuFeatures("gleu_link", STRUCTURE_LINK, (*SHIPPED, LINK_GRAMMAR))

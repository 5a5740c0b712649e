"""GLEU and the parser metrics that it is made of, as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import WHOLE, Feature
from naturalness.features.constituency import CHART, UNDEFINED, ConstituencyFeatures
from naturalness.features.link import LinkFeatures
from naturalness.features.requirements import LINK_GRAMMAR, Requirement, asset
from naturalness.metrics.gleu import ASSET_OF, CHANGED, PARTS, STRUCTURE, STRUCTURE_LINK, fitted, score_parts

if TYPE_CHECKING:
    from spacy.tokens import Doc

SHIPPED = ("pcfg", "pipeline", "tags", "words", ASSET_OF[STRUCTURE])


@dataclass(frozen=True)
class GleuFeatures:
    """The parser metrics of GLEU, `structure` of our own, and their distance from a hyperplane."""

    name: str
    variant: str
    requires: tuple[Requirement, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of its parser metrics."""
        return fitted(self.variant).variants[self.variant].parts

    @property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        measured = [(name, PARTS[name]) for name in self.parts]
        parts = (
            Feature(name, part.formula, part.range, part.direction, part.source, WHOLE, UNDEFINED, part.words)
            for name, part in measured
        )
        names = ", ".join(name for name, _ in measured)
        formula = f"distance of {names} from the hyperplane of an SVM, real against shuffled text"
        score = Feature("score", formula, "any", "more like real text", CHANGED, WHOLE, UNDEFINED, "GLEU score")
        return (*parts, score)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        table, distances = score_parts(docs, self.variant)
        return np.column_stack([table, distances])

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words lacks some values; empty where it has all."""
        reasons = ConstituencyFeatures().gaps(docs)
        if not any(PARTS[name].link for name in self.parts):
            return reasons
        return [reason or of_links for reason, of_links in zip(reasons, LinkFeatures().gaps(docs), strict=True)]


def gleu_groups() -> tuple[GleuFeatures, GleuFeatures]:
    """The group that ships, and the one with Link Grammar's metrics."""
    needs = (*CHART, *(asset(name) for name in SHIPPED))
    return (GleuFeatures("gleu", STRUCTURE, needs), GleuFeatures("gleu_link", STRUCTURE_LINK, (*needs, LINK_GRAMMAR)))

"""GLEU: fluency from what parsers say of a text, without a reference (Mutton et al., 2007)."""

from naturalness.models.metrics.gleu.metric import (
    GLEU_LINK,
    GLEU_STRUCTURE,
    GLEU_STRUCTURE_LINK,
    GleuMetric,
    score_parts,
)
from naturalness.models.metrics.gleu.parts import PARTS, measure_parts

__all__ = ["GLEU_LINK", "GLEU_STRUCTURE", "GLEU_STRUCTURE_LINK", "PARTS", "GleuMetric", "measure_parts", "score_parts"]

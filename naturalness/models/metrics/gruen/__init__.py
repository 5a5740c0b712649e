"""GRUEN (Zhu & Bhat, 2020): quality of a text by grammar, redundancy, focus and coherence."""

from naturalness.models.metrics.gruen.metric import (
    BEYOND_METRICS,
    GRUEN_METRICS,
    STEPS,
    BeyondMetric,
    GruenMetric,
    is_masked,
)

__all__ = ["BEYOND_METRICS", "GRUEN_METRICS", "STEPS", "BeyondMetric", "GruenMetric", "is_masked"]

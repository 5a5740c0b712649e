"""GRUEN (Zhu & Bhat, 2020): the quality of a text, measured by its grammaticality, redundancy, focus and coherence."""

from naturalness.metrics.gruen.beyond import BEYOND_METRICS
from naturalness.metrics.gruen.metric import GRUEN_METRICS, STEPS, GruenMetric, is_masked

__all__ = ["BEYOND_METRICS", "GRUEN_METRICS", "STEPS", "GruenMetric", "is_masked"]

"""GRUEN (Zhu & Bhat, 2020): the quality of a text, measured by its grammaticality, redundancy, focus and coherence."""

from naturalness.metrics.gruen.metric import GRUEN_METRICS, STEPS, GruenMetric, is_masked

__all__ = ["GRUEN_METRICS", "STEPS", "GruenMetric", "is_masked"]

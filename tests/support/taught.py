"""A learned state for tests."""

from __future__ import annotations

from naturalness.reports.raters.learning_curve import CurveStep, LearningCurve
from naturalness.studio.annotate.asking.teaching import Figure, SelfAgreement, Taught


def learned() -> Taught:
    """Return the state after some dozens of ratings."""
    steps = (CurveStep(20, 0.41, 0.05), CurveStep(40, 0.5, 0.03), CurveStep(60, 0.55, float("nan")))
    return Taught(
        texts=60,
        test=25,
        waiting=2,
        self_agreements=(SelfAgreement("Ann", 14, 0.71, 0.12), SelfAgreement("Ben", 1, 1.0, 0.0)),
        advice="Go on: the model still grows.",
        known=True,
        figure=Figure("rank correlation with your ratings", 0.55, 0.31, 0.72, 25),
        curve=LearningCurve("logistic-l2", "spearman", 8, steps, 0.04, 0.01, 0.07, "yes"),
    )

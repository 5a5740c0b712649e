"""A metric for DeepEval: ``evaluate(test_cases, [NaturalnessMetric(threshold=0.5)])``."""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "1")  # read when the package is imported

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from naturalness.integrations.output import judged
from naturalness.labelling.scorer import Scorer


class NaturalnessMetric(BaseMetric):  # type: ignore[misc]
    """Naturalness of ``actual_output``, 0..1, higher is better; a test case passes from ``threshold`` on.

    ``model`` and ``register`` are as in `naturalness.Scorer`, whose signature becomes ``evaluation_model``. An output
    without a score fails, with the reason.
    """

    async_mode = False

    def __init__(self, threshold: float = 0.5, model: str = "default", register: str | None = None) -> None:
        self.threshold = threshold
        self.scorer = Scorer(model, register=register)
        self.evaluation_model = self.scorer.signature

    @property
    def __name__(self) -> str:  # type: ignore[override]
        return "Naturalness"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the output of a test case; NaN if it has no score."""
        value, self.reason = judged(self.scorer, test_case.actual_output or "")
        self.score, self.success = value, value >= self.threshold
        return value

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the output of a test case."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the last test case passed."""
        return bool(self.success)

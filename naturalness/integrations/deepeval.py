"""A metric for DeepEval: ``evaluate(test_cases, [NaturalnessMetric(threshold=0.5)])``."""

from __future__ import annotations

import os
from typing import Any

from naturalness import Scorer
from naturalness.files.resources import importing
from naturalness.integrations.output import judged

os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "1")  # read when the package is imported
with importing("deepeval", user=__name__, extra="deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase


class NaturalnessMetric(BaseMetric):  # type: ignore[misc]  # DeepEval is not followed by the type checker
    """Naturalness of ``actual_output``, 0..1, higher is better; a test case passes from ``threshold`` on.

    ``model`` and ``register`` are as in `naturalness.Scorer`, whose signature becomes ``evaluation_model``. The reason
    of a case that fails names the main cause and a repair. An output without a score fails, with the reason. The
    ``score_breakdown`` has both naturalness and voice.
    """

    def __init__(self, *, threshold: float = 0.5, model: str = "default", register: str | None = None) -> None:
        self.threshold, self.model, self.register = threshold, model, register  # from which DeepEval makes copies
        self.scorer = Scorer(model, register=register)
        self.evaluation_model = self.scorer.signature

    @property
    def __name__(self) -> str:
        return "Naturalness"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the output of a test case; NaN if it has no score."""
        self.score, voice, self.reason = judged(self.scorer, test_case.actual_output, self.threshold)
        self.score_breakdown = {"naturalness": self.score, "voice": voice}
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Score the output of a test case."""
        return self.measure(test_case)

"""A scorer for MLflow: ``mlflow.genai.evaluate(data=..., scorers=[naturalness_scorer()])``."""

from __future__ import annotations

import math
import os
from typing import Any

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # read when the package is imported

from mlflow.entities import Feedback
from mlflow.genai.scorers import scorer

from naturalness.integrations.output import judged
from naturalness.labelling.scorer import Scorer


def naturalness_scorer(model: str = "default", register: str | None = None, threshold: float = 0.5) -> Any:
    """Return a scorer of ``outputs``, 0..1, higher is better; a row passes from ``threshold`` on.

    ``model`` and ``register`` are as in `naturalness.Scorer`, whose signature is in the feedback's metadata.
    """
    scored = Scorer(model, register=register)

    def naturalness(outputs: Any) -> Feedback:
        value, why = judged(scored, outputs)
        signature = {"signature": scored.signature}
        if math.isnan(value):
            return Feedback(error=ValueError(f"no score: {why}"), metadata=signature)
        return Feedback(value=value, rationale=why, metadata=signature)

    return scorer(naturalness, pass_if=lambda value: value >= threshold)

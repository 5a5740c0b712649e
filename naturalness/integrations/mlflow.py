"""A scorer for MLflow: ``mlflow.genai.evaluate(data=..., scorers=[naturalness_scorer()])``."""

from __future__ import annotations

import math
import os
from typing import Any

from naturalness import Scorer
from naturalness.files.resources import importing
from naturalness.integrations.output import judged

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # read when the package is imported
with importing("mlflow", user=__name__, extra="mlflow"):
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import scorer


def naturalness_scorer(*, threshold: float = 0.5, model: str = "default", register: str | None = None) -> Any:
    """Return a scorer of ``outputs``, 0..1, higher is better; a row passes from ``threshold`` on.

    ``model`` and ``register`` are as in `naturalness.Scorer`, whose signature is in the feedback's metadata, as is the
    voice of an output of ten words or more. An output without a score gets an error, which is the reason.
    """
    scored = Scorer(model, register=register)

    def naturalness(outputs: Any) -> Feedback:
        value, voice, why = judged(scored, outputs, threshold)
        result = {"error": why} if math.isnan(value) else {"value": value, "rationale": why}
        beside = {} if math.isnan(voice) else {"voice": f"{voice:g}"}
        return Feedback(metadata={"signature": scored.signature, **beside}, **result)

    return scorer(naturalness, pass_if=lambda value: value >= threshold)

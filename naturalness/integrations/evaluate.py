"""A metric for Hugging Face's ``evaluate``: ``Naturalness().compute(predictions=[...])``."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from naturalness import Scorer
from naturalness.files.resources import importing
from naturalness.statistics.measures import known_mean

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read when the packages are imported
os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")
with importing("evaluate", user=__name__, extra="evaluate"):
    import datasets
    import evaluate


class Naturalness(evaluate.Metric):  # type: ignore[misc]  # evaluate is not followed by the type checker
    """Mean naturalness and mean voice of predictions, with the score, voice, label and reason of each.

    ``model`` and ``register`` are as in `naturalness.Scorer`, whose signature is in the result.
    """

    def __init__(self, model: str = "default", register: str | None = None, **options: Any) -> None:
        self.scorer = Scorer(model, register=register)
        super().__init__(**options)

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description="How natural English texts sound, 0..1; higher is better.",
            citation="",
            inputs_description="predictions: the texts.",
            features=datasets.Features({"predictions": datasets.Value("string")}),
        )

    def _compute(self, predictions: list[str]) -> dict[str, Any]:
        columns = self.scorer(predictions)
        scores, voices = (np.array(columns[name], dtype=np.float64) for name in ("naturalness", "voice"))
        return {
            "naturalness": known_mean(scores),
            "voice": known_mean(voices),
            "scores": scores.tolist(),
            "voices": voices.tolist(),
            "labels": columns["label"],
            "reasons": columns["reason"],
            "signature": self.scorer.signature,
        }

"""An assertion for promptfoo, in Python: ``type: python`` with ``value: file://`` and the path of this file."""

from __future__ import annotations

import math
from typing import Any

from naturalness.integrations.output import judged
from naturalness.labelling.scorer import Scorer


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Return promptfoo's result for an output: ``score`` is its naturalness, 0..1, higher is better.

    The assertion's ``config`` may set ``model``, ``register`` (as in `naturalness.Scorer`) and ``threshold`` (0.5), from
    which on an output passes. An output without a score fails, with the reason and a score of 0.
    """
    config = dict(context.get("config") or {})
    threshold = float(config.pop("threshold", 0.5))
    scorer = Scorer(**config)
    value, why = judged(scorer, output)
    score = 0.0 if math.isnan(value) else value  # promptfoo reads JSON, which has no NaN
    return {
        "pass": value >= threshold,
        "score": score,
        "reason": f"{why} (naturalness {value:.3f}, threshold {threshold:g})",
        "namedScores": {"naturalness": score},
        "metadata": {"signature": scorer.signature},
    }

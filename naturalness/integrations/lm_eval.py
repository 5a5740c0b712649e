"""A metric for lm-eval-harness: ``metric: naturalness`` in a task of ``generate_until``, once this module is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lm_eval.api.metrics  # registers the aggregation "mean"
from lm_eval.api.registry import register_metric

from naturalness.labelling.scorer import Scorer


@register_metric(metric="naturalness", higher_is_better=True, aggregation="mean")  # type: ignore[untyped-decorator]
def naturalness(
    predictions: Sequence[Any], references: Sequence[Any] = (), model: str = "default", register: str | None = None
) -> float:
    """Return the naturalness of a prediction, 0..1, higher is better; NaN if it has no score.

    ``model`` and ``register`` are as in `naturalness.Scorer`; a task sets them beside ``metric``.
    """
    (value,) = Scorer(model, ["naturalness"], register)(list(map(str, predictions)))["naturalness"]
    return float(value)

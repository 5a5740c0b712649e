"""Metrics for lm-eval-harness: ``naturalness`` and ``voice`` in a ``generate_until`` task, once this is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from naturalness import Scorer
from naturalness.files.resources import importing
from naturalness.integrations.output import judged

with importing("lm_eval", user=__name__, extra="lm-eval"):
    import lm_eval.api.metrics  # noqa: F401  # registers the aggregations
    from lm_eval.api.registry import register_metric


@register_metric(metric="naturalness", higher_is_better=True, aggregation="nanmean")  # type: ignore[untyped-decorator]
def naturalness(
    predictions: Sequence[Any], references: Sequence[Any] = (), model: str = "default", register: str | None = None
) -> float:
    """Return the naturalness of a prediction, 0..1, higher is better; NaN, which the mean leaves out, without a score.

    ``model`` and ``register`` are as in `naturalness.Scorer`; a task sets them beside ``metric``.
    """
    (output,) = predictions
    return judged(Scorer(model, register=register), output)[0]


@register_metric(metric="voice", higher_is_better=True, aggregation="nanmean")  # type: ignore[untyped-decorator]
def voice(
    predictions: Sequence[Any], references: Sequence[Any] = (), model: str = "default", register: str | None = None
) -> float:
    """Return the voice of a prediction, 0..1, higher is better; NaN for fewer than ten words or without a score."""
    (output,) = predictions
    return judged(Scorer(model, register=register), output)[1]

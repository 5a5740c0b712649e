"""Metrics that the papers compare with theirs, in addition to those of naturalness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from naturalness.metrics import Metric, resolve
from naturalness_replication.metrics.movers import MOVER_METRICS
from naturalness_replication.metrics.overlap import OVERLAP_METRICS, WEIGHTED_METRICS
from naturalness_replication.metrics.wrapped import WRAPPED_METRICS

METRICS: Mapping[str, Metric] = {
    metric.name: metric for metric in (*OVERLAP_METRICS, *WEIGHTED_METRICS, *MOVER_METRICS, *WRAPPED_METRICS)
}
"""The metrics, keyed by name."""


def metrics_named(names: Sequence[str | Metric]) -> list[Metric]:
    """Return metrics of this package or of naturalness; metric objects are returned unchanged."""
    return resolve([METRICS.get(name, name) if isinstance(name, str) else name for name in names])

"""Metrics: one number per text, computed from the text alone or by comparison with references.

To add a metric, add it to the table of an existing file, or add a new file and a line in `_IN_ORDER`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from naturalness.arrays import FloatArray
from naturalness.errors import REPLICATION, UnknownName
from naturalness.metrics.base import Metric, References
from naturalness.metrics.bleu import BLEU, CHRF
from naturalness.metrics.documents import DAMAGE_METRICS, LENGTH, VOICE
from naturalness.metrics.gleu import GLEU_STRUCTURE
from naturalness.metrics.gruen.metric import GRUEN
from naturalness.metrics.rouge import ROUGE_L, ROUGE_LM
from naturalness.metrics.slor import LIKELIHOOD_METRICS, OWN_MODELS, model_metric

_IN_ORDER: tuple[Metric, ...] = (
    *LIKELIHOOD_METRICS,
    *DAMAGE_METRICS,
    VOICE,
    GLEU_STRUCTURE,
    GRUEN,
    ROUGE_L,
    ROUGE_LM,
    BLEU,
    CHRF,
    LENGTH,
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _IN_ORDER}
"""All metrics, keyed by name."""
REPLICATED = (
    "gleu-",
    "bleu-",
    "rouge-",
    "lr2-",
    "lr3-",
    "nist",
    "cider",
    "wmd",
    "smd",
    "s+wmd",
    "vecsim",
    "ter",
    "meteor",
)
"""The beginnings of names of metrics in the package of replications."""
RENAMED: Mapping[str, str] = {
    "gleu": f"take 'gleu-structure'; the paper's, with Link Grammar, is {REPLICATION}",
    "rouge-lm-set": "take 'rouge-lm'",
    "pll": "take 'belonging:neural'",
    **dict.fromkeys(
        ("gruen", "gruen-g", "gruen-gu", "gruen-gru", "gruen-sum"),
        f"take 'gruen-fast'; the paper's sum and its steps are {REPLICATION}",
    ),
}
"""For each former name, a message that gives its replacement."""

__all__ = ["METRICS", "OWN_MODELS", "FloatArray", "Metric", "References", "resolve"]


def __dir__() -> list[str]:
    return sorted(__all__)


def resolve(names: Sequence[str | Metric] | None = None) -> list[Metric]:
    """Return the metrics with these names; metric objects are returned unchanged, and None means all of `METRICS`.

    Names of metrics in `OWN_MODELS` end in the name or path of a language model, as in ``slor:lm:my-lm``.
    """
    if isinstance(names, str):
        raise TypeError("metrics take a list of names, not a single string")
    metrics: list[Metric] = []
    for item in METRICS if names is None else names:
        if not isinstance(item, str):
            metrics.append(item)
        elif item in METRICS:
            metrics.append(METRICS[item])
        elif metric := model_metric(item):
            metrics.append(metric)
        else:
            choices = [*METRICS, *OWN_MODELS]
            hint = RENAMED.get(item) or (REPLICATION if item.startswith(REPLICATED) else "")
            raise UnknownName("metric", item, choices, hint)
    return metrics

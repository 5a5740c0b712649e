"""BLEU and chrF, computed by sacreBLEU with its defaults.

Candidates and references are normalised (`naturalness.text.normalisation`), because rated sets mix detokenised
candidates with tokenised references, and ``area ?`` should match ``area?``. Case is left to sacreBLEU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from naturalness.files.resources import require_package
from naturalness.metrics.base import ComputedMetric
from naturalness.metrics.references import Read, reference_metric

PACKAGE = "sacrebleu"


def sacrebleu_metric(name: str, kind: str, description: str, *, order: int = 0, **flags: Any) -> ComputedMetric:
    """Return a sentence-level metric of sacreBLEU, given its class; ``order`` is the maximum length of BLEU's n-grams.

    SacreBLEU is imported when the metric is first used.
    """
    opened = partial(_opened, name, kind, order)
    return reference_metric(
        name, partial(_score, opened), partial(_settings, opened, order), description, package=PACKAGE, **flags
    )


@cache
def _opened(name: str, kind: str, order: int) -> Any:
    require_package(PACKAGE, user=f"metric {name!r}", extra="metrics")
    from sacrebleu import metrics

    # The effective order is what sacreBLEU recommends for single sentences.
    return getattr(metrics, kind)(**({"effective_order": True, "max_ngram_order": order} if order else {}))


def _score(opened: Callable[[], Any], candidate: Read, references: Sequence[Read]) -> float:
    return float(opened().sentence_score(candidate.text, [reference.text for reference in references]).score)


def _settings(opened: Callable[[], Any], order: int) -> str:
    metric = opened()
    metric.num_refs = -1  # Otherwise the signature would state how many references the last scored text had.
    shown = f"n:{order}|" if order else ""  # SacreBLEU's signature omits the order.
    return f"{PACKAGE}({shown}{metric.get_signature()})"


BLEU = sacrebleu_metric(
    "bleu", "BLEU", "sentence BLEU, 1- to 4-grams shared with any reference; 0..100; Papineni et al. (2002)", order=4
)
CHRF = sacrebleu_metric("chrf", "CHRF", "chrF2 of 1 to 6 characters, best of the references; 0..100; Popović (2015)")

"""The one cause that a text suffers from, if from any.

Contributions say what moves the score; much of that is the soundness of the whole, which names
nothing. The detector's probabilities, kind by kind and word by word, and the checkers' matches are
better witnesses (docs/explaining.md has the figures). They choose among the causes that lower the
score, so that what is named never contradicts what is listed below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import OPINION, TITLES
from naturalness.explaining.explanation import Contribution, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.explaining.shown import MIN_CONTRIBUTION, SHOWN, SURE
from naturalness.models.detector import KINDS, Detected

if TYPE_CHECKING:
    from naturalness.arrays import FloatArray

FAVOUR: Mapping[str, float] = {"extra": 2.0, "structure": 3.0}
"""Factors of the detector's evidence: needless words and second halves of other sentences are seen
faintly, over several words. Chosen on generated sentences (`benchmarks.explanations --seed 1`)."""
MATCHED, HINTED = 0.6, 0.18
"""The evidence of a checker's match, of a mere hint."""
MIN_EVIDENCE = 0.003
"""Evidence below which nothing is named: no word has as much as one chance in twenty."""


def name_cause(detected: Detected, findings: Iterable[Finding], contributions: Sequence[Contribution]) -> str:
    """The cause with the most evidence of those that lower the score; without any evidence, the one
    that lowers it most; empty where none does.
    """
    values = {share.cause: share.value for share in contributions if share.value < -SHOWN and share.cause != OPINION}
    seen = evidence(detected, findings)
    cause = max((cause for cause in TITLES if cause in values), key=lambda cause: seen.get(cause, 0.0), default="")
    if seen.get(cause, 0.0) >= MIN_EVIDENCE:
        return cause
    lowest = min(values, key=lambda cause: values[cause], default="")
    return lowest if values.get(lowest, 0.0) <= -MIN_CONTRIBUTION else ""


def evidence(detected: Detected, findings: Iterable[Finding]) -> dict[str, float]:
    """Of each cause: probabilities of its kinds, each times that of any damage to the word, so that one sure word
    says more than many faint ones, summed over words; and the checkers' matches.
    """
    weights: dict[str, float] = {}
    if len(detected.logs):
        kinds = np.exp(detected.logs[:, 1:])
        sums: FloatArray = (kinds * kinds.sum(axis=1, keepdims=True)).sum(axis=0)
        for kind, value in zip(KINDS[1:], sums.tolist(), strict=True):
            cause = CAUSES[kind]
            weights[cause] = weights.get(cause, 0.0) + FAVOUR.get(cause, 1.0) * value
    for finding in findings:
        if finding.source in CHECKERS:
            weights[finding.cause] = weights.get(finding.cause, 0.0) + FAVOUR.get(finding.cause, 1.0) * (
                MATCHED if finding.weight >= SURE else HINTED
            )
    return weights

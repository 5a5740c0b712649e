"""Name the main cause of a low score.

Contributions show what moves the score, but much of that is overall soundness, which is not specific. The detector's
probabilities by kind and word, and the checkers' matches, are better evidence (figures in docs/explaining.md). The
evidence selects one of the causes that lower the score, so the main cause never contradicts the listed contributions.
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

KIND_WEIGHTS: Mapping[str, float] = {"extra": 2.0, "structure": 3.0}
"""Factors for the evidence, keyed by cause; the factor of other causes is 1. The detector gives needless words and
joined sentences only low probabilities, spread over several words. The factors were tuned on generated sentences
(`benchmarks.explanations --seed 1`).
"""
SURE_MATCH, HINT = 0.6, 0.18
"""The evidence that a checker's match provides for its cause: if the match is sure, and if it is only a hint."""
MIN_EVIDENCE = 0.003
"""The smallest evidence for naming a cause; below it, every word has a probability of damage below about 0.05."""


def name_cause(detected: Detected, findings: Iterable[Finding], contributions: Sequence[Contribution]) -> str:
    """Return the cause with the most evidence among those that lower the score; empty if no cause lowers it.

    Without enough evidence, return the cause that lowers the score most; empty if it lowers the score too little to be
    worth naming.
    """
    values = {share.cause: share.value for share in contributions if share.value < -SHOWN and share.cause != OPINION}
    seen = evidence(detected, findings)
    cause = max((cause for cause in TITLES if cause in values), key=lambda cause: seen.get(cause, 0.0), default="")
    if seen.get(cause, 0.0) >= MIN_EVIDENCE:
        return cause
    lowest = min(values, key=lambda cause: values[cause], default="")
    return lowest if values.get(lowest, 0.0) <= -MIN_CONTRIBUTION else ""


def evidence(detected: Detected, findings: Iterable[Finding]) -> dict[str, float]:
    """Return the evidence for each cause: the detector's probabilities summed over words, plus the checkers' matches.

    The probability of a kind of damage is multiplied by the probability of any damage to the same word, so that one
    sure word counts more than many doubtful ones.
    """
    weights: dict[str, float] = {}
    if len(detected.logs):
        kinds = np.exp(detected.logs[:, 1:])
        sums: FloatArray = (kinds * kinds.sum(axis=1, keepdims=True)).sum(axis=0)
        for kind, value in zip(KINDS[1:], sums.tolist(), strict=True):
            cause = CAUSES[kind]
            weights[cause] = weights.get(cause, 0.0) + KIND_WEIGHTS.get(cause, 1.0) * value
    for finding in findings:
        if finding.source in CHECKERS:
            weights[finding.cause] = weights.get(finding.cause, 0.0) + KIND_WEIGHTS.get(finding.cause, 1.0) * (
                SURE_MATCH if finding.weight >= SURE else HINT
            )
    return weights

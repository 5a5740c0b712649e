"""Name the main cause of a low score.

Contributions show what moves the score, but much of that is overall soundness, which is not specific. The detector's
probabilities by kind and word, and the checkers' matches, are better evidence (figures in docs/explaining.md). The
evidence divides overall soundness among the causes, and selects one of those that lower the score noticeably, so the
main cause never contradicts the listed contributions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import OPINION, SOUNDNESS, TITLES, fault_of
from naturalness.explaining.explanation import Contribution, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.explaining.shown import MIN_CONTRIBUTION, SURE
from naturalness.explaining.tags import KEEP
from naturalness.judging.fields import LOG_ODDS, POINTS
from naturalness.models.detector import KINDS, Detected
from naturalness.models.mender import Tagged, mender

FACTORS: Mapping[str, float] = {
    "structure": 6.0,
    "extra": 2.0,
    "missing": 1.5,
    "order": 1.5,
    "wording": 0.5,
    "spelling": 0.5,
}
"""Factors for the evidence, keyed by cause; the factor of other causes is 1. The detector gives joined sentences only
low probabilities, and the mender offers other words too readily. The factors and the three numbers below were tuned
on 1,687 generated sentences (`benchmarks.explanations --seed 1` to 6).
"""
SURE_MATCH = 4.5
"""The factor for a cause with a sure match of a checker."""
MENDER_POWER = 0.25
"""The power of the mender's probabilities; that of the detector's is 1."""
ADDED = 0.01
"""Added to probabilities, so that no cause is excluded by one of the networks alone."""
FAULTLESS: Mapping[str, float] = {LOG_ODDS: 0.75, POINTS: 0.0}
"""The median contribution of overall soundness in texts without a fault, keyed by unit; 0 where it is not known."""
MIN_DAMAGE = 0.1
"""The smallest probability that a word is damaged for dividing soundness and for naming a cause by the evidence."""
MIN_EVIDENCE = 0.05
"""The smallest share of the evidence for naming a cause by it."""
ANY = "any"


def divided(values: Mapping[str, float], seen: Mapping[str, float], faultless: float = 0.0) -> dict[str, float]:
    """Return contributions by cause, with that of overall soundness counted from ``faultless`` instead of from 0, and
    divided in proportion to the evidence if it is negative then.

    Soundness is the detector's impression of the whole text, and the evidence says which faults make it low. The sum of
    the contributions falls by ``faultless``. Without evidence, nothing is divided.
    """
    whole = min(values.get(SOUNDNESS, 0.0) - faultless, 0.0)
    total = sum(seen.get(cause, 0.0) for cause in values)
    shares = {cause: seen.get(cause, 0.0) / total if total else float(cause == SOUNDNESS) for cause in values}
    return {c: value + whole * shares[c] - (whole + faultless) * (c == SOUNDNESS) for c, value in values.items()}


def name_cause(contributions: Iterable[Contribution], seen: Mapping[str, float]) -> str:
    """Return the cause with the most evidence, or without enough evidence, the one that lowers the score most.

    It lowers the score by `MIN_CONTRIBUTION` or more; return "" if no cause does.
    """
    values = {
        share.cause: -share.value
        for share in contributions
        if share.value <= -MIN_CONTRIBUTION and share.cause != OPINION
    }
    cause = max((cause for cause in TITLES if cause in values), key=lambda c: seen.get(c, 0.0), default="")
    return cause if seen.get(cause, 0.0) >= MIN_EVIDENCE else max(values, key=values.__getitem__, default="")


def evidence(detected: Detected, findings: Iterable[Finding], tagged: Sequence[Tagged] = ()) -> dict[str, float]:
    """Return each cause's share of the evidence for a fault, 0 to 1; empty if no word is likely to be damaged.

    For each cause, the detector's and the mender's highest probability in any word are multiplied, and increased if a
    checker is sure.
    """
    sure = {finding.cause for finding in findings if finding.source in CHECKERS and finding.weight >= SURE}
    damage = _highest(np.exp(detected.logs[:, 1:]), [CAUSES[kind] for kind in KINDS[1:]])
    edits: dict[str, float] = {}
    for part in tagged:
        p = np.exp(part.logs)
        p[:, mender().tags.index(KEEP)] = 0.0
        for cause, value in _highest(p, _causes(mender().tags)).items():
            edits[cause] = max(value, edits.get(cause, 0.0))
    if not sure and max(damage.pop(ANY), edits.pop(ANY, 0.0)) < MIN_DAMAGE:
        return {}
    weights = {
        cause: FACTORS.get(cause, 1.0)
        * (SURE_MATCH if cause in sure else 1.0)
        * (damage.get(cause, 0.0) + ADDED)
        * (edits.get(cause, 0.0) + ADDED) ** MENDER_POWER
        for cause in TITLES
        if cause in damage or cause in edits or cause in sure
    }
    total = sum(weights.values())
    return {cause: weight / total for cause, weight in weights.items()}


def _highest(p: FloatArray, causes: Sequence[str]) -> dict[str, float]:
    """Return the highest probability of each cause in any row, and of `ANY` of them; each column has a cause."""
    if not len(p):
        return {ANY: 0.0}
    sums: dict[str, FloatArray] = {ANY: p.sum(axis=1)}
    for cause, column in zip(causes, p.T, strict=True):
        sums[cause] = sums.get(cause, 0.0) + column
    return {cause: float(values.max()) for cause, values in sums.items() if cause}


@lru_cache(maxsize=1)
def _causes(tags: Sequence[str]) -> list[str]:
    """Return the cause that each tag mends."""
    parts = [tag.partition(" ") for tag in tags]
    return [CAUSES[fault_of(name, "", argument)] if name != KEEP else "" for name, _, argument in parts]

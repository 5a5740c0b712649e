"""Name the main cause of a low score.

Contributions show what moves the score, but much of that is overall soundness, which is not specific. The detector's
probabilities by kind and word, and the checkers' matches, are better evidence (figures in docs/explaining.md). The
evidence divides overall soundness among the causes, and selects one of those that lower the score noticeably, so the
main cause never contradicts the listed contributions.
"""

from __future__ import annotations

from collections import defaultdict
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
from naturalness.models.detector import KINDS, Detected
from naturalness.models.mender import Tagged, mender

KIND_WEIGHTS: Mapping[str, float] = {"extra": 2.0, "structure": 3.0}
"""Factors for the evidence, keyed by cause; the factor of other causes is 1. The detector gives needless words and
joined sentences only low probabilities, spread over several words. The factors were tuned on generated sentences
(`benchmarks.explanations --seed 1`).
"""
SURE_MATCH, HINT = 0.6, 0.18
"""The evidence that a checker's match provides for its cause: if the match is sure, and if it is only a hint."""
MIN_EVIDENCE = 0.003
"""The smallest evidence for dividing soundness and for naming a cause; below it, every word has a probability of damage
below about 0.05."""


def divided(values: Mapping[str, float], seen: Mapping[str, float]) -> dict[str, float]:
    """Return contributions by cause, with a negative one of overall soundness divided in proportion to the evidence.

    Soundness is the detector's impression of the whole text, and the evidence says which faults make it low. The sum of
    the contributions stays the same. Without enough evidence, nothing is divided.
    """
    whole = min(values.get(SOUNDNESS, 0.0), 0.0)
    total = sum(seen.get(cause, 0.0) for cause in values)
    if total < MIN_EVIDENCE:
        return dict(values)
    return {c: value + whole * (seen.get(c, 0.0) / total - (c == SOUNDNESS)) for c, value in values.items()}


def name_cause(contributions: Iterable[Contribution], seen: Mapping[str, float]) -> str:
    """Return the cause with the largest product of evidence and contribution; empty if no cause lowers the score by
    `MIN_CONTRIBUTION` or more.

    Without enough evidence, return the cause that lowers the score most.
    """
    values = {
        share.cause: -share.value
        for share in contributions
        if share.value <= -MIN_CONTRIBUTION and share.cause != OPINION
    }
    cause = max((cause for cause in TITLES if cause in values), key=lambda c: seen.get(c, 0.0) * values[c], default="")
    return cause if seen.get(cause, 0.0) >= MIN_EVIDENCE else max(values, key=values.__getitem__, default="")


def evidence(detected: Detected, findings: Iterable[Finding], tagged: Sequence[Tagged] = ()) -> dict[str, float]:
    """Return the evidence for each cause: the probabilities of the detector and of the mender, summed over words, plus
    the checkers' matches.

    The probability of a kind of damage is multiplied by the probability of any damage to the same word, so that one
    sure word counts more than many doubtful ones.
    """
    weights: defaultdict[str, float] = defaultdict(float)
    if len(detected.logs):
        kinds = np.exp(detected.logs[:, 1:])
        sums: FloatArray = (kinds * kinds.sum(axis=1, keepdims=True)).sum(axis=0)
        for kind, value in zip(KINDS[1:], sums.tolist(), strict=True):
            cause = CAUSES[kind]
            weights[cause] += KIND_WEIGHTS.get(cause, 1.0) * value
    for cause, value in _mended(tagged).items():
        weights[cause] += value
    for finding in findings:
        if finding.source in CHECKERS:
            match = SURE_MATCH if finding.weight >= SURE else HINT
            weights[finding.cause] += KIND_WEIGHTS.get(finding.cause, 1.0) * match
    return weights


def _mended(tagged: Sequence[Tagged]) -> dict[str, float]:
    """Return the mender's probabilities of edits, summed over words as the detector's are, by the cause they mend."""
    sums: defaultdict[str, float] = defaultdict(float)
    for part in tagged:
        p = np.exp(part.logs)
        p[:, mender().tags.index(KEEP)] = 0.0
        weighted: FloatArray = (p * p.sum(axis=1, keepdims=True)).sum(axis=0)
        for cause, value in zip(_causes(mender().tags), weighted.tolist(), strict=True):
            sums[cause] += value
    return sums


@lru_cache(maxsize=1)
def _causes(tags: Sequence[str]) -> list[str]:
    """Return the cause that each tag mends."""
    parts = [tag.partition(" ") for tag in tags]
    return [CAUSES[fault_of(name, "", argument)] if name != KEEP else "" for name, _, argument in parts]

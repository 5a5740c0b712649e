"""How far raters agree with themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from naturalness.annotate.asking.pool import AnswerScale, Given
from naturalness.annotate.asking.taught import OwnAgreement
from naturalness.statistics.measures import spearman

FEWEST = 10
"""Repeats from which a correlation is told."""


def own_agreement(given: Sequence[Given], scale: AnswerScale) -> tuple[OwnAgreement, ...]:
    """Of every rater who was asked anything again, in the order of their first answers."""
    first: dict[tuple[str, frozenset[int]], Given] = {}
    pairs: dict[str, list[tuple[float, float]]] = {}
    for one in given:
        key = (one.rater, frozenset(one.asked))
        if not one.again or key not in first:
            first.setdefault(key, one)
            continue
        before = first[key]
        # The same two texts may come in the other order.
        turned = -1.0 if one.text != before.text else 1.0
        pairs.setdefault(one.rater, []).append((before.value, turned * one.value))
    raters = dict.fromkeys(one.rater for one in given)
    return tuple(_of(rater, pairs[rater], scale) for rater in raters if rater in pairs)


def _of(rater: str, pairs: Sequence[tuple[float, float]], scale: AnswerScale) -> OwnAgreement:
    before, after = np.array(pairs, dtype=np.float64).T
    wide = max(scale.high - scale.low, 1e-12)
    known = len(pairs) >= FEWEST and scale.kind != "pairs"
    return OwnAgreement(
        rater=rater,
        repeats=len(pairs),
        same=float((before == after).mean()),
        distance=float(np.abs(before - after).mean() / wide),
        spearman=spearman(before, after) if known else math.nan,
    )


def ceiling(own: Sequence[OwnAgreement]) -> float:
    """The rank correlation that a perfect model would have with these raters' answers: the root of
    their agreement with themselves (Spearman 1904); NaN where that is not known.
    """
    known = [one for one in own if not math.isnan(one.spearman)]
    if not known:
        return math.nan
    weights = [one.repeats for one in known]
    mean = float(np.average([max(one.spearman, 0.0) for one in known], weights=weights))
    return math.sqrt(mean)

"""Numbers from the scores of a text's units: SLOR, normalised log-probability, perplexity.

Kann, Rothe & Filippova (CoNLL 2018). Logs are natural; the length |S| is the number of units that
were scored, so ends of sentences count in the sums and in the length alike.
"""

from __future__ import annotations

import math

import numpy as np

from naturalness.models.language.base import TokenScores


def slor(scores: TokenScores) -> float:
    """(ln p(S) - ln p_u(S)) / |S|, p_u the product of the units' relative frequencies.

    Any number; higher is better: the log-probability per unit, with the share that comes from rare
    words taken out. NaN without units, or where the model keeps no frequencies.
    """
    if not scores.units:
        return math.nan
    gain = float(np.sum(scores.logprobs) - np.sum(scores.unigrams))
    return gain / len(scores.units)


def nce(scores: TokenScores) -> float:
    """ln p(S) / |S|, at most 0; higher is better. NaN without units.

    The paper's name: the negative of what is otherwise called cross-entropy.
    """
    return float(np.sum(scores.logprobs)) / len(scores.units) if scores.units else math.nan


def perplexity(scores: TokenScores) -> float:
    """exp(-NCE), at least 1; lower is better. NaN without units."""
    try:
        return math.exp(-nce(scores))
    except OverflowError:
        return math.inf

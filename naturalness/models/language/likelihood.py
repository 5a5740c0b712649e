"""Measures of a text, computed from the scores of its units: SLOR, normalised log-probability, perplexity.

After Kann, Rothe & Filippova (CoNLL 2018). Logs are natural. The length |S| is the number of scored units; sentence
ends are scored, so they count both in the sums and in the length. `slor_per_word` and `belonging` depart from the
paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from naturalness.models.language.base import TokenScores


def slor(scores: TokenScores) -> float:
    """Return (ln p(S) - ln p_u(S)) / |S|, where p_u is the product of the units' relative frequencies.

    This is the log-probability per unit, corrected for rare words; it can be any number, and higher is better. NaN if
    there are no units, or if the model has no frequencies.
    """
    if not scores.units:
        return math.nan
    gain = float(np.sum(scores.logprobs) - np.sum(scores.unigrams))
    return gain / len(scores.units)


def slor_per_word(scores: TokenScores, cost: Callable[[tuple[str, ...]], float]) -> float:
    """Return (ln p(S) - sum over words of ln u(w) - ln p_u of sentence ends) / n_words, for models of word pieces.

    It can be any number; higher is better. ``cost`` returns ln u(w) for a word w of several units: u(w) is the
    frequency of its first unit times the model's probability of each later unit given only the earlier units of w. The
    measure thus ignores how improbable the spelling of a rare word is; in a model of words, replacing rare words with
    `<oov>` has the same effect. Sentence ends count in the sums but not as words. Not in the paper. NaN as for `slor`.
    """
    inner = scores.tokens >= 0
    begins = inner & (np.diff(scores.tokens, prepend=-1) != 0)
    parts = inner & ~begins
    words = int(begins.sum())
    if not words:
        return math.nan
    frequencies = np.where(parts, 0.0, scores.unigrams)
    edges = [*np.flatnonzero(~parts).tolist(), len(parts)]
    for i in np.flatnonzero(np.diff(edges) > 1).tolist():
        start, stop = edges[i : i + 2]
        frequencies[start] = cost(tuple(scores.units[start:stop]))
    return float(np.sum(scores.logprobs) - np.sum(frequencies)) / words


def belonging(scores: TokenScores) -> float:
    """Return the mean of ln(p / (p + u)), where p is the probability of a unit in context and u its relative frequency.

    At most 0; higher is better. p / (p + u) is the posterior probability that a unit was drawn given its context rather
    than by frequency alone, if both are equally likely a priori. In SLOR, the mean of ln(p / u), one very likely unit
    can compensate for an unlikely one; here none can. Not in the paper. NaN as for `slor`.
    """
    if not scores.units or np.isnan(scores.unigrams).any():
        return math.nan
    return -float(np.logaddexp(0.0, scores.unigrams - scores.logprobs).sum()) / len(scores.units)


def nce(scores: TokenScores) -> float:
    """Return ln p(S) / |S|, at most 0; higher is better. NaN if there are no units.

    NCE is the paper's name for it; it is minus the cross-entropy.
    """
    return float(np.sum(scores.logprobs)) / len(scores.units) if scores.units else math.nan


def perplexity(scores: TokenScores) -> float:
    """Return exp(-NCE), at least 1; lower is better. NaN if there are no units."""
    try:
        return math.exp(-nce(scores))
    except OverflowError:
        return math.inf


BY_FREQUENCY = (slor, slor_per_word, belonging)
"""Measures that need the frequencies of units; they are NaN for a model without frequencies."""

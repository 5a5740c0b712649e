"""Numbers from the scores of a text's units: SLOR, normalised log-probability, perplexity.

Kann, Rothe & Filippova (CoNLL 2018). Logs are natural; the length |S| is the number of units that
were scored, so ends of sentences count in the sums and in the length alike. `slor_per_word` and
`belonging` depart from the paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from naturalness.models.language.base import TokenScores


def slor(scores: TokenScores) -> float:
    """Return (ln p(S) - ln p_u(S)) / |S|, p_u the product of the units' relative frequencies.

    Any number; higher is better: the log-probability per unit, with the share that comes from rare
    words taken out. NaN without units, or where the model keeps no frequencies.
    """
    if not scores.units:
        return math.nan
    gain = float(np.sum(scores.logprobs) - np.sum(scores.unigrams))
    return gain / len(scores.units)


def slor_per_word(scores: TokenScores, cost: Callable[[tuple[str, ...]], float]) -> float:
    """Return (ln p(S) - sum over words of ln u(w) - ln p_u of the ends) / words, from parts of words.

    Any number; higher is better. ``cost``: ln u(w) of a word of several units, the frequency of
    the first times the model's own probability of the others with nothing before the word, so that
    what a rare word costs to spell is taken out, as `<oov>` does in a model of words. Ends of
    sentences are in the sums and not among the words. Not in the paper. NaN as for `slor`.
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
    """Return the mean of ln(p / (p + u)), p of a unit in its context and u its frequency on its own.

    At most 0; higher is better. p / (p + u) is the chance that a unit stands there because of what
    stands before it, and was not drawn by its frequency alone, if either is as likely beforehand.
    SLOR, the mean of ln(p / u), lets one very likely unit make up for an unlikely one; here nothing
    makes up for it. Not in the paper. NaN as for `slor`.
    """
    if not scores.units or np.isnan(scores.unigrams).any():
        return math.nan
    return -float(np.logaddexp(0.0, scores.unigrams - scores.logprobs).sum()) / len(scores.units)


def nce(scores: TokenScores) -> float:
    """Return ln p(S) / |S|, at most 0; higher is better. NaN without units.

    The paper's name: the negative of what is otherwise called cross-entropy.
    """
    return float(np.sum(scores.logprobs)) / len(scores.units) if scores.units else math.nan


def perplexity(scores: TokenScores) -> float:
    """Return exp(-NCE), at least 1; lower is better. NaN without units."""
    try:
        return math.exp(-nce(scores))
    except OverflowError:
        return math.inf


BY_FREQUENCY = (slor, slor_per_word, belonging)
"""Those that are undefined where a model keeps no frequencies of its units."""

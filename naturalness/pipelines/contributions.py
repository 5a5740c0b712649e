"""How much each group of features moves a score, in log-odds.

The group's columns are put at the medians of training, all others stay: what the log-odds lose is
the group's. For a linear model these add up to the difference from a typical text; for others they
need not, since groups may work together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from naturalness.features.base import FloatArray
from naturalness.pipelines.store import Saved

SURE = 1e-6
"""Naturalness is kept this far from 0 and 1, where log-odds have no end."""
TOLD = 3
"""Groups that are told in words."""
LEAST = 0.05
"""Log-odds below which a group is not worth telling."""

WORDS = {
    "surface": "lengths", "typing": "typing", "lexical": "choice of words",
    "repetition": "repetition", "readability": "readability", "pos": "parts of speech",
    "dependency": "dependencies", "constituency": "phrase structure", "rules": "grammar rules",
    "gleu": "parser's doubts", "word_lm": "likelihood of words", "piece_lm":
    "likelihood of word pieces", "tag_lm": "order of parts of speech", "neural_lm":
    "neural likelihood", "damage": "damaged words", "grammar": "LanguageTool", "link":
    "Link Grammar", "gleu_link": "Link Grammar's doubts", "pll": "pseudo-likelihood",
    "gruen": "GRUEN",
}  # fmt: skip
"""What groups are called for people; others by their name."""


def log_odds(saved: Saved, table: FloatArray) -> FloatArray:
    """Log-odds of naturalness, (n,), of rows of the model's columns."""
    naturalness = saved.description.verdict.naturalness(saved.compiled.decide(table))
    sure = np.clip(naturalness, SURE, 1 - SURE)
    odds: FloatArray = np.log(sure) - np.log1p(-sure)
    return odds


def contributions(
    saved: Saved, table: FloatArray, groups: Sequence[NDArray[np.int64]]
) -> FloatArray:
    """Log-odds (n, groups) that each group of columns adds; below 0 it makes a text unnatural."""
    whole = log_odds(saved, table)
    fill = saved.compiled.preparation.fill
    found = np.empty((len(table), len(groups)))
    for i, columns in enumerate(groups):
        typical = table.copy()
        typical[:, columns] = fill[columns]
        found[:, i] = whole - log_odds(saved, typical)
    return found


def in_words(names: Sequence[str], values: Sequence[float]) -> str:
    """The groups that move a score most: ``damaged words -1.2; grammar rules -0.4``."""
    order = sorted(range(len(names)), key=lambda i: (-abs(values[i]), i))
    told = [i for i in order[:TOLD] if abs(values[i]) >= LEAST]
    return "; ".join(f"{WORDS.get(names[i], names[i])} {values[i]:+.1f}" for i in told)

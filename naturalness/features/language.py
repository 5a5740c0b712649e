"""Likelihood under n-gram models: probability, SLOR, and the least likely units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Columns, Feature, Requirement, expand_table, ratio, stack
from naturalness.features.requirements import asset, named_model
from naturalness.models.language import shipped
from naturalness.models.language.base import OWN_MODEL, LanguageModel, TokenScores
from naturalness.models.language.likelihood import nce, slor
from naturalness.models.language.spec import checksum_of, is_shipped, open_language_model
from naturalness.text.view import Doc

LN10 = math.log(10.0)
MAX_ORDER = 5
MIN_UNITS = 3
"""The number of lowest values that are averaged; if a text has fewer units, all its values are averaged."""
UNIT_WORDS = {"piece": "word piece"}
"""Display names of units, where they differ from the names in code."""


@cache
def likelihood_features(unit: str, *, parsed: bool = False) -> tuple[Feature, ...]:
    """Return the features of a language model whose units are of this kind."""
    names = {"unit": unit, "title": UNIT_WORDS.get(unit, unit)}
    features = expand_table("likelihood", [names])
    return tuple(replace(feature, parsed=True) for feature in features) if parsed else features


def likelihood_values(scores: TokenScores) -> tuple[float, ...] | None:
    """Return one row, in the order of `likelihood_features`; None if the text has no units."""
    n = len(scores.units)
    if not n:
        return None
    logs = scores.logprobs
    inner = scores.tokens >= 0
    ends = logs[~inner]
    total = float(logs.sum())
    off_mean = logs - total / n
    lowest = np.sort(logs[inner])
    gains = np.sort((logs - scores.unigrams)[inner])
    hits = np.full(MAX_ORDER, NAN)
    if scores.lengths.any():  # all 0 if the model has no n-grams
        hits = np.bincount(np.minimum(scores.lengths, MAX_ORDER), minlength=MAX_ORDER + 1)[1:] / n
    return (
        total / LN10,
        float(np.exp(min(-total / n, 700.0))),
        nce(scores),
        slor(scores),
        float(lowest[0]),
        _first_mean(lowest),
        float(gains[0]),
        _first_mean(gains),
        float((off_mean * off_mean).sum()) / n,
        ratio(float(ends.sum()), len(ends)),
        int(scores.unknown.sum()) / len(lowest),
        *hits.tolist(),
    )


def lowest_mean(values: FloatArray) -> float:
    """Return the mean of the `MIN_UNITS` lowest values, or of all values if there are fewer."""
    return _first_mean(np.sort(values))


def _first_mean(values: FloatArray) -> float:
    lowest = values[:MIN_UNITS]
    return float(lowest.sum()) / len(lowest)


@dataclass(frozen=True)
class LikelihoodFeatures:
    """Likelihood under an n-gram model of words or word pieces, which reads one sentence at a time.

    A text typed in lower case is read as if it were capitalised.
    """

    name: str
    unit: str
    open: Callable[[], LanguageModel]
    requires: tuple[Requirement, ...]
    parsed: bool = False
    """Whether the units may be tags, so that the text must be parsed."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the group's kind of unit."""
        return likelihood_features(self.unit, parsed=self.parsed)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(map(likelihood_values, self.open().token_logprobs(docs)), len(self.features))

    def prepare(self) -> None:
        """Open the model if it is a shipped one, which is opened once per process; do nothing for other models."""
        if not self.name.startswith(OWN_MODEL):
            self.open()


TAG_ORDERS = (1, 2, 3, 5)


@dataclass(frozen=True)
class TagFeatures:
    """Likelihood under n-gram models of Penn tags, of orders 1, 2, 3 and 5."""

    name: str
    open: Callable[[int], LanguageModel]
    requires: tuple[Requirement, ...]

    features = Columns("tag_lm")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        scored = [self.open(order).token_logprobs(docs) for order in TAG_ORDERS[1:]]
        return stack(map(_tag_values, zip(*scored, strict=True)), len(self.features))

    def prepare(self) -> None:
        """Open the models."""
        for order in TAG_ORDERS[1:]:
            self.open(order)


def _tag_values(by_order: Sequence[TokenScores]) -> tuple[float, ...] | None:
    """Return one row; None if the text has no units.

    The values of order 1 come from the relative frequencies that models of every order store.
    """
    longest = by_order[-1]
    n = len(longest.units)
    if not n:
        return None
    sums = [float(longest.unigrams.sum()), *(float(scores.logprobs.sum()) for scores in by_order)]
    return (
        *(total / LN10 for total in sums),
        *(total / n for total in sums),
        *((total - sums[0]) / n for total in sums[1:]),
        lowest_mean(longest.logprobs[longest.tokens >= 0]),
    )


@cache
def model_group(name: str) -> LikelihoodFeatures:
    """Return the group that uses the user's own language model, given the group's name, ``lm:MODEL``."""
    spec = name.removeprefix(OWN_MODEL)
    need = named_model(OWN_MODEL, spec, checksum_of, english=is_shipped(spec))
    return LikelihoodFeatures(name, "unit", partial(open_language_model, spec), (need,), parsed=True)


def shipped_group(name: str) -> LikelihoodFeatures | TagFeatures:
    """Return the group with this name; it uses a shipped model, which is opened on first use."""
    if name == "tag_lm":
        return TagFeatures(name, shipped.tags, (asset("tags"),))
    unit, model, needed = SHIPPED[name]
    return LikelihoodFeatures(name, unit, model, (asset(needed),))


SHIPPED = {"word_lm": ("word", shipped.words, "words"), "piece_lm": ("piece", shipped.pieces, "pieces")}
"""The unit, model and asset of each group that uses a shipped model of words or word pieces."""

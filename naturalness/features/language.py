"""What the n-gram models say of a text: its probability, its SLOR, its least likely places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, TOTAL, Feature, ratio
from naturalness.features.requirements import Requirement, asset, named_model
from naturalness.models.language import shipped
from naturalness.models.language.base import OWN_MODEL, LanguageModel, TokenScores
from naturalness.models.language.likelihood import nce, slor
from naturalness.models.language.spec import checksum_of, is_shipped, open_language_model

if TYPE_CHECKING:
    from spacy.tokens import Doc

LN10 = math.log(10.0)
MAX_ORDER = 5
MIN_UNITS = 3
"""Units over which the lowest are averaged, or all where there are fewer."""
UNIT_WORDS = {"piece": "word piece"}
"""What units are called for people, where their name would not say it."""
GROVES = "Groves et al. 2018"
KANN = "Kann et al. 2018"


def likelihood_features(unit: str, title: str = "") -> tuple[Feature, ...]:
    """The features of a model over one kind of unit, which ``title`` names for people."""
    end = "ends of sentences included"
    title = title or unit
    lowest = f"{unit}s, ends of sentences left out"
    return (
        Feature(
            "score",
            f"log10 p(text), {end}",
            "..0",
            "more likely",
            GROVES,
            TOTAL,
            words=f"log-probability of the {title}s",
        ),
        Feature(
            "perplexity",
            f"10 ** (-score / n), n {unit}s, {end}",
            "1..",
            "less likely",
            GROVES,
            words=f"perplexity of the {title}s",
        ),
        Feature(
            "nce", f"ln p(text) / n, {end}", "..0", f"more likely per {unit}", KANN, words=f"likelihood of the {title}s"
        ),
        Feature(
            "slor",
            f"(ln p(text) - ln of the product of unigram probabilities) / n, {end}",
            "any",
            f"likelier than the {unit}s alone would be",
            KANN,
            words=f"likelihood of the {title}s, their frequency aside",
        ),
        Feature(
            "lowest",
            f"least ln p(unit | those before) of the {lowest}",
            "..0",
            "no unlikely place",
            words=f"likelihood of the least likely {title}",
        ),
        Feature(
            "lowest_three",
            f"mean of the three least of the {lowest}",
            "..0",
            "few unlikely places",
            words=f"likelihood of the three least likely {title}s",
        ),
        Feature(
            "lowest_gain",
            f"least ln p(unit | those before) - ln unigram probability of the {lowest}",
            "any",
            f"no {unit} that its context speaks against",
            words=f"fit of the {title} that fits its context least",
        ),
        Feature(
            "lowest_three_gain",
            "mean of the three smallest of these differences",
            "any",
            f"few {unit}s that their context speaks against",
            words=f"fit of the three {title}s that fit their context least",
        ),
        Feature(
            "variance",
            f"variance of ln p(unit | those before), {end}",
            "0..",
            "likely and unlikely places mixed",
            words=f"unevenness of the likelihood of {title}s",
        ),
        Feature(
            "end",
            "mean of ln p(end of sentence | the words before)",
            "..0",
            "sentences end where one may end",
            words=f"likelihood of the ends of sentences, by {title}s",
        ),
        Feature(
            "unknown_share",
            f"{unit}s outside the vocabulary / {unit}s",
            "0..1",
            "more unknown",
            words=f"{title}s that the language model does not know",
        ),
        *(
            Feature(
                f"hits_{n}",
                f"share of n whose longest known n-gram has length {n}"
                + (" or more" if n == MAX_ORDER else "")
                + f", {end}",
                "0..1",
                "context known further back" if n > 2 else "context less known",
                words=f"{title}s known {_context(n)}",
            )
            for n in range(1, MAX_ORDER + 1)
        ),
    )


def _context(n: int) -> str:
    """With how much context an n-gram of length ``n`` is known."""
    return (
        "without any context",
        "with one before",
        "with two before",
        "with three before",
        "with four or more before",
    )[n - 1]


def likelihood_values(scores: TokenScores) -> tuple[float, ...]:
    """One row, in the order of `likelihood_features`."""
    n = len(scores.units)
    if not n:
        return (NAN,) * (11 + MAX_ORDER)
    logs = scores.logprobs
    inner = scores.tokens >= 0
    ends = logs[~inner]
    total = float(logs.sum())
    off_mean = logs - total / n
    lowest = np.sort(logs[inner])
    gains = np.sort((logs - scores.unigrams)[inner])
    hits = np.full(MAX_ORDER, NAN)
    if scores.lengths.any():  # 0 where a model has no n-grams
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
    """Mean of the `FEWEST` lowest values."""
    return _first_mean(np.sort(values))


def _first_mean(values: FloatArray) -> float:
    lowest = values[:MIN_UNITS]
    return float(lowest.sum()) / len(lowest)


@dataclass(frozen=True)
class LikelihoodFeatures:
    """What an n-gram model over words or word pieces says of a text, sentence by sentence.

    A text typed without capitals is read as if it had them.
    """

    name: str
    unit: str
    open: Callable[[], LanguageModel]
    requires: tuple[Requirement, ...]
    parsed: frozenset[str] | None = TOKENS_ALONE
    """None where its units are tags, or may be."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        return likelihood_features(self.unit, UNIT_WORDS.get(self.unit, ""))

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        rows = [likelihood_values(scores) for scores in self.open().token_logprobs(docs)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(self.features))

    def prepare(self) -> None:
        """Open the model, if it is a shipped one: those are opened once, whoever asks."""
        if not self.name.startswith(OWN_MODEL):
            self.open()


TAG_WORDS = {1: "one by one", 2: "in pairs", 3: "in threes", 5: "in fives"}
"""The orders, and how many tags are seen together."""
TAG_ORDERS = tuple(TAG_WORDS)


@dataclass(frozen=True)
class TagFeatures:
    """What n-gram models over Penn tags, of orders 1, 2, 3 and 5, say of a text."""

    name: str
    open: Callable[[int], LanguageModel]
    requires: tuple[Requirement, ...]

    @property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        return (
            *(
                Feature(
                    f"score_{order}",
                    f"log10 p(tags), order {order}, ends of sentences included",
                    "..0",
                    "more likely",
                    GROVES,
                    TOTAL,
                    words=f"log-probability of the word classes, {TAG_WORDS[order]}",
                )
                for order in TAG_ORDERS
            ),
            *(
                Feature(
                    f"nce_{order}",
                    f"ln p(tags) / n, order {order}",
                    "..0",
                    "more likely per tag",
                    KANN,
                    words=f"likelihood of the word classes, {TAG_WORDS[order]}",
                )
                for order in TAG_ORDERS
            ),
            *(
                Feature(
                    f"slor_{order}",
                    f"nce_{order} - nce_1",
                    "any",
                    "likelier than the tags alone would be",
                    KANN,
                    words=f"likelihood of the order of word classes, {TAG_WORDS[order]}",
                )
                for order in TAG_ORDERS[1:]
            ),
            Feature(
                "lowest_three",
                "mean of the three least ln p(tag | four before)",
                "..0",
                "few unlikely places",
                words="likelihood of the three least likely word classes",
            ),
        )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        scored = [self.open(order).token_logprobs(docs) for order in TAG_ORDERS[1:]]
        rows = [_tag_values(by_order) for by_order in zip(*scored, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(self.features))

    def prepare(self) -> None:
        """Open the models."""
        for order in TAG_ORDERS[1:]:
            self.open(order)


def _tag_values(by_order: Sequence[TokenScores]) -> tuple[float, ...]:
    """One row; an n-gram of order 1 is the relative frequency, which every model keeps."""
    longest = by_order[-1]
    n = len(longest.units)
    if not n:
        return (NAN,) * (3 * len(TAG_ORDERS))
    sums = [float(longest.unigrams.sum()), *(float(scores.logprobs.sum()) for scores in by_order)]
    return (
        *(total / LN10 for total in sums),
        *(total / n for total in sums),
        *((total - sums[0]) / n for total in sums[1:]),
        lowest_mean(longest.logprobs[longest.tokens >= 0]),
    )


@cache
def model_group(name: str) -> LikelihoodFeatures:
    """The group over a language model of one's own, named ``lm:MODEL``."""
    spec = name.removeprefix(OWN_MODEL)
    need = named_model(OWN_MODEL, spec, checksum_of, english=is_shipped(spec))
    return LikelihoodFeatures(name, "unit", partial(open_language_model, spec), (need,), parsed=None)


def shipped_groups() -> tuple[LikelihoodFeatures, LikelihoodFeatures, TagFeatures]:
    """The groups over the shipped models, which open when first used."""
    return (
        LikelihoodFeatures("word_lm", "word", shipped.words, (asset("words"),)),
        LikelihoodFeatures("piece_lm", "piece", shipped.pieces, (asset("pieces"),)),
        TagFeatures("tag_lm", shipped.tags, (asset("tags"),)),
    )

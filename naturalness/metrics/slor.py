"""Language-model metrics, which need no references: SLOR and its variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Literal

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.metrics.base import References
from naturalness.models.language import shipped
from naturalness.models.language.base import OWN_MODEL, LanguageModel, SpellingModel, TokenScores
from naturalness.models.language.likelihood import BY_FREQUENCY, belonging, nce, perplexity, slor, slor_per_word
from naturalness.text.view import Doc

Units = Literal["words", "pieces", "neural"]
PLACEHOLDER = "MODEL"


def shipped_model(units: Units) -> LanguageModel:
    """Return the shipped n-gram model of words or word pieces, or the shipped neural model, opened once per process."""
    return shipped.neural() if units == "neural" else shipped.shipped(units)


@dataclass(frozen=True)
class LikelihoodMetric:
    """A metric computed from a language model's scores; use `dataclasses.replace` to set another ``model``."""

    name: str
    units: Units
    formula: Callable[..., float]
    """A function of `TokenScores`; if `per_word` is true, it also takes a function that returns the cost of a word."""
    description: str
    higher_is_better: bool = True
    model: LanguageModel | None = None
    """The language model; None means the model that ``spec`` names."""
    spec: str = ""
    """A spec for `open_language_model`; if empty, the shipped model of `units` is used."""
    per_word: bool = False
    needs_references: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """The name, the model and the version."""
        return f"{self.name}|lm:{self._opened().signature}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for a Doc that has no words."""
        model = self._opened()
        formula: Callable[[TokenScores], float] = self.formula
        if self.per_word:
            formula = partial(self.formula, cost=costs(model, self.name))
        return np.array([formula(scores) for scores in model.token_logprobs(docs)], np.float64)

    def _opened(self) -> LanguageModel:
        if self.model is not None:
            return self.model
        return self._opened_by_name() if self.spec else shipped_model(self.units)

    def _opened_by_name(self) -> LanguageModel:
        from naturalness.models.language.spec import open_language_model

        model = open_language_model(self.spec)
        if self.formula in BY_FREQUENCY and not model.keeps_frequencies:
            raise ModelError(
                f"metric {self.name!r} needs the frequencies of units, and language model "
                f"{model.name!r} keeps none; take nce:{OWN_MODEL}{self.spec} or ppl:{OWN_MODEL}"
                f"{self.spec}, or a model made by `naturalness lm train`"
            )
        return model


def costs(model: LanguageModel, name: str) -> Callable[[tuple[str, ...]], float]:
    """Return a cached function that gives the log-probability of a word in isolation.

    Raise `ModelError` if the model cannot compute it.
    """
    if not isinstance(model, SpellingModel):
        raise ModelError(
            f"{name} needs a model that gives the cost of a word by itself; {model.name!r} does "
            "not: take one of word pieces, such as the shipped"
        )
    return lru_cache(maxsize=REMEMBERED)(model.spelled)


REMEMBERED = 1 << 16
SOURCE = "Kann, Rothe & Filippova (2018)"
SLOR = "(ln p(S) - ln of the product of the unigram probabilities) / |S|; any number"
PER_WORD = "(ln p(S) - ln of the product of the probabilities of words on their own) / words; any number"
BELONGING = "mean of ln(p / (p + u)), u a unit's frequency; at most 0"
NCE = "ln p(S) / |S|; at most 0"
PPL = "exp(-ln p(S) / |S|); at least 1, lower is better"
MODELS: Mapping[Units, str] = {
    "words": "n-grams of words",
    "pieces": "n-grams of word pieces",
    "neural": "a small network and n-grams of word pieces, mixed",
}
ROWS: tuple[tuple[str, Units, Callable[..., float], str, str], ...] = (
    ("slor", "words", slor, SLOR, SOURCE),
    ("wpslor", "pieces", slor, SLOR, SOURCE),
    ("wpslor-words", "pieces", slor_per_word, PER_WORD, f"{SOURCE}, changed"),
    ("belonging", "words", belonging, BELONGING, ""),
    ("wpbelonging", "pieces", belonging, BELONGING, ""),
    ("belonging:neural", "neural", belonging, BELONGING, ""),
    ("nce", "words", nce, NCE, SOURCE),
    ("wpnce", "pieces", nce, NCE, SOURCE),
    ("slor:neural", "neural", slor, SLOR, SOURCE),
    ("nce:neural", "neural", nce, NCE, SOURCE),
    ("ppl", "words", perplexity, PPL, SOURCE),
    ("wpppl", "pieces", perplexity, PPL, SOURCE),
)
LIKELIHOOD_METRICS = tuple(
    LikelihoodMetric(
        name,
        units,
        formula,
        "; ".join(filter(None, (what, MODELS[units], source))),
        higher_is_better=formula is not perplexity,
        per_word=formula is slor_per_word,
    )
    for name, units, formula, what, source in ROWS
)
NAMED_MODEL = "the language model that is named"
OWN_MODELS: Mapping[str, LikelihoodMetric] = {
    metric.name: metric
    for metric in (
        LikelihoodMetric(
            f"{kind}:{OWN_MODEL}{PLACEHOLDER}",
            "words",
            formula,
            f"{what}; {NAMED_MODEL}",
            higher_is_better=formula is not perplexity,
            spec=PLACEHOLDER,
        )
        for kind, formula, what in (
            ("slor", slor, SLOR),
            ("belonging", belonging, BELONGING),
            ("nce", nce, NCE),
            ("ppl", perplexity, PPL),
        )
    )
}
"""Metrics for a language model that the user names, keyed by name; ``MODEL`` stands for a spec of the model."""


def model_metric(name: str) -> LikelihoodMetric | None:
    """Return the metric of `OWN_MODELS` for a name that includes a language model; None for any other name."""
    kind, prefix, spec = name.partition(f":{OWN_MODEL}")
    metric = OWN_MODELS.get(f"{kind}{prefix}{PLACEHOLDER}") if spec else None
    return replace(metric, name=name, spec=spec) if metric else None

"""Language-model metrics, which need no references: SLOR and its variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from naturalness.errors import ModelError
from naturalness.metrics.base import ComputedMetric
from naturalness.models.language import shipped
from naturalness.models.language.base import OWN_MODEL, LanguageModel, TokenScores
from naturalness.models.language.likelihood import BY_FREQUENCY, belonging, nce, perplexity, slor, slor_per_word
from naturalness.text.view import Doc

Formula = Callable[[TokenScores], float]
OpenModel = Callable[[], LanguageModel]


def likelihood_metric(name: str, formula: Formula, open: OpenModel, description: str) -> ComputedMetric:
    """Return a metric that applies a formula to the scores of a language model, which ``open`` returns."""
    higher = formula is not perplexity
    return ComputedMetric(
        name, partial(_scores, formula, open), partial(_settings, open), description, higher_is_better=higher
    )


def _scores(formula: Formula, open: OpenModel, docs: Sequence[Doc]) -> list[float]:
    """Return one number per Doc; NaN for a Doc that has no words."""
    return [formula(scores) for scores in open().token_logprobs(docs)]


def _settings(open: OpenModel) -> str:
    return f"lm:{open().signature}"


def _scores_per_word(docs: Sequence[Doc]) -> list[float]:
    """Return SLOR per word under the shipped model of word pieces."""
    model = shipped.pieces()
    cost = lru_cache(maxsize=1 << 16)(model.spelled)
    return [slor_per_word(scores, cost) for scores in model.token_logprobs(docs)]


SOURCE = "Kann, Rothe & Filippova (2018)"
SLOR = "(ln p(S) - ln of the product of the unigram probabilities) / |S|; any number"
PER_WORD = "(ln p(S) - ln of the product of the probabilities of words on their own) / words; any number"
BELONGING = "mean of ln(p / (p + u)), u a unit's frequency; at most 0"
NCE = "ln p(S) / |S|; at most 0"
PPL = "exp(-ln p(S) / |S|); at least 1, lower is better"
WORDS, PIECES = "n-grams of words", "n-grams of word pieces"
MIXED = "a small network and n-grams of word pieces, mixed"
WPSLOR = likelihood_metric("wpslor", slor, shipped.pieces, f"{SLOR}; {PIECES}; {SOURCE}")
LIKELIHOOD_METRICS = (
    likelihood_metric("slor", slor, shipped.words, f"{SLOR}; {WORDS}; {SOURCE}"),
    WPSLOR,
    ComputedMetric(
        "wpslor-words", _scores_per_word, partial(_settings, shipped.pieces), f"{PER_WORD}; {PIECES}; {SOURCE}, changed"
    ),
    likelihood_metric("belonging", belonging, shipped.words, f"{BELONGING}; {WORDS}"),
    likelihood_metric("wpbelonging", belonging, shipped.pieces, f"{BELONGING}; {PIECES}"),
    likelihood_metric("belonging:neural", belonging, shipped.neural, f"{BELONGING}; {MIXED}"),
    likelihood_metric("nce", nce, shipped.words, f"{NCE}; {WORDS}; {SOURCE}"),
    likelihood_metric("wpnce", nce, shipped.pieces, f"{NCE}; {PIECES}; {SOURCE}"),
    likelihood_metric("slor:neural", slor, shipped.neural, f"{SLOR}; {MIXED}; {SOURCE}"),
    likelihood_metric("nce:neural", nce, shipped.neural, f"{NCE}; {MIXED}; {SOURCE}"),
    likelihood_metric("ppl", perplexity, shipped.words, f"{PPL}; {WORDS}; {SOURCE}"),
    likelihood_metric("wpppl", perplexity, shipped.pieces, f"{PPL}; {PIECES}; {SOURCE}"),
)
FORMULAS: Mapping[str, tuple[Formula, str]] = {
    "slor": (slor, SLOR),
    "belonging": (belonging, BELONGING),
    "nce": (nce, NCE),
    "ppl": (perplexity, PPL),
}
"""The formulas for a language model that the user names, and their descriptions."""
OWN_MODELS = tuple(f"{kind}:{OWN_MODEL}MODEL" for kind in FORMULAS)
"""Names of metrics for a language model that the user names; ``MODEL`` stands for a spec of the model."""


def model_metric(name: str) -> ComputedMetric | None:
    """Return the metric for a name that includes a language model, as in `OWN_MODELS`; None for any other name."""
    kind, _, spec = name.partition(f":{OWN_MODEL}")
    if kind not in FORMULAS or not spec:
        return None
    formula, what = FORMULAS[kind]
    opened = partial(_opened_by_name, name, spec, formula in BY_FREQUENCY)
    return likelihood_metric(name, formula, opened, f"{what}; the language model that is named")


def _opened_by_name(name: str, spec: str, by_frequency: bool) -> LanguageModel:
    from naturalness.models.language.spec import open_language_model

    model = open_language_model(spec)
    if by_frequency and not model.keeps_frequencies:
        raise ModelError(
            f"metric {name!r} needs the frequencies of units, and language model {model.name!r} has none; use "
            f"nce:{OWN_MODEL}{spec} or ppl:{OWN_MODEL}{spec}, or a model made by `naturalness lm train`"
        )
    return model

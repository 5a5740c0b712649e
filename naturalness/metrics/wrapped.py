"""Metrics from other packages, with those packages' defaults: BLEU, chrF, TER, ROUGE-1 to ROUGE-4, METEOR.

Candidates and references are normalised (`naturalness.text.normalisation`), because rated sets mix detokenised
candidates with tokenised references, and ``area ?`` should match ``area?``. Case is left to each package. Scores keep
the package's scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from typing import Any, NamedTuple

from naturalness.files.resources import require_package
from naturalness.metrics.base import ComputedMetric
from naturalness.metrics.references import Measure, Read, ReferenceRows, reference_metric

BLEU_ORDERS = (1, 2, 3, 4)


class OpenedMeasure(NamedTuple):
    """A metric from another package, ready to use."""

    measure: Measure
    settings: str
    """The signature that the package gives or, if it gives none, its settings and version."""


def wrapped(
    name: str, package: str, open: Callable[[], OpenedMeasure], description: str, *, higher_is_better: bool = True
) -> ComputedMetric:
    """Return a metric from an optional package; the package is imported when the metric is first used."""
    opened = partial(_opened, name, package, open)
    return reference_metric(
        name,
        partial(_measure, opened),
        partial(_settings, package, opened),
        description,
        higher_is_better=higher_is_better,
        package=package,
    )


def _opened(name: str, package: str, open: Callable[[], OpenedMeasure]) -> OpenedMeasure:
    require_package(package, user=f"metric {name!r}", extra="metrics")
    return open()


def _measure(opened: Callable[[], OpenedMeasure], rows: ReferenceRows) -> Measure:
    return opened().measure


def _settings(package: str, opened: Callable[[], OpenedMeasure]) -> str:
    return f"{package}({opened().settings})"


def bleu_name(n: int) -> str:
    """Return the name of the metric BLEU of order ``n``; the name of order 4 is plain ``bleu``."""
    return "bleu" if n == max(BLEU_ORDERS) else f"bleu-{n}"


@cache
def _open_sacrebleu(name: str) -> OpenedMeasure:
    """Return a sentence-level metric of sacreBLEU; BLEU uses the effective order, as sacreBLEU recommends."""
    from sacrebleu.metrics import BLEU, CHRF, TER

    bleu = {bleu_name(n): partial(BLEU, effective_order=True, max_ngram_order=n) for n in BLEU_ORDERS}
    metric: Any = {**bleu, "chrf": CHRF, "ter": TER}[name]()
    # Otherwise the signature would state how many references the last scored text had.
    metric.num_refs = -1
    settings = str(metric.get_signature())
    if name in bleu:
        settings = f"n:{metric.max_ngram_order}|{settings}"  # sacreBLEU omits the order.

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        return float(metric.sentence_score(candidate.text, [r.text for r in references]).score)

    return OpenedMeasure(measure, settings)


@cache
def _open_rouge(n: int) -> OpenedMeasure:
    """Return a metric that uses rouge-score's `score_multi`, which gives the F1 for the best reference."""
    from rouge_score.rouge_scorer import RougeScorer

    kind = f"rouge{n}"
    scorer: Any = RougeScorer([kind])

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        scores = scorer.score_multi([r.text for r in references], candidate.text)
        return float(scores[kind].fmeasure)

    settings = f"refs:best|case:lower|stem:no|version:{version('rouge-score')}"
    return OpenedMeasure(measure, settings)


class _NoWordNet:
    """A replacement for WordNet that has no synonyms."""

    def synsets(self, word: str) -> list[Any]:
        """Return no synonym sets."""
        return []


class _RememberingStemmer:
    """A stemmer that caches its results."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        self.stem = lru_cache(maxsize=1 << 16)(stem)


@cache
def _open_meteor() -> OpenedMeasure:
    """Return METEOR (2007), applied to this package's tokens; it uses WordNet only if nltk finds it on this machine."""
    from nltk.corpus import wordnet
    from nltk.stem.porter import PorterStemmer
    from nltk.translate.meteor_score import meteor_score

    synonyms: Any = wordnet
    modules = "exact,stem,wordnet"
    try:
        wordnet.ensure_loaded()
    except LookupError:
        synonyms, modules = _NoWordNet(), "exact,stem"
    stemmer = _RememberingStemmer(PorterStemmer().stem)

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        tokens = [r.tokens for r in references]
        return float(meteor_score(tokens, candidate.tokens, stemmer=stemmer, wordnet=synonyms))

    settings = (
        f"modules:{modules}|alpha:0.9|beta:3|gamma:0.5|refs:best|case:lower|tok:naturalness|version:{version('nltk')}"
    )
    return OpenedMeasure(measure, settings)


WRAPPED_METRICS = (
    *(
        wrapped(
            bleu_name(n),
            "sacrebleu",
            partial(_open_sacrebleu, bleu_name(n)),
            f"sentence BLEU, {'1-grams' if n == 1 else f'1- to {n}-grams'} shared with any "
            "reference; 0..100; Papineni et al. (2002)",
        )
        for n in BLEU_ORDERS
    ),
    wrapped(
        "chrf",
        "sacrebleu",
        partial(_open_sacrebleu, "chrf"),
        "chrF2 of 1 to 6 characters, best of the references; 0..100; Popović (2015)",
    ),
    wrapped(
        "ter",
        "sacrebleu",
        partial(_open_sacrebleu, "ter"),
        "fewest edits and shifts to a reference / mean length of the references, in per cent; "
        "0 or more, lower is better; slow beyond 50 words; Snover et al. (2006)",
        higher_is_better=False,
    ),
    *(
        wrapped(
            f"rouge-{n}",
            "rouge_score",
            partial(_open_rouge, n),
            f"F1 of {n}-grams of letters and digits, best of the references; 0..1; Lin (2004)",
        )
        for n in (1, 2, 3, 4)
    ),
    wrapped(
        "meteor",
        "nltk",
        _open_meteor,
        "weighted F of matched words less a penalty for broken order, best of the references; "
        "0..1; Lavie & Agarwal (2007)",
    ),
)

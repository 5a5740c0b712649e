"""Metrics from other packages, with those packages' defaults: BLEU-1 to BLEU-3, TER, ROUGE-1 to ROUGE-4, METEOR.

Texts are normalised as for the metrics of naturalness (`naturalness.metrics.bleu`), and case is left to each package.
Scores keep the package's scale. The packages are imported when a metric is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from typing import Any, NamedTuple

from naturalness.metrics.base import ComputedMetric
from naturalness.metrics.bleu import sacrebleu_metric
from naturalness.metrics.references import Measure, Read, reference_metric


class OpenedMeasure(NamedTuple):
    """A metric from another package, ready to use."""

    measure: Measure
    settings: str
    """The settings and version of the package."""


def wrapped(name: str, package: str, open: Callable[[], OpenedMeasure], description: str) -> ComputedMetric:
    """Return a metric of another package."""
    return reference_metric(name, partial(_score, open), partial(_settings, package, open), description)


def _score(open: Callable[[], OpenedMeasure], candidate: Read, references: Sequence[Read]) -> float:
    return open().measure(candidate, references)


def _settings(package: str, open: Callable[[], OpenedMeasure]) -> str:
    return f"{package}({open().settings})"


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
        sacrebleu_metric(
            f"bleu-{n}",
            "BLEU",
            f"sentence BLEU, {'1-grams' if n == 1 else f'1- to {n}-grams'} shared with any "
            "reference; 0..100; Papineni et al. (2002)",
            order=n,
        )
        for n in (1, 2, 3)
    ),
    sacrebleu_metric(
        "ter",
        "TER",
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

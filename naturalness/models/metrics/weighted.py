"""Overlap with references in which an n-gram counts the more, the rarer it is in all references.

NIST after Doddington (2002); CIDEr-D after Vedantam, Zitnick & Parikh (CVPR 2015), with the
constants of its authors' code. Both are sums over a data set: a row's number depends on the others'
references.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.models.metrics.base import References
from naturalness.models.metrics.overlap import ngrams
from naturalness.models.metrics.references import Measure, Read, Rows, read_rows, score_rows

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")
Gram = tuple[str, ...]
NIST_LONGEST, CIDER_LONGEST = 5, 4
HALF = math.log(0.5) / math.log(2 / 3) ** 2
"""By which a text two thirds as long as its references keeps half of its NIST."""
SPREAD, TIMES = 6.0, 10.0
"""Of CIDEr-D: tokens by which lengths may differ (the deviation of a bell), and its scale."""


def nist(rows: Rows) -> Measure:
    """Mean information, in bits, of the candidate's n-grams that a reference has, n of 1 to 5.

    0 or more. The information of an n-gram is log2 of how often its beginning occurs in all
    references for each time that it does itself. A candidate shorter than the mean of its
    references loses by a penalty.
    """
    counts: Counter[Gram] = Counter()
    for references in rows:
        for one in references:
            for n in range(1, NIST_LONGEST + 1):
                counts.update(ngrams(one.tokens, n))
            counts[()] += len(one.tokens)

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        total = 0.0
        for n in range(1, NIST_LONGEST + 1):
            own = ngrams(candidate.tokens, n)
            if not own:
                break
            most = reduce(lambda a, b: a | b, (ngrams(one.tokens, n) for one in references))
            shared = own & most
            bits = sum(k * math.log2(counts[g[:-1]] / counts[g]) for g, k in shared.items())
            total += bits / own.total()
        length = sum(len(one.tokens) for one in references) / len(references)
        short = min(1.0, len(candidate.tokens) / length)
        return total * math.exp(HALF * math.log(short) ** 2)

    return measure


def cider(rows: Rows) -> Measure:
    """10 times the mean cosine of n-gram counts weighted by rarity, n of 1 to 4; 0 to 10.

    The weight of an n-gram is ln of how many rows there are for each row whose references have it.
    What a candidate has more often than the reference does not count, and lengths that differ cost.
    NaN where all n-grams of the references are in all rows, as in a set of one row.
    """
    known = [references for references in rows if references]
    found_in: Counter[Gram] = Counter()
    for references in known:
        found_in.update({g for r in references for n in range(CIDER_LONGEST) for g in ngrams(r.tokens, n + 1)})

    def weighted(one: Read, n: int) -> dict[Gram, float]:
        return {
            gram: count * math.log(len(known) / max(1, found_in[gram])) for gram, count in ngrams(one.tokens, n).items()
        }

    def cosine(candidate: Read, reference: Read, n: int) -> float:
        own, other = weighted(candidate, n), weighted(reference, n)
        lengths = math.hypot(*own.values()) * math.hypot(*other.values())
        if not lengths:
            return 0.0
        shared = sum(min(own[g], weight) * weight for g, weight in other.items() if g in own)
        apart = len(candidate.tokens) - len(reference.tokens)
        return shared / lengths * math.exp(-(apart**2) / (2 * SPREAD**2))

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        sizes = range(1, CIDER_LONGEST + 1)
        if not any(any(weighted(one, n).values()) for one in references for n in sizes):
            return NAN
        return TIMES * float(np.mean([cosine(candidate, r, n) for r in references for n in sizes]))

    return measure


@dataclass(frozen=True)
class WeightedMetric:
    """A number whose weights come from the references of all rows."""

    name: str
    open: Callable[[Rows], Measure]
    description: str
    higher_is_better: bool = True
    needs_references: bool = True
    set_dependent: bool = True
    package: str = ""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        return f"{self.name}|weights:of the set|case:lower|tok:naturalness|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for an empty text or one without references."""
        return score_rows(docs, references, self.open(read_rows(references)))


WEIGHTED_METRICS = (
    WeightedMetric(
        "nist",
        nist,
        "information of the shared 1- to 5-grams, in bits, by the references of the set; 0 or more; Doddington (2002)",
    ),
    WeightedMetric(
        "cider",
        cider,
        "CIDEr-D, cosine of 1- to 4-grams weighted by rarity in the references of the set; 0..10; "
        "Vedantam et al. (2015)",
    ),
)

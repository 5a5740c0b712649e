"""Overlap with references, on lower-cased tokens: ROUGE-L-single, ROUGE-W, n-gram overlap (LR), NIST and CIDEr-D.

ROUGE-W follows Lin (2004), but uses F1 and treats each text as a single sequence. LR2 and LR3 follow Toutanova
et al. (2016), as in Kann, Rothe & Filippova (2018). NIST (Doddington, 2002) and CIDEr-D (Vedantam, Zitnick & Parikh,
CVPR 2015, with the constants of its authors' code) give more weight to n-grams that are rare in the references, so a
row's score depends on the references of other rows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric, References
from naturalness.metrics.references import TOKENS, Measure, Read, read_row, reference_metric, score_rows
from naturalness.metrics.rouge import LCS, LIN, Tokens, rouge_l
from naturalness.text.view import Doc

NAN = float("nan")
RUNS = 1.2
"""The exponent of run lengths in ROUGE-W; this is the value usually passed to the script ROUGE-1.5.5."""


def rouge_w(candidate: Tokens, reference: Tokens, power: float = RUNS) -> float:
    """Return the F1 of a common subsequence in which a run of k tokens has the weight k ** power, 0..1.

    Recall and precision are raised to the inverse power, as in Lin's formula; the script ROUGE-1.5.5 scales them
    differently. As in Lin's algorithm, a match always extends the current run, so the subsequence is not always
    optimal. Return NaN if both texts are empty, and 0 if one is.
    """
    if not candidate or not reference:
        return 0.0 if candidate or reference else NAN
    shared: float = _weighted_length(candidate, reference, power) ** (1 / power)
    return 2 * shared / (len(candidate) + len(reference))


def _weighted_length(first: Tokens, second: Tokens, power: float) -> float:
    """Return the weight of the common subsequence that Lin's algorithm finds."""
    gains = [(k + 1) ** power - k**power for k in range(min(len(first), len(second)))]
    weights, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    for token in first:
        above, weights = weights, [0.0]
        diagonal, runs = runs, [0]
        for j, match in enumerate(second):
            if token == match:
                run = diagonal[j]
                weights.append(above[j] + gains[run])
                runs.append(run + 1)
            else:
                weights.append(max(above[j + 1], weights[j]))
                runs.append(0)
    return weights[-1]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """Return the count of each n-gram."""
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def overlap(candidate: Tokens, references: Sequence[Tokens], n: int) -> tuple[int, int, int]:
    """Return the numbers of shared n-grams, of n-grams in the candidate, and of n-grams in the union of the references.

    N-grams are counted as multisets; in the union, an n-gram has its highest count in any reference.
    """
    union: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        union |= ngrams(reference, n)
    grams = ngrams(candidate, n)
    return (grams & union).total(), grams.total(), union.total()


def overlap_recall(candidate: Tokens, references: Sequence[Tokens], n: int) -> float:
    """Return the recall of the n-grams in the union of the references, 0..1; NaN if the union is empty."""
    shared, _, n_union = overlap(candidate, references, n)
    return shared / n_union if n_union else NAN


def overlap_f(candidate: Tokens, references: Sequence[Tokens], n: int) -> float:
    """Return the F1 of n-grams, compared with the union of the references, 0..1; NaN if the union is empty."""
    shared, n_grams, n_union = overlap(candidate, references, n)
    return 2 * shared / (n_grams + n_union) if n_union else NAN


def _first_rouge_l(candidate: Read, references: Sequence[Read]) -> float:
    return rouge_l(candidate.tokens, references[0].tokens)


def _best_rouge_w(candidate: Read, references: Sequence[Read]) -> float:
    return max(rouge_w(candidate.tokens, reference.tokens) for reference in references)


def _by_ngrams(
    formula: Callable[[Tokens, Sequence[Tokens], int], float], n: int, candidate: Read, references: Sequence[Read]
) -> float:
    return formula(candidate.tokens, [reference.tokens for reference in references], n)


UNION = "of the union of the references' n-grams; 0..1; Toutanova et al. (2016)"
OVERLAP_METRICS = tuple(
    reference_metric(name, measure, f"{settings}|{TOKENS}", description)
    for name, measure, settings, description in (
        ("rouge-l-single", _first_rouge_l, "beta:1|refs:first", f"{LCS} with the first reference; {LIN}"),
        (
            "rouge-w",
            _best_rouge_w,
            f"weight:{RUNS}|beta:1|refs:best",
            f"rouge-l in which a run of k tokens counts k ** {RUNS}, best of the references; {LIN}",
        ),
        ("lr2-r", partial(_by_ngrams, overlap_recall, 2), "n:2|refs:union", f"recall of bigrams {UNION}"),
        ("lr2-f", partial(_by_ngrams, overlap_f, 2), "n:2|beta:1|refs:union", f"F1 of bigrams {UNION}"),
        ("lr3-r", partial(_by_ngrams, overlap_recall, 3), "n:3|refs:union", f"recall of trigrams {UNION}"),
        ("lr3-f", partial(_by_ngrams, overlap_f, 3), "n:3|beta:1|refs:union", f"F1 of trigrams {UNION}"),
    )
)
Gram = tuple[str, ...]
NIST_LONGEST, CIDER_LONGEST = 5, 4
HALF = math.log(0.5) / math.log(2 / 3) ** 2
"""The exponent of the brevity penalty. It halves the score of a text two thirds as long as its references."""
SPREAD, TIMES = 6.0, 10.0
"""Constants of CIDEr-D: the standard deviation of the length penalty in tokens, and the factor that scales scores."""


ReferenceRows = Sequence[Sequence[Read]]
"""The nonempty references of each text."""


def nist(rows: ReferenceRows) -> Measure:
    """Return the NIST measure for a set of rows.

    NIST is the sum, for n from 1 to 5, of the mean information in bits of the candidate's n-grams, where n-grams that
    no reference contains count as 0. The information of an n-gram is log2(count of its prefix / its own count), counted
    in the references of all rows. A candidate shorter than the mean of its references is penalised. NIST is at least 0.
    """
    counts: Counter[Gram] = Counter()
    for references in rows:
        for reference in references:
            for n in range(1, NIST_LONGEST + 1):
                counts.update(ngrams(reference.tokens, n))
            counts[()] += len(reference.tokens)

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        total = 0.0
        for n in range(1, NIST_LONGEST + 1):
            grams = ngrams(candidate.tokens, n)
            if not grams:
                break
            most = reduce(lambda a, b: a | b, (ngrams(reference.tokens, n) for reference in references))
            shared = grams & most
            bits = sum(k * math.log2(counts[g[:-1]] / counts[g]) for g, k in shared.items())
            total += bits / grams.total()
        length = sum(len(reference.tokens) for reference in references) / len(references)
        short = min(1.0, len(candidate.tokens) / length)
        return total * math.exp(HALF * math.log(short) ** 2)

    return measure


def cider(rows: ReferenceRows) -> Measure:
    """Return the CIDEr-D measure for a set of rows.

    CIDEr-D is 10 times the cosine of idf-weighted n-gram counts, averaged over the references and n from 1 to 4; it
    lies in 0..10. The idf of an n-gram is ln(number of rows / number of rows whose references contain it). The
    candidate's counts are clipped to the reference's counts, and differences in length are penalised. The result is NaN
    if every n-gram of the references occurs in all rows, as in a set of one row.
    """
    known = [references for references in rows if references]
    n_rows: Counter[Gram] = Counter()
    for references in known:
        n_rows.update({g for r in references for n in range(CIDER_LONGEST) for g in ngrams(r.tokens, n + 1)})

    def weighted(reference: Read, n: int) -> dict[Gram, float]:
        return {
            gram: count * math.log(len(known) / max(1, n_rows[gram]))
            for gram, count in ngrams(reference.tokens, n).items()
        }

    def cosine(candidate: Read, reference: Read, n: int) -> float:
        vector, other = weighted(candidate, n), weighted(reference, n)
        lengths = math.hypot(*vector.values()) * math.hypot(*other.values())
        if not lengths:
            return 0.0
        shared = sum(min(vector[g], weight) * weight for g, weight in other.items() if g in vector)
        apart = len(candidate.tokens) - len(reference.tokens)
        return shared / lengths * math.exp(-(apart**2) / (2 * SPREAD**2))

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        sizes = range(1, CIDER_LONGEST + 1)
        if not any(any(weighted(reference, n).values()) for reference in references for n in sizes):
            return NAN
        return TIMES * float(np.mean([cosine(candidate, r, n) for r in references for n in sizes]))

    return measure


def score_set(
    open: Callable[[ReferenceRows], Measure], docs: Sequence[Doc], references: References | None
) -> FloatArray:
    """Return the score of each Doc by a measure whose weights come from the references of all rows."""
    return score_rows(open(list(map(read_row, references or ()))), docs, references)


WEIGHTED_METRICS = tuple(
    ComputedMetric(name, partial(score_set, open), f"weights:of the set|{TOKENS}", description, needs_references=True)
    for name, open, description in (
        (
            "nist",
            nist,
            "information of the shared 1- to 5-grams, in bits, by the references of the set; 0 or more; "
            "Doddington (2002)",
        ),
        (
            "cider",
            cider,
            "CIDEr-D, cosine of 1- to 4-grams weighted by rarity in the references of the set; 0..10; "
            "Vedantam et al. (2015)",
        ),
    )
)

"""SARI: n-grams kept, deleted and added relative to the source, compared with the references.

After Xu et al. (TACL 2016), per sentence, as computed by EASSE (Alva-Manchego et al., EMNLP 2019,
`sari_sentence`): n-grams are counted with multiplicity, where the authors' script averages over distinct
ones. The score is the mean over n of the F1 of kept and added n-grams and the precision of deleted ones,
so that deleting too little costs nothing. A share of an empty set is 0, as in both: a text that repeats
its source, like its references, scores 33.

The source column of rated generation data may contain meaning representations: slots and values, triples,
logical forms. These are no texts to rewrite and count as missing sources.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric, References, Sources
from naturalness.metrics.overlap import Tokens, ngrams
from naturalness.metrics.references import TOKENS, complete_rows, read_reference

if TYPE_CHECKING:
    from spacy.tokens import Doc

MAX_N = 4
MAX_SARI = 100.0
_ACT = r"\??[\w-]+\([^()]*(?:\([^()]*\)[^()]*)*\)"
_SLOT = r"\w+(?: \w+){0,3}\[[^\[\]]*\]"
_PAIR = r"\w+=[^\s=,;|][^=,;|]*"
MEANINGS = (
    re.compile(rf"{_ACT}(?:\s*(?:[&|,;]\s*)?{_ACT})*\.?"),  # inform(name='X';area=north)
    re.compile(rf"{_SLOT}(?:\s*(?:[,;]\s*)?{_SLOT})*\.?"),  # name[X], area[north]
    re.compile(rf"{_PAIR}(?:[,;|]\s*{_PAIR})*"),  # name=X; area=north
    re.compile(r"\(\s*\w+\s*/\s*\w.*\)", re.DOTALL),  # (w / want-01 :ARG0 (b / boy))
)
TRIPLE = re.compile(r"[^|]+\|\s*(?:[a-z]+[A-Z]\w*|\w+_\w*)\s*\|[^|]+")  # X | locatedIn | Y
BETWEEN_TRIPLES = re.compile(r"\n|&&|<SEP>")


def sari(source: Tokens, candidate: Tokens, references: Sequence[Tokens]) -> float:
    """Return SARI over n-grams of 1 to 4 tokens, 0 to 100."""
    parts = [operations(source, candidate, references, n) for n in range(1, MAX_N + 1)]
    return MAX_SARI * fmean(share for three in parts for share in three)


def is_meaning(source: str) -> bool:
    """Return whether a source is a meaning representation instead of a text."""
    written = source.strip()
    if any(form.fullmatch(written) for form in MEANINGS):
        return True
    if all(map(TRIPLE.fullmatch, BETWEEN_TRIPLES.split(written))):
        return True
    try:
        return isinstance(json.loads(written), dict | list)
    except (ValueError, RecursionError):
        return False


def operations(source: Tokens, candidate: Tokens, references: Sequence[Tokens], n: int) -> tuple[float, float, float]:
    """Return the F1 of kept, precision of deleted, and F1 of added n-grams; each 0 to 1.

    Counts of source and candidate are multiplied by the number of references, whose counts are added up.
    Added n-grams count once, however many references add them.
    """
    votes = len(references)
    had = _times(ngrams(source, n), votes)
    has = _times(ngrams(candidate, n), votes)
    reference_votes: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        reference_votes.update(ngrams(reference, n))
    stays, to_keep = had & has, had & reference_votes
    leaves, to_leave_out = had - has, had - reference_votes
    new, to_put_in = has.keys() - had.keys(), reference_votes.keys() - had.keys()
    return (
        _f1((stays & to_keep).total(), stays.total(), to_keep.total()),
        _share((leaves & to_leave_out).total(), leaves.total()),
        _f1(len(new & to_put_in), len(new), len(to_put_in)),
    )


def _times(counts: Counter[tuple[str, ...]], factor: int) -> Counter[tuple[str, ...]]:
    return Counter({gram: count * factor for gram, count in counts.items()})


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _f1(right: int, n_done: int, n_reference: int) -> float:
    """Return the F1 of precision, right / done, and recall, right / reference."""
    return 2 * right / (n_done + n_reference) if right else 0.0


def score_sari(docs: Sequence[Doc], references: References | None, sources: Sources | None) -> FloatArray:
    """Return SARI per Doc; NaN for an empty text, or without references or source.

    A meaning representation is no source (`is_meaning`).
    """
    scores = np.full(len(docs), np.nan)
    if sources is None:
        return scores
    if isinstance(sources, str):
        raise TypeError("sources are a list with one text for each, not a single string")
    if len(sources) != len(docs):
        raise ValueError(f"found {len(sources)} sources for {len(docs)} texts, expected one each")
    for i, candidate, known in complete_rows(docs, references):
        written = sources[i] or ""
        source = read_reference(written).tokens
        if source and not is_meaning(written):
            scores[i] = sari(source, candidate.tokens, [reference.tokens for reference in known])
    return scores


SARI = ComputedMetric(
    "sari",
    score_sari,
    f"variant:easse|n:4|{TOKENS}",
    "1- to 4-grams kept and added (F1) and deleted (precision) as the references do with the "
    "source, which must be a text; 0..100; Xu et al. (2016)",
    needs_references=True,
    needs_sources=True,
)

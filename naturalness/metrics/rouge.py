"""ROUGE-L, on lower-cased tokens, and ROUGE-LM: fluency and overlap in one number, which needs no training.

ROUGE-L follows Lin (2004), but uses F1 and treats each text as a single sequence. ROUGE-LM is z(WPSLOR) + z(ROUGE-L)
(Kann, Rothe & Filippova, CoNLL 2018). The paper computes the means and standard deviations over the set being scored;
here they are those of a named set (norms.json, made by `python -m training.norms`), so that rows do not depend on each
other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.metrics.base import ComputedMetric, References
from naturalness.metrics.references import TOKENS, Read, reference_metric
from naturalness.metrics.slor import WPSLOR
from naturalness.models.language import shipped
from naturalness.text.view import Doc

Tokens = Sequence[str]


def lcs_length(first: Tokens, second: Tokens) -> int:
    """Return the length of the longest common subsequence.

    A row of the dynamic programming table is stored as one integer, in which a cleared bit marks each place where the
    length grows (Hyyrö 2004). This takes one addition per token of ``second``.
    """
    positions: dict[str, int] = {}
    for i, token in enumerate(first):
        positions[token] = positions.get(token, 0) | 1 << i
    everything = (1 << len(first)) - 1
    row = everything
    for token in second:
        matched = row & positions.get(token, 0)
        row = (row + matched | row - matched) & everything
    return len(first) - row.bit_count()


def rouge_l(candidate: Tokens, reference: Tokens) -> float:
    """Return the F1 of the longest common subsequence, 2 L / (m + n), 0..1, of two texts that are not both empty.

    L is the length of the subsequence; m and n are the lengths of the texts.
    """
    return 2 * lcs_length(candidate, reference) / (len(candidate) + len(reference))


def best_rouge_l(candidate: Read, references: Sequence[Read]) -> float:
    """Return ROUGE-L for the best reference."""
    return max(rouge_l(candidate.tokens, reference.tokens) for reference in references)


LCS = "F1 of the longest common subsequence"
LIN = "0..1; Lin (2004)"
ROUGE_L = reference_metric(
    "rouge-l", best_rouge_l, f"beta:1|refs:best|{TOKENS}", f"{LCS}, best of the references; {LIN}"
)
NORMS = Path(__file__).with_name("norms.json")


@dataclass(frozen=True, slots=True)
class PartNorm:
    """The mean and the population standard deviation of a part over a set of texts."""

    mean: float
    deviation: float

    def z(self, values: FloatArray) -> FloatArray:
        """Return the z-scores of values; NaN if the standard deviation of the set is 0."""
        if not self.deviation > 0:
            return np.full(len(values), np.nan)
        return (values - self.mean) / self.deviation


@dataclass(frozen=True, slots=True)
class RougeLmNorms:
    """The norms (mean and standard deviation) of both parts, with their provenance."""

    set: str
    date: str
    command: str
    n: int
    lm: str
    """The signature of the language model from which WPSLOR was computed."""
    wpslor: PartNorm
    rouge_l: PartNorm


def norm_of(values: FloatArray) -> PartNorm:
    """Return the mean and standard deviation of values, none of which is NaN.

    If all values are equal, the standard deviation is exactly 0.
    """
    if not len(values):
        return PartNorm(float("nan"), float("nan"))
    spread = float(np.std(values)) if np.ptp(values) > 0 else 0.0
    return PartNorm(float(np.mean(values)), spread)


@cache
def load_norms(path: Path = NORMS) -> RougeLmNorms:
    """Return the norms of the named set."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return RougeLmNorms(**data | {part: PartNorm(**data[part]) for part in ("wpslor", "rouge_l")})


def parts_of(docs: Sequence[Doc], references: References | None) -> tuple[FloatArray, FloatArray]:
    """Return WPSLOR and ROUGE-L of each Doc; if either is undefined for a Doc, both are NaN."""
    fluency = WPSLOR.score(docs)
    overlap = ROUGE_L.score(docs, references)
    undefined = np.isnan(fluency) | np.isnan(overlap)
    fluency[undefined] = overlap[undefined] = np.nan
    return fluency, overlap


def rouge_lm(docs: Sequence[Doc], references: References | None) -> FloatArray:
    """Return the sum of the z-scores of WPSLOR and ROUGE-L of each Doc; NaN if either is undefined.

    Raise `AssetError` if the norms were computed with another language model.
    """
    norms, model = load_norms(), shipped.pieces()
    if norms.lm != model.signature:
        raise AssetError(
            f"the norms of rouge-lm were computed with the language model {norms.lm}, but this is {model.signature}; "
            f"compute them again: {norms.command}"
        )
    fluency, overlap = parts_of(docs, references)
    return norms.wpslor.z(fluency) + norms.rouge_l.z(overlap)


def _settings() -> str:
    norms = load_norms()
    return f"norms:{norms.set},{norms.n},{norms.date},{norms.lm}|parts:({WPSLOR.signature})+({ROUGE_L.signature})"


ROUGE_LM = ComputedMetric(
    "rouge-lm",
    rouge_lm,
    _settings,
    "z(WPSLOR) + z(ROUGE-L, best of the references), norms frozen from a named set; any number; Kann et al. (2018)",
    needs_references=True,
)

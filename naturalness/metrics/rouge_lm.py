"""ROUGE-LM: fluency and overlap in one number, z(WPSLOR) + z(ROUGE-L), which needs no training.

Kann, Rothe & Filippova (CoNLL 2018) compute the mean and standard deviation over the set being scored, so that a row's
score depends on the other rows; `rouge-lm-set` does so too. `rouge-lm` uses the fixed mean and standard deviation of a
named set (norms.json, made by `python -m training.norms`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.metrics.base import References
from naturalness.metrics.overlap import OVERLAP_METRICS
from naturalness.metrics.slor import LIKELIHOOD_METRICS, shipped_model
from naturalness.models.language.base import LanguageModel
from naturalness.text.view import Doc

NORMS = Path(__file__).with_name("norms.json")
WPSLOR = next(metric for metric in LIKELIHOOD_METRICS if metric.name == "wpslor")
ROUGE_L = next(metric for metric in OVERLAP_METRICS if metric.name == "rouge-l")


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
    """Return the fixed norms."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return RougeLmNorms(**data | {part: PartNorm(**data[part]) for part in ("wpslor", "rouge_l")})


def parts_of(
    docs: Sequence[Doc], references: References | None, model: LanguageModel | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return WPSLOR and ROUGE-L of each Doc; if either is undefined for a Doc, both are NaN."""
    fluency = replace(WPSLOR, model=model).score(docs)
    overlap = ROUGE_L.score(docs, references)
    undefined = np.isnan(fluency) | np.isnan(overlap)
    fluency[undefined] = overlap[undefined] = np.nan
    return fluency, overlap


@dataclass(frozen=True)
class RougeLm:
    """The sum of the z-scores of WPSLOR and ROUGE-L, with fixed norms or with norms of the rows that are scored.

    The fixed norms apply only to the shipped language model; with another `model`, use the norms of the scored rows.
    """

    name: str
    set_dependent: bool
    description: str
    model: LanguageModel | None = None
    """The language model for WPSLOR; None means the shipped model of word pieces."""
    higher_is_better: bool = True
    needs_references: bool = True
    package: str = ""

    @property
    def signature(self) -> str:
        """The name, the norms, the signatures of both parts, and the version."""
        norms = "of the set"
        if not self.set_dependent:
            frozen = load_norms()
            norms = f"{frozen.set},{frozen.n},{frozen.date},{frozen.lm}"
        lm = replace(WPSLOR, model=self.model).signature
        parts = f"({lm})+({ROUGE_L.signature})"
        return f"{self.name}|norms:{norms}|parts:{parts}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for a text that is empty or has no references."""
        fluency, overlap = parts_of(docs, references, self.model)
        if self.set_dependent:
            defined = ~np.isnan(fluency)
            return norm_of(fluency[defined]).z(fluency) + norm_of(overlap[defined]).z(overlap)
        norms = self._frozen()
        return norms.wpslor.z(fluency) + norms.rouge_l.z(overlap)

    def _frozen(self) -> RougeLmNorms:
        """Return the fixed norms; raise `AssetError` if they were computed with another language model."""
        norms = load_norms()
        opened = shipped_model("pieces") if self.model is None else self.model
        if norms.lm != opened.signature:
            raise AssetError(
                f"the norms of {self.name} were frozen with the language model {norms.lm}, this is "
                f"{opened.signature}; use rouge-lm-set, or freeze them again: {norms.command}"
            )
        return norms


FORMULA = "z(WPSLOR) + z(ROUGE-L, best of the references)"
ROUGE_LM_METRICS = (
    RougeLm("rouge-lm", False, f"{FORMULA}, norms frozen from a named set; any number; Kann et al. (2018)"),
    RougeLm("rouge-lm-set", True, f"{FORMULA}, norms of the rows scored together; any number; Kann et al. (2018)"),
)

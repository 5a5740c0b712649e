"""The sub-scores of GRUEN as columns, and what lies beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Feature
from naturalness.features.requirements import Requirement, asset, package
from naturalness.metrics.gruen.beyond import lost_pronouns, paraphrases, repeats_within
from naturalness.metrics.gruen.judges import problem_of, shipped_judges
from naturalness.metrics.gruen.parts import Parts, gruen_parts
from naturalness.models.language.shipped import neural

if TYPE_CHECKING:
    from spacy.tokens import Doc

ZHU = "Zhu & Bhat 2020"
CHANGED = f"{ZHU}, changed"
ASSETS = ("neural", "pieces", "detector", "order")


@dataclass(frozen=True)
class GruenFeatures:
    """For texts of several sentences; likelihood is read from the left, as in `gruen-fast`."""

    name: str = "gruen"
    requires: tuple[Requirement, ...] = (*(asset(name) for name in ASSETS), package("onnxruntime"))
    features: tuple[Feature, ...] = (
        Feature("score", "metric gruen-fast", "[0, 1]", "better", CHANGED, words="GRUEN score"),
        Feature(
            "likelihood",
            "mean over sentences of exp(mean ln(p / (p + u)))",
            "[0, 1]",
            "likelier sentences",
            CHANGED,
            words="likelihood of the sentences",
        ),
        Feature(
            "least_likelihood",
            "of the least likely sentence",
            "[0, 1]",
            "no unlikely sentence",
            words="likelihood of the least likely sentence",
        ),
        Feature(
            "acceptability",
            "mean over sentences of the probability that it is acceptable",
            "[0, 1]",
            "better sentences",
            ZHU,
            words="acceptability of the sentences",
        ),
        Feature(
            "least_acceptability",
            "of the worst sentence",
            "[0, 1]",
            "no bad sentence",
            words="acceptability of the worst sentence",
        ),
        Feature(
            "repeated",
            "tests by which two sentences are too similar, over all pairs",
            "0..",
            "more redundant",
            ZHU,
            words="sentences that are too similar",
        ),
        Feature(
            "unrelated",
            "neighbours whose Word Mover similarity is below 0.05",
            "0..",
            "less focused",
            ZHU,
            words="neighbouring sentences without relation",
        ),
        Feature(
            "disorder",
            "mean over splits and their swaps of -ln p(right order)",
            "0..",
            "the order surprises",
            ZHU,
            undefined="one sentence",
            words="disorder of the sentences",
        ),
        Feature(
            "repeats_within",
            "phrases that come again in their own sentence",
            "0..",
            "more redundant",
            words="phrases repeated within a sentence",
        ),
        Feature(
            "paraphrases",
            "pairs of sentences that say the same in other words",
            "0..",
            "more redundant",
            words="sentences that say the same",
        ),
        Feature(
            "lost_pronouns",
            "he, she, they, where nothing before can be meant",
            "0..3",
            "no telling who is meant",
            words="pronouns without a referent",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        parts_of_docs = gruen_parts(docs, shipped_judges(masked=False))
        rows = [_numbers(doc, parts) for doc, parts in zip(docs, parts_of_docs, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        model = neural()
        return [problem_of(doc) or model.foretell([doc])[0].problem for doc in docs]

    def prepare(self) -> None:
        """Open the networks."""
        shipped_judges(masked=False)


def _numbers(doc: Doc, parts: Parts) -> tuple[float, ...]:
    if not parts.likelihoods:
        return (NAN,) * len(GruenFeatures.features)
    return (
        parts.sum_of("urn"),
        parts.likelihood,
        min(parts.likelihoods),
        parts.acceptability,
        min(parts.acceptabilities),
        parts.repeated,
        parts.unrelated,
        parts.disorder,
        repeats_within(doc),
        paraphrases(doc),
        lost_pronouns(doc),
    )

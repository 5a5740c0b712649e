"""GRUEN and its sub-scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement, stack
from naturalness.features.requirements import asset, package
from naturalness.metrics.gruen.judges import problem_of, shipped_judges
from naturalness.metrics.gruen.parts import GruenParts, gruen_parts
from naturalness.models.language.shipped import neural
from naturalness.text.view import Doc

ASSETS = ("neural", "pieces", "detector", "order")


@dataclass(frozen=True)
class GruenFeatures:
    """GRUEN and its parts, for texts of several sentences; likelihood is computed left to right, as in `gruen-fast`."""

    name: str = "gruen"
    requires: tuple[Requirement, ...] = (*(asset(name) for name in ASSETS), package("onnxruntime"))
    features = Columns("gruen")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        parts_of_docs = gruen_parts(docs, shipped_judges())
        return stack(map(_numbers, parts_of_docs), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        model = neural()
        return [problem_of(doc) or model.foretell([doc])[0].problem for doc in docs]

    def prepare(self) -> None:
        """Open the networks."""
        shipped_judges()


def _numbers(parts: GruenParts) -> tuple[float, ...] | None:
    if not parts.likelihoods:
        return None
    return (
        parts.total,
        parts.likelihood,
        min(parts.likelihoods),
        parts.acceptability,
        min(parts.acceptabilities),
        parts.repeated,
        parts.unrelated,
        parts.disorder,
    )

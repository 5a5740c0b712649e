"""A filter for datatrove: documents that are natural enough stay, with their scores as metadata."""

from __future__ import annotations

from typing import Any

from naturalness import Scorer
from naturalness.data.cells import finite
from naturalness.english.foreign import DOUBTS
from naturalness.files.resources import importing
from naturalness.judging.fields import NATURALNESS, REASON

with importing("datatrove", user=__name__, extra="datatrove"):
    from datatrove.data import Document
    from datatrove.pipeline.filters.base_filter import BaseFilter

UNSCORED, BELOW = "unscored", "below_min_score"
"""Reasons for dropping a document, as datatrove counts and stores them."""


class NaturalnessFilter(BaseFilter):  # type: ignore[misc]  # datatrove ships no types
    """Keep documents whose naturalness is at least ``min_score``; a document without a score is dropped.

    datatrove counts the dropped documents by reason: ``below_min_score``, ``unscored`` or, for a document that is not
    English prose, why it is not (``not English``, ``code`` …).

    The columns of ``scorer``, which must include ``naturalness``, become metadata of each document.
    """

    name = "naturalness"

    def __init__(
        self, min_score: float, scorer: Scorer | None = None, exclusion_writer: Any = None, batch_size: int = 256
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.min_score = min_score
        self.scorer = scorer or Scorer()

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Return whether a document stays, or False and the reason."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Return whether each document stays, or False and the reason."""
        columns = self.scorer([doc.text for doc in batch])
        for i, doc in enumerate(batch):
            doc.metadata |= {name: finite(values[i]) for name, values in columns.items()}
        scores = columns[self.scorer.prefix + NATURALNESS]
        return list(map(self._verdict, scores, columns.get(self.scorer.prefix + REASON, [""] * len(scores))))

    def _verdict(self, score: float, reason: str) -> bool | tuple[bool, str]:
        without = reason if reason in DOUBTS else UNSCORED
        return score >= self.min_score or (False, BELOW if score == score else without)

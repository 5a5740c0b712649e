"""A filter for datatrove: documents that are natural enough stay, with their scores as metadata."""

from __future__ import annotations

from typing import Any

from naturalness import Scorer
from naturalness.data.cells import finite
from naturalness.english.foreign import DOUBTS
from naturalness.errors import TableError
from naturalness.files.resources import importing
from naturalness.judging.fields import NATURALNESS, REASON, VOICE

with importing("datatrove", user=__name__, extra="datatrove"):
    from datatrove.data import Document
    from datatrove.pipeline.filters.base_filter import BaseFilter

UNSCORED, BELOW, STALE = "unscored", "below_min_score", "below_min_voice"
"""Reasons for dropping a document, as datatrove counts and stores them."""


class NaturalnessFilter(BaseFilter):  # type: ignore[misc]  # datatrove ships no types
    """Keep documents whose naturalness is at least ``min_score``; a document without a score is dropped.

    Documents with a voice below ``min_voice`` are dropped too, but not those that are too short for a voice.
    datatrove counts the dropped documents by reason: ``below_min_score``, ``below_min_voice``, ``unscored`` or, for a
    document that is not English prose, why it is not (``not English``, ``code`` …).

    The columns of ``scorer``, which must include ``naturalness`` (and ``voice`` for ``min_voice``), become metadata of
    each document, which must not have any of these names yet.
    """

    name = "naturalness"

    def __init__(
        self,
        min_score: float,
        scorer: Scorer | None = None,
        exclusion_writer: Any = None,
        batch_size: int = 256,
        min_voice: float = 0.0,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.min_score = min_score
        self.min_voice = min_voice
        self.scorer = scorer or Scorer()

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Return whether a document stays, or False and the reason."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Return whether each document stays, or False and the reason."""
        columns = self.scorer([doc.text for doc in batch])
        for doc in batch:
            if clash := doc.metadata.keys() & columns.keys():
                raise TableError(f"a document has metadata {min(clash)!r} already; use Scorer(prefix=...)")
        for i, doc in enumerate(batch):
            doc.metadata |= {name: finite(values[i]) for name, values in columns.items()}
        scores, none = columns[self.scorer.prefix + NATURALNESS], [""] * len(batch)
        voices = columns[self.scorer.prefix + VOICE] if self.min_voice else scores
        return list(map(self._verdict, scores, voices, columns.get(self.scorer.prefix + REASON, none)))

    def _verdict(self, score: float, voice: float, reason: str) -> bool | tuple[bool, str]:
        if score < self.min_score:
            return False, BELOW
        if self.min_voice and voice < self.min_voice:
            return False, STALE
        return score == score or (False, reason if reason in DOUBTS else UNSCORED)

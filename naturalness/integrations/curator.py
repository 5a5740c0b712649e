"""A stage for NeMo Curator: documents that are natural enough stay, with their scores as columns."""

from __future__ import annotations

from dataclasses import dataclass, field

from naturalness import Scorer
from naturalness.files.resources import importing
from naturalness.judging.fields import NATURALNESS, VOICE

with importing("nemo_curator", user=__name__, extra="curator"):
    from nemo_curator.stages.base import ProcessingStage
    from nemo_curator.tasks import DocumentBatch


@dataclass
class NaturalnessFilter(ProcessingStage[DocumentBatch, DocumentBatch]):  # type: ignore[misc]  # it ships no types
    """Keep documents whose naturalness is at least ``min_score``; a document without a score is dropped.

    Documents with a voice below ``min_voice`` are dropped too, but not those that are too short for a voice.
    The columns of ``scorer``, which must include ``naturalness`` (and ``voice`` for ``min_voice``), are added to each
    batch. Unlike a ``DocumentFilter``, a stage scores the documents of a batch together, which is faster.
    """

    min_score: float
    scorer: Scorer = field(default_factory=Scorer)
    name: str = "naturalness_filter"
    min_voice: float = 0.0

    def inputs(self) -> tuple[list[str], list[str]]:
        """Return the attributes and columns that the stage reads."""
        return ["data"], [self.scorer.text_column]

    def outputs(self) -> tuple[list[str], list[str]]:
        """Return the attributes and columns that the stage writes."""
        return ["data"], [self.scorer.text_column, *map(self.scorer.prefix.__add__, self.scorer.columns)]

    def process(self, task: DocumentBatch) -> DocumentBatch:
        """Return the batch with its scores, without the documents that are dropped."""
        frame = self.scorer(task.to_pandas())
        stays = frame[self.scorer.prefix + NATURALNESS] >= self.min_score
        if self.min_voice:
            stays &= ~(frame[self.scorer.prefix + VOICE] < self.min_voice)
        return DocumentBatch(
            dataset_name=task.dataset_name, data=frame[stays], _metadata=task._metadata, _stage_perf=task._stage_perf
        )

"""Distil the narrow detector from the wide one (Hinton et al. 2015), on text of the corpora and on damaged sentences.

Both read the same pieces. The narrow one learns the wide one's predictions and, as hints (Romero et al. 2015), the
vectors after some of its layers, and the first vector, mean and maximum of each text; no ratings are used.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from naturalness.files.resources import locate
from naturalness.models.detector import ASSET
from naturalness.models.pieces import END, INSIDE, SPECIAL, START, Pieces
from training.detector.batches import IGNORED, POOL, Batch, batches, collate, padded
from training.detector.corpus import Noise, text
from training.detector.learning import KIND_WEIGHT, TAUGHT, Run, Said, fit, losses, said_by
from training.detector.mixture import Source
from training.detector.network import NARROW, WIDTH, Body, Shape, pretrained
from training.detector.steps import TINY
from training.detector.stored import stored_weights
from training.loop import by_length
from training.reader.rated import read_texts

PIECES = 32_768
"""Pieces in a batch."""
DAMAGED = 0.4
"""Share of the batches."""
HINTS = {"2": 0.3, "4": 0.5, "5": 0.5, "6": 1.0, "summary": 1.5}
"""Weights of the vectors after each layer, and of the summary of each text."""
SUMMARISED = 4
"""Last layers from which the summary is learned, as a rating head reads them."""
LOGIT_WEIGHT, FARTHEST = 0.05, 8.0
"""Weight of the teacher's log-odds of soundness; log-odds and deviations are cut off there."""


class Student(Body):
    """A narrow body with additional layers, not saved, that make its vectors as wide as the teacher's."""

    def __init__(self, vocabulary: Sequence[str], shape: Shape = NARROW, width: int = WIDTH) -> None:
        super().__init__(vocabulary, shape)
        self.hints = nn.ModuleDict({name: nn.Linear(shape.width, width) for name in HINTS})
        self.hints["summary"] = nn.Linear(3 * SUMMARISED * shape.width, 3 * width)

    def hinted(self, states: Sequence[Tensor], mask: Tensor) -> dict[str, Tensor]:
        """Return its predictions of the teacher's vectors of pieces and texts."""
        last = torch.cat([self.summary(x, mask) for x in states[-SUMMARISED:]], -1)
        read = {name: last if name == "summary" else states[int(name)][mask] for name in HINTS}
        with torch.autocast(mask.device.type, torch.bfloat16):
            return {name: self.hints[name](x).float() for name, x in read.items()}


def teacher_on(vocabulary: Sequence[str], mpnet: Path, folder: Path | None = None) -> Body:
    """Return the wide detector of a folder, or that which ships, on a vocabulary; its pieces' vectors are MPNet's."""
    body = pretrained(mpnet, vocabulary)
    stored = {name: torch.from_numpy(x.copy()) for name, x in stored_weights(folder or locate(ASSET)).items()}
    body.load_state_dict({**body.state_dict(), **stored})
    body.pieces.rounds = body.positions.rounds = True
    return body.eval()


def hints_of(teacher: Body, said: Said, mask: Tensor) -> dict[str, Tensor]:
    """Return the teacher's vectors that the student learns."""
    of_texts = teacher.summary(said.states[-1], mask)
    return {name: (of_texts if name == "summary" else said.states[int(name)][mask]).float() for name in HINTS}


@dataclass
class Lessons(IterableDataset[Batch]):
    """Batches of corpus text with noise, and of damaged sentences."""

    lines: Sequence[Sequence[str]]
    """Of each register."""
    source: Source
    vocabulary: Sequence[str]
    seed: int = 0

    def __iter__(self) -> Iterator[Batch]:
        """Yield batches endlessly, different ones in each process."""
        worker = get_worker_info()
        rng = random.Random(f"{self.seed} {worker and worker.id}")
        pieces = Pieces(self.vocabulary)
        damaged, texts = batches(self.source, rng.getrandbits(32), PIECES), self.texts(pieces, rng)
        while True:
            yield collate(next(damaged), pieces) if rng.random() < DAMAGED else next(texts)

    def texts(self, pieces: Pieces, rng: random.Random) -> Iterator[Batch]:
        """Yield batches of corpus text."""
        labels = [IGNORED if piece.startswith(INSIDE) or piece in SPECIAL else 0 for piece in self.vocabulary]
        while True:
            rows = [[*ids[1:-1]] for ids in read_texts([text(self.lines, rng) for _ in range(POOL)], pieces)]
            noise = Noise.of(rows)
            pool = [[pieces.rows[START], *noise.added(ids, rng), pieces.rows[END]] for ids in rows if len(ids) > 2]
            for some in by_length([len(ids) for ids in pool], PIECES, rng):
                kinds = [[labels[piece] for piece in pool[i]] for i in some]
                yield padded([pool[i] for i in some], kinds, [0.0] * len(some), pieces, labelled=False)


def distil(student: Student, teacher: Body, lessons: Lessons, path: Path, run: Run, seconds: float = math.inf) -> None:
    """Train a student for some seconds; resume from the checkpoint at ``path``."""
    device, processes = student.norm.weight.device, max(1, (os.cpu_count() or 1) - 1)

    def stream(seed: int) -> Iterator[Batch]:
        """Yield the batches drawn by several processes."""
        return (batch.to(device) for batch in DataLoader(replace(lessons, seed=seed), None, num_workers=processes))

    def costs(batch: Batch) -> dict[str, Tensor]:
        with torch.no_grad():
            taught = said_by(teacher, batch)
        said = said_by(student, batch)
        kind, graded = losses(said, batch, taught)
        share = TAUGHT if batch.labelled else 1.0
        off = nn.functional.mse_loss(said.sound, taught.sound.clamp(-FARTHEST, FARTHEST))
        named = {"kinds": KIND_WEIGHT * kind, "soundness": graded + LOGIT_WEIGHT * share * off}
        hinted = student.hinted(said.states, batch.mask)
        for name, x in hints_of(teacher, taught, batch.mask).items():
            spread, mean = torch.std_mean(x, 0, correction=0)
            goal = ((x - mean) / spread.clamp(min=TINY)).clamp(-FARTHEST, FARTHEST)
            named[name] = HINTS[name] * nn.functional.mse_loss(hinted[name], goal)
        return named

    fit(student, stream, costs, path, run, seconds)

"""Train a detector: kinds of words, soundness of sentences, and which of two is the sounder.

A narrow one learns from a wide one as well: what that says of the same sentences (Hinton et al. 2015).
The wide one reads as the package does, from its file; its vectors of words are a hint (Romero et al. 2015).
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.models.detector import Network
from naturalness.models.pieces import Pieces
from training.checkpoints import descend, rate_at, resume, save
from training.detector.batches import IGNORED, Batch, batches, collate
from training.detector.drafts import Draft
from training.detector.mixture import Source
from training.detector.network import Body
from training.detector.steps import TINY

OUTPUTS = ("kinds", "sound", "states")
"""Of a teacher's file."""
RATE_ENCODER, RATE_HEADS = 2e-4, 1e-3
WARM = 300
DECAY = 0.3
"""Share of the steps, at the end, in which the rate falls to zero."""
KIND_WEIGHT, PAIR_WEIGHT = 3.0, 0.7
TAUGHT = 0.7
"""Weight of the teacher's predictions in the losses of kinds and soundness."""
HINT_WEIGHT = 1.0
"""Weight of the squared error of word vectors against the teacher's, standardised within the batch."""
AGAIN, REMEMBERED = 0.5, 256
"""Share of repeated batches, and how many recent ones to draw from: the teacher is slow."""
SHOW, KEEP = 100, 500
"""Steps between two lines of progress, and between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a network says of a batch: logits of the kinds of each word (words, kinds), and of soundness.

    And vectors of the words, as wide as the teacher's.
    """

    kinds: Tensor
    sound: Tensor
    vectors: Tensor


def said_by(model: nn.Module, batch: Batch, *, half: bool = False) -> Said:
    """Return the predictions of a network in torch; ``half``: products in sixteen-bit floats."""
    with torch.autocast(batch.ids.device.type, torch.bfloat16, enabled=half):
        kinds, sound, vectors = model(batch.ids, batch.mask)
    first = batch.kinds != IGNORED
    return Said(kinds[first].float(), sound.float(), vectors[first].float())


def said_by_file(network: Network, drafts: Sequence[Draft], threads: int = 2) -> Said:
    """Return the predictions of an asset's network."""
    texts = [[network.cut(word.text) for word in draft.words] for draft in drafts]
    size = -(-len(texts) // threads)
    with ThreadPoolExecutor(threads) as pool:
        stretches = [texts[at : at + size] for at in range(0, len(texts), size)]
        parts = pool.map(partial(network.outputs, OUTPUTS), stretches)
        kinds, sound, vectors = zip(*(read for part in parts for read in part), strict=True)
    return Said(*(torch.from_numpy(np.concatenate(x)) for x in (kinds, sound, vectors)))


def losses(said: Said, batch: Batch, teacher: Said | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the losses of kinds, soundness, pairs and vectors."""
    sound, labels = said.sound, batch.kinds[batch.kinds != IGNORED]
    kind = nn.functional.cross_entropy(said.kinds, labels)
    goal, off = batch.soundness, sound.new_zeros(())
    if teacher is not None:
        taught = nn.functional.cross_entropy(said.kinds, teacher.kinds.softmax(-1))
        kind = (1 - TAUGHT) * kind + TAUGHT * taught
        goal = (1 - TAUGHT) * goal + TAUGHT * teacher.sound.sigmoid()
        spread, mean = torch.std_mean(teacher.vectors, 0, correction=0)
        off = nn.functional.mse_loss(said.vectors, (teacher.vectors - mean) / spread.clamp(min=TINY))
    graded = nn.functional.binary_cross_entropy_with_logits(sound, goal)
    better, worse = sound.chunk(2)
    apart = (batch.soundness.chunk(2)[0] > batch.soundness.chunk(2)[1]).float()
    ranked = (nn.functional.softplus(worse - better) * apart).sum() / apart.sum().clamp(min=1)
    return kind, graded, ranked, off


Lesson = tuple[Batch, Said | None]
"""A batch and the teacher's predictions."""
Teacher = Network | Body
"""The network of an asset, or one in torch."""


def taught_by(teacher: Teacher, drafts: Sequence[Draft], batch: Batch, *, half: bool) -> Said:
    """Return a teacher's predictions for a batch."""
    if isinstance(teacher, Network):
        return said_by_file(teacher, drafts)
    with torch.no_grad():
        return said_by(teacher, batch, half=half)


def lessons(
    source: Source, pieces: Pieces, teacher: Teacher | None, seed: int, *, half: bool = False
) -> Iterator[Lesson]:
    """Yield batches endlessly; with a teacher, some of the last `REMEMBERED` are repeated."""
    rng, remembered = random.Random(seed), deque[Lesson](maxlen=REMEMBERED)
    for drafts in batches(source, seed):
        while len(remembered) == REMEMBERED and rng.random() < AGAIN:
            yield rng.choice(remembered)
        batch = collate(drafts, pieces)
        lesson = batch, taught_by(teacher, drafts, batch, half=half) if teacher else None
        if teacher:
            remembered.append(lesson)
        yield lesson


def fit(
    model: Body,
    source: Source,
    path: Path,
    *,
    steps: int,
    stop: int | None = None,
    rates: tuple[float, float] = (RATE_ENCODER, RATE_HEADS),
    warm: int = WARM,
    decay: float = DECAY,
    show: int = SHOW,
    keep: int = KEEP,
    half: bool = False,
    fused: bool = False,
    whole_from: int | None = None,
    teacher: Teacher | None = None,
    seed: int = 0,
    after: Callable[[str], None] = print,
) -> Body:
    """Train for so many ``steps``, or until ``stop``, by the learning ``rates`` of encoder and heads.

    Goes on from the checkpoint at ``path`` where there is one. ``show`` and ``keep``: steps between
    two lines of progress, and between two checkpoints. ``half``: products in floats of sixteen bits,
    which processors with `avx512_bf16` or `amx` work out faster. ``fused``: compiled by torch, which
    needs a C++ compiler and a minute, and takes a quarter less time. ``whole_from``: the step from
    which on the network computes in whole numbers, as its file does. ``teacher``: a network that says
    what it makes of each batch; its vectors are a hint where the learner has something that turns its own so.
    """
    torch.manual_seed(seed)
    stop = steps if stop is None else stop
    heads = [p for n, p in model.named_parameters() if n.startswith(("kinds", "pooled", "sound", "hint"))]
    known = {id(p) for p in heads}
    body = [p for p in model.parameters() if p.requires_grad and id(p) not in known]
    groups = [{"params": body, "lr": rates[0]}, {"params": heads, "lr": rates[1]}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, steps, warm=warm, decay=decay))
    first = resume(path, model, optimizer, schedule)
    # Another part of the stream after a restart: pairs drawn before are not drawn again.
    stream = lessons(source, Pieces.of(model.vocabulary), teacher, seed * 1_000_003 + first, half=half)
    hint_weight = 0.0 if isinstance(model.hint, nn.Identity) else HINT_WEIGHT
    model.train()
    compiled = torch.compile(model, dynamic=True) if fused else model
    started, total, sentences = time.time(), [0.0] * 4, 0
    rounds = False
    if whole_from is not None and first < whole_from:
        model.forget_steps()  # of an earlier plan
    for step in range(first, stop):
        if whole_from is not None and step >= whole_from and not rounds:
            model.round()
            rounds = True
        batch, taught = next(stream)
        parts = losses(said_by(compiled, batch, half=half), batch, taught)
        cost = KIND_WEIGHT * parts[0] + parts[1] + PAIR_WEIGHT * parts[2] + hint_weight * parts[3]
        descend(cost, model.parameters(), optimizer, schedule)
        sentences += len(batch.ids)
        total = [a + b.item() for a, b in zip(total, parts, strict=True)]
        if (step + 1) % show == 0:
            shown = " ".join(f"{x / show:.3f}" for x in total)
            pace = sentences / (time.time() - started)
            after(f"{step + 1}/{steps} kinds, soundness, pairs, vectors {shown}; {pace:.0f} sentences/s")
            if not math.isfinite(sum(total)):
                raise RuntimeError("the loss is no number any more")
            total = [0.0] * 4
        if (step + 1) % keep == 0 or step + 1 == stop:
            save(path, model, step + 1, optimizer, schedule)
    return model.eval()

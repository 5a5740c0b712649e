"""Train a detector: kinds of words, soundness of sentences, and which of two is the sounder.

A narrow one learns from a wide one as well: what that says of the same sentences (Hinton et al. 2015).
The wide one reads as the package does, from its file.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from naturalness.models.detector import Network
from naturalness.models.pieces import Pieces
from training.checkpoints import rate_at, resume, save
from training.detector.batches import IGNORED, Batch, batches, collate
from training.detector.drafts import Draft
from training.detector.mixture import Source
from training.detector.network import Body

RATE_ENCODER, RATE_HEADS = 2e-4, 1e-3
WARM = 300
DECAY = 0.3
"""Share of the steps, the last ones, in which the rate falls to nothing."""
KIND_WEIGHT, PAIR_WEIGHT = 3.0, 0.7
TAUGHT = 0.7
"""Share of the teacher's word in the losses of kinds and of soundness."""
SHOW, KEEP = 100, 500
"""Steps between two lines of progress, and between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a network says of a batch: logits of the kinds of each word (words, kinds), and of soundness."""

    kinds: Tensor
    sound: Tensor


def said_by(model: nn.Module, batch: Batch, *, half: bool = False) -> Said:
    """What a network in torch says; ``half``: products in floats of sixteen bits."""
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        kinds, sound = model(batch.ids, batch.mask)
    return Said(kinds[batch.kinds != IGNORED].float(), sound.float())


def said_by_file(network: Network, drafts: Sequence[Draft], threads: int = 2) -> Said:
    """What the network of an asset says."""
    texts = [[network.cut(word.text) for word in draft.words] for draft in drafts]
    size = -(-len(texts) // threads)
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(network.read, [texts[at : at + size] for at in range(0, len(texts), size)])
        readings = [reading for part in parts for reading in part]
    kinds = torch.cat([torch.from_numpy(logs) for _, logs in readings])
    return Said(kinds.float(), torch.tensor([sound for sound, _ in readings]))


def losses(said: Said, batch: Batch, teacher: Said | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Of kinds, of soundness, of pairs."""
    sound, labels = said.sound, batch.kinds[batch.kinds != IGNORED]
    kind = nn.functional.cross_entropy(said.kinds, labels)
    goal = batch.soundness
    if teacher is not None:
        taught = nn.functional.cross_entropy(said.kinds, teacher.kinds.softmax(-1))
        kind = (1 - TAUGHT) * kind + TAUGHT * taught
        goal = (1 - TAUGHT) * goal + TAUGHT * teacher.sound.sigmoid()
    graded = nn.functional.binary_cross_entropy_with_logits(sound, goal)
    better, worse = sound.chunk(2)
    apart = (batch.soundness.chunk(2)[0] > batch.soundness.chunk(2)[1]).float()
    ranked = (nn.functional.softplus(worse - better) * apart).sum() / apart.sum().clamp(min=1)
    return kind, graded, ranked


def fit(
    model: Body,
    source: Source,
    path: Path,
    *,
    steps: int,
    stop: int,
    rates: tuple[float, float] = (RATE_ENCODER, RATE_HEADS),
    warm: int = WARM,
    decay: float = DECAY,
    show: int = SHOW,
    keep: int = KEEP,
    half: bool = False,
    whole_from: int | None = None,
    teacher: Network | None = None,
    seed: int = 0,
    after: Callable[[str], None] = print,
) -> Body:
    """Train until ``stop``, by the learning ``rates`` of encoder and heads over so many ``steps``.

    Goes on from the checkpoint at ``path`` where there is one. ``show`` and ``keep``: steps between
    two lines of progress, and between two checkpoints. ``half``: products in floats of sixteen bits,
    which processors with `avx512_bf16` or `amx` work out faster. ``whole_from``: the step from
    which on the network computes in whole numbers, as its file does. ``teacher``: a network that says
    what it makes of each batch.
    """
    torch.manual_seed(seed)
    heads = [p for n, p in model.named_parameters() if n.startswith(("kinds", "pooled", "sound"))]
    known = {id(p) for p in heads}
    body = [p for p in model.parameters() if p.requires_grad and id(p) not in known]
    groups = [{"params": body, "lr": rates[0]}, {"params": heads, "lr": rates[1]}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, steps, warm=warm, decay=decay))
    first = resume(path, model, optimizer, schedule)
    # Another part of the stream after a restart: pairs drawn before are not drawn again.
    stream = batches(source, seed * 1_000_003 + first)
    pieces = Pieces.of(model.vocabulary)
    model.train()
    started, total, sentences = time.time(), [0.0, 0.0, 0.0], 0
    rounds = False
    for step in range(first, stop):
        if whole_from is not None and step >= whole_from and not rounds:
            model.round()
            rounds = True
        drafts = next(stream)
        batch = collate(drafts, pieces)
        taught = said_by_file(teacher, drafts) if teacher else None
        parts = losses(said_by(model, batch, half=half), batch, taught)
        cost = KIND_WEIGHT * parts[0] + parts[1] + PAIR_WEIGHT * parts[2]
        optimizer.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        sentences += len(batch.ids)
        total = [a + b.item() for a, b in zip(total, parts, strict=True)]
        if (step + 1) % show == 0:
            shown = " ".join(f"{x / show:.3f}" for x in total)
            pace = sentences / (time.time() - started)
            after(f"{step + 1}/{steps} kinds, soundness, pairs {shown}; {pace:.0f} sentences/s")
            if not math.isfinite(sum(total)):
                raise RuntimeError("the loss is no number any more")
            total = [0.0, 0.0, 0.0]
        if (step + 1) % keep == 0 or step + 1 == stop:
            save(path, model, step + 1, optimizer, schedule)
    return model.eval()

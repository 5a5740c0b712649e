"""How a reader learns: from damage and from ratings in every step."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.checkpoints import rate_at
from training.detector.batches import Batch as DamageBatch
from training.detector.learning import KIND_WEIGHT, PAIR_WEIGHT, losses, said_by
from training.reader.batches import Batch, Damage, Plan, Rated, RatedBatches, damage_batches, padded
from training.reader.network import Reader

PLACE_WEIGHT = 0.3
"""Of the cross-entropy of places, beside the loss of pairs."""
SHOWN = 20
"""Steps between two lines of progress."""
RATE, RATE_HEADS, DECAY = 3e-5, 1e-3, 0.01
WARM, FALL = 0.1, 0.7
"""Shares of the steps in which the rates rise, and fall."""
READ_AT_ONCE = {"cuda": 65_536, "cpu": 4_096}
"""Pieces."""


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int = 180
    rated: int = 2
    """Rated batches of a step."""
    damage: int = 1
    """Damage batches of a step, whose losses are averaged."""
    damage_weight: float = 1.0
    pieces: int = 24_000
    """Of a batch."""
    seed: int = 0


def ranking_loss(rating: Tensor, places: Tensor) -> Tensor:
    """Return the loss of all pairs of a batch, weighted by how far apart their places are."""
    apart = (places[:, None] - places[None, :]).clamp(min=0)
    each = nn.functional.softplus(rating[None, :] - rating[:, None])
    return (apart * each).sum() / apart.sum().clamp(min=1e-6)


class Learner:
    """A reader with its optimiser, and the slope and intercept of each set."""

    def __init__(self, reader: Reader, run: Run, rated: Rated, damage: Damage, *, half: bool) -> None:
        self.reader, self.run, self.rated, self.damage, self.half = reader, run, rated, damage, half
        self.device = rated.texts.ids.device
        self.slopes = nn.Parameter(torch.ones(len(rated.sets), device=self.device))
        self.intercepts = nn.Parameter(torch.zeros(len(rated.sets), device=self.device))
        body, heads = [], [self.slopes, self.intercepts]
        for name, parameter in reader.named_parameters():
            if parameter.requires_grad:
                is_head = name.startswith(("p.", "r.", "body.kinds", "body.pooled", "body.sound"))
                (heads if is_head else body).append(parameter)
        self.parameters = body + heads
        groups = [{"params": body, "lr": RATE}, {"params": heads, "lr": RATE_HEADS}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, betas=(0.9, 0.98))
        warm = max(1, round(WARM * run.steps))
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: rate_at(step, run.steps, warm=warm, decay=FALL)
        )

    def plan(self, without: Collection[str]) -> Plan:
        """Draw the batches of the training."""
        run, rng = self.run, np.random.default_rng(self.run.seed)
        rated = RatedBatches(self.rated, rng, run.pieces, without=set(without))
        damage = damage_batches(self.damage, np.random.default_rng(run.seed), run.pieces)
        steps = [[*islice(damage, run.damage), *(rated.next() for _ in range(run.rated))] for _ in range(run.steps)]
        return Plan.of(steps, self.device)

    def cost(self, batch: Batch, rows: Tensor, places: Tensor) -> Tensor:
        """Return the loss of a batch, weighted."""
        if batch.kind == "damage":
            ids, mask, kinds = self.damage.rows.batch(rows, batch.longest)
            there = DamageBatch(ids, mask, kinds, self.damage.soundness[rows])
            kind, graded, ranked, _ = losses(said_by(self.reader.body, there, half=self.half), there)
            weight = self.run.damage_weight / self.run.damage
            return weight * (KIND_WEIGHT * kind + graded + PAIR_WEIGHT * ranked)
        parts = batch.parts or [(slice(0, len(batch.rows)), batch.longest)]
        rating = torch.cat([read(self.reader, self.rated, rows[part], n, half=self.half) for part, n in parts])
        if batch.kind == "edits":
            better, worse = rating.chunk(2)
            return nn.functional.softplus(worse - better).mean()
        scaled = self.slopes[batch.set] * rating + self.intercepts[batch.set]
        graded = nn.functional.binary_cross_entropy_with_logits(scaled, places)
        return ranking_loss(rating, places) + PLACE_WEIGHT * graded

    def step(self, plan: Plan, step: int) -> dict[str, Tensor]:
        """Learn from the batches of a step; returns losses to show."""
        self.optimizer.zero_grad()
        shown: dict[str, Tensor] = {}
        for batch, rows, places in plan.batches(step):
            cost = self.cost(batch, rows, places)
            cost.backward()
            shown[batch.kind] = cost.detach()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.schedule.step()
        return shown


def learn(learner: Learner, log: Callable[[str], None], *, without: Collection[str] = ()) -> None:
    """Train a reader without some families."""
    plan, steps = learner.plan(without), learner.run.steps
    learner.reader.train()
    started, sums, counts = time.monotonic(), dict[str, float](), dict[str, int]()
    for step in range(steps):
        for kind, loss in learner.step(plan, step).items():
            sums[kind] = sums.get(kind, 0.0) + float(loss)
            counts[kind] = counts.get(kind, 0) + 1
        if (step + 1) % SHOWN == 0 or step + 1 == steps:
            means = {kind: total / counts[kind] for kind, total in sums.items()}
            if not all(np.isfinite(x) for x in means.values()):
                raise RuntimeError(f"a loss is no number any more at step {step + 1}: {means}")
            seconds = time.monotonic() - started
            log(f"  {step + 1}/{steps} {seconds:.1f} s " + " ".join(f"{k} {v:.3f}" for k, v in means.items()))
            sums, counts = {}, {}
    learner.reader.eval()


def read(reader: Reader, rated: Rated, rows: Tensor, longest: int, *, half: bool) -> Tensor:
    """Return ratings of texts that are padded to one length."""
    ids, mask, _ = rated.texts.batch(rows, longest)
    with torch.autocast(ids.device.type, torch.bfloat16, enabled=half):
        rating: Tensor = reader(ids, mask)
    return rating


@torch.no_grad()
def rate_all(reader: Reader, rated: Rated, *, half: bool) -> NDArray[np.float32]:
    """Return a reader's rating of each text that is in a set, those of like length together."""
    reader.eval()
    device, lengths = rated.texts.ids.device, rated.texts.n_pieces[: rated.n]
    order, ratings = np.argsort(lengths, kind="stable")[::-1].copy(), np.zeros(rated.n, np.float32)
    at = 0
    while at < len(order):
        longest = padded(int(lengths[order[at]]))
        chosen = order[at : at + max(1, READ_AT_ONCE[device.type] // longest)]
        there = read(reader, rated, torch.from_numpy(chosen).to(device), longest, half=half)
        ratings[chosen] = there.cpu().numpy()
        at += len(chosen)
    return ratings

"""How a reader learns: damage and ratings at once, then in whole numbers, and from a larger reader."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from torch import Tensor, nn

from training.reader.batches import IGNORED, Batch, Data, Plan, RatedBatches, Step, damage_batches
from training.reader.network import Answers, Reader

KIND_WEIGHT, PAIR_WEIGHT, HINT_WEIGHT = 3.0, 0.7, 1.0
PLACE_WEIGHT = 0.3
"""Of the cross-entropy of places, beside the loss of pairs."""
TAUGHT = 0.7
"""Share of a teacher's word, where there is one."""
SHOWN = 20
"""Steps between two lines of the log."""
SHORTEST = 0.5
"""Share of its steps to which a training may be shortened, or at which it may be stopped and kept."""
DECAY = 0.01

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int
    rated: int = 2
    """Rated batches of a step."""
    damage: int = 1
    """Damage batches of a step, whose losses are averaged."""
    damage_weight: float = 1.0
    pieces: int = 24_000
    """Of a batch."""
    rate: float = 3e-5
    rate_of_heads: float = 1e-3
    warm: float = 0.1
    level: float = 0.2
    """Shares of the steps in which the rates rise, and stay; then they fall to nothing."""
    whole_from: float | None = None
    """Share of the steps after which the reader computes in whole numbers."""
    seed: int = 0

    def rate_at(self, step: int) -> float:
        """Return the share of the full learning rate."""
        up, level = self.warm * self.steps, (self.warm + self.level) * self.steps
        return max(0.0, min(1.0, (step + 1) / max(1.0, up), (self.steps - step) / max(1.0, self.steps - level)))

    def n_pieces(self) -> int:
        """Return how many pieces are read, padding included."""
        return self.steps * (self.rated + self.damage) * self.pieces


def steps_of(run: Run, data: Data, *, without: set[str], licensed_only: bool = False) -> list[Step]:
    """Draw the batches of a training."""
    rng = np.random.default_rng(run.seed)
    rated = RatedBatches(data, rng, run.pieces, without=without, licensed_only=licensed_only) if run.rated else None
    damage = damage_batches(data.damage, data.damage.mixture, np.random.default_rng(run.seed), run.pieces)
    return [[*islice(damage, run.damage), *(rated.next() for _ in range(run.rated) if rated)] for _ in range(run.steps)]


def word_losses(said: Answers, targets: Tensor, teacher: Answers | None) -> Tensor:
    """Return the loss of the kinds of words."""
    kinds = said.kinds.flatten(0, 1)
    labels = nn.functional.cross_entropy(kinds, targets.flatten(), ignore_index=IGNORED)
    if teacher is None:
        return labels
    words = (targets != IGNORED).flatten().float()
    each = nn.functional.cross_entropy(kinds, teacher.kinds.flatten(0, 1).softmax(-1), reduction="none")
    return (1 - TAUGHT) * labels + TAUGHT * (each * words).sum() / words.sum().clamp(min=1)


def soundness_losses(sound: Tensor, goal: Tensor, teacher: Answers | None) -> tuple[Tensor, Tensor]:
    """Return the losses of soundness and of pairs."""
    mixed = goal if teacher is None else (1 - TAUGHT) * goal + TAUGHT * teacher.sound.sigmoid()
    graded = nn.functional.binary_cross_entropy_with_logits(sound, mixed)
    better, worse = sound.chunk(2)
    first, second = goal.chunk(2)
    apart = (first > second).float()
    ranked = (nn.functional.softplus(worse - better) * apart).sum() / apart.sum().clamp(min=1)
    return graded, ranked


def ranking_loss(rating: Tensor, places: Tensor) -> Tensor:
    """Return the loss of all pairs of a batch, weighted by how far apart their places are."""
    apart = (places[:, None] - places[None, :]).clamp(min=0)
    each = nn.functional.softplus(rating[None, :] - rating[:, None])
    return (apart * each).sum() / apart.sum().clamp(min=1e-6)


def agreement(rating: Tensor, teacher: Tensor) -> Tensor:
    """Return the mean squared difference to a teacher's ratings, in their deviations."""
    spread = teacher.std(correction=0).clamp(min=1e-3)
    return ((rating - teacher) / spread).square().mean()


class Learner:
    """A reader with its optimiser, the scale of each set, and a teacher if it has one."""

    def __init__(self, reader: Reader, run: Run, data: Data, teacher: Reader | None = None, *, half: bool) -> None:
        self.reader, self.run, self.data, self.teacher = reader, run, data, teacher
        device = data.texts.ids.device
        self.device = device
        self.half = half
        self.slopes = nn.Parameter(torch.ones(len(data.sets), device=device))
        self.intercepts = nn.Parameter(torch.zeros(len(data.sets), device=device))
        widths = (reader.shape.width, teacher.shape.width if teacher else 0)
        self.hint = nn.Linear(*widths).to(device) if teacher and widths[0] != widths[1] else None
        body, heads = [], [self.slopes, self.intercepts]
        for name, parameter in reader.named_parameters():
            if parameter.requires_grad:
                is_head = name.startswith(("p.", "r.", "body.kinds", "body.pooled", "body.sound"))
                (heads if is_head else body).append(parameter)
        if self.hint is not None:
            heads += list(self.hint.parameters())
        self.parameters = body + heads
        groups = [{"params": body, "lr": 0.0}, {"params": heads, "lr": 0.0}]
        fused = {"fused": True} if device.type == "cuda" else {}
        self.optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, betas=(0.9, 0.98), **fused)

    def losses(self, batch: Batch, rows: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch that is minimised, and one that the log shows."""
        return self._damage_losses(batch, rows) if batch.kind == "damage" else self._rated_losses(batch, rows, places)

    def _read(self, ids: Tensor, mask: Tensor) -> tuple[Answers, Answers | None]:
        """Return what the reader says, and its teacher if it has one."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            said = self.reader(ids, mask)
            with torch.no_grad():
                return said, self.teacher(ids, mask) if self.teacher else None

    def _damage_losses(self, batch: Batch, rows: Tensor) -> tuple[Tensor, Tensor]:
        ids, mask, targets = self.data.damage.rows.batch(rows, batch.longest)
        said, taught = self._read(ids, mask)
        kinds = word_losses(said, targets, taught)
        graded, ranked = soundness_losses(said.sound, self.data.damage.soundness[rows], taught)
        shown = KIND_WEIGHT * kinds + graded + PAIR_WEIGHT * ranked
        cost = self.run.damage_weight * shown
        if taught is not None:
            cost = cost + TAUGHT * agreement(said.rating, taught.rating)
            if self.hint is not None:
                cost = cost + HINT_WEIGHT * self._hint(said, taught, targets)
        return cost / self.run.damage, shown.detach()

    def _rated_losses(self, batch: Batch, rows: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        ratings, goals = [], []
        beside = rows.new_zeros((), dtype=torch.float32)
        for part, longest in batch.parts or [(slice(0, len(batch.rows)), batch.longest)]:
            ids, mask, targets = self.data.texts.batch(rows[part], longest)
            said, taught = self._read(ids, mask)
            ratings.append(said.rating)
            if taught is not None:
                share = (part.stop - part.start) / len(batch.rows)
                goals.append(taught.rating)
                beside = beside + share * TAUGHT * KIND_WEIGHT * self._words_as_taught(said, taught, targets)
                if self.hint is not None:
                    beside = beside + share * HINT_WEIGHT * self._hint(said, taught, targets)
        rating = torch.cat(ratings)
        if batch.kind == "rated":
            shown = ranking_loss(rating, places)
            scaled = self.slopes[batch.set] * rating + self.intercepts[batch.set]
            cost = shown + PLACE_WEIGHT * nn.functional.binary_cross_entropy_with_logits(scaled, places)
        else:
            better, worse = rating.chunk(2)
            cost = shown = nn.functional.softplus(worse - better).mean()
        if goals:
            cost = (1 - TAUGHT) * cost + TAUGHT * agreement(rating, torch.cat(goals)) + beside
        return cost, shown.detach()

    def _words_as_taught(self, said: Answers, taught: Answers, targets: Tensor) -> Tensor:
        """Return the loss of kinds where there is no label."""
        words = (targets != IGNORED).flatten().float()
        each = nn.functional.cross_entropy(
            said.kinds.flatten(0, 1), taught.kinds.flatten(0, 1).softmax(-1), reduction="none"
        )
        return (each * words).sum() / words.sum().clamp(min=1)

    def _hint(self, said: Answers, taught: Answers, targets: Tensor) -> Tensor:
        """Return how far vectors of words are from the teacher's, each number in deviations of the batch."""
        assert self.hint is not None
        words = (targets != IGNORED).flatten().float()[:, None]
        n = words.sum().clamp(min=1)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            mine = self.hint(said.states).flatten(0, 1).float()
        goal = taught.states.flatten(0, 1).float()
        mean = (goal * words).sum(0) / n
        spread = (((goal - mean).square() * words).sum(0) / n).sqrt().clamp(min=1e-6)
        off: Tensor = ((mine - (goal - mean) / spread).square() * words).sum() / (n * goal.shape[1])
        return off

    def step(self, plan: Plan, step: int) -> dict[str, Tensor]:
        """Learn from the batches of a step; returns losses to show."""
        for group, rate in zip(self.optimizer.param_groups, (self.run.rate, self.run.rate_of_heads), strict=True):
            group["lr"] = rate * self.run.rate_at(step)
        self.optimizer.zero_grad()
        shown: dict[str, Tensor] = {}
        for batch, rows, places in plan.batches(step):
            cost, loss = self.losses(batch, rows, places)
            cost.backward()
            shown[batch.kind] = loss
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        return shown


def learn(
    learner: Learner,
    log: Log,
    *,
    without: Collection[str] = (),
    licensed_only: bool = False,
    until: float = float("inf"),
) -> float:
    """Train a reader; returns the seconds a step took.

    At ``until`` (of `time.monotonic`) it stops: with less than `SHORTEST` of the steps by `TimeoutError`, otherwise
    what was learned stays.
    """
    run, data = learner.run, learner.data
    plan = Plan.of(steps_of(run, data, without=set(without), licensed_only=licensed_only), learner.device)
    learner.reader.train()
    started, sums, counts = time.monotonic(), dict[str, Tensor](), dict[str, int]()
    whole_from = run.steps + 1 if run.whole_from is None else round(run.whole_from * run.steps)
    done = 0
    for step in range(run.steps):
        if time.monotonic() > until:
            break
        if step == whole_from:
            learner.reader.compute_in_whole_numbers()
        for kind, loss in learner.step(plan, step).items():
            sums[kind] = sums[kind] + loss if kind in sums else loss
            counts[kind] = counts.get(kind, 0) + 1
        if (step + 1) % SHOWN == 0 or step + 1 == run.steps:
            means = {kind: float(total) / counts[kind] for kind, total in sums.items()}
            if not all(np.isfinite(x) for x in means.values()):
                raise RuntimeError(f"a loss is no number any more at step {step + 1}: {means}")
            seconds = time.monotonic() - started
            log(f"  {step + 1}/{run.steps} {seconds:.1f} s " + " ".join(f"{k} {v:.3f}" for k, v in means.items()))
            sums, counts = {}, {}
        done = step + 1
    if done < SHORTEST * run.steps:
        raise TimeoutError(f"stopped at step {done} of {run.steps}")
    if done < run.steps:
        log(f"  stopped at step {done} of {run.steps}, and kept")
        if done <= whole_from <= run.steps:
            learner.reader.compute_in_whole_numbers()
    learner.reader.eval()
    return (time.monotonic() - started) / max(1, done)


def settle(reader: Reader, run: Run, data: Data, log: Log, until: float, *, half: bool) -> Reader:
    """Return a reader of whole numbers that says what this one says: it is its teacher."""
    teacher = copy.deepcopy(reader).eval()
    learn(Learner(reader.compute_in_whole_numbers(), run, data, teacher, half=half), log, until=until)
    return reader


def learn_words(
    reader: Reader, data: Data, log: Log, *, steps: int, pieces: int, batches: int, half: bool, seed: int = 77
) -> None:
    """Let the layer of kinds learn on from labels alone, on a body that stays as it is.

    The damage is that of people: names of kinds are for people, who make other errors than generators.
    """
    rng = np.random.default_rng(seed)
    damage = damage_batches(data.damage, data.damage.people, rng, pieces)
    plan = Plan.of([list(islice(damage, batches)) for _ in range(steps)], data.texts.ids.device)
    device = data.texts.ids.device
    layer = reader.body.kinds
    optimizer = torch.optim.AdamW(layer.parameters(), lr=1e-3, weight_decay=0.0)
    reader.eval()
    total: Tensor | float = 0.0
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * max(0.02, 1 - step / steps)
        optimizer.zero_grad()
        for batch, rows, _ in plan.batches(step):
            ids, mask, targets = data.damage.rows.batch(rows, batch.longest)
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=half):
                states = reader.body.states(ids, mask)
            loss = nn.functional.cross_entropy(
                layer(states.float()).flatten(0, 1), targets.flatten(), ignore_index=IGNORED
            )
            (loss / batches).backward()
            total = total + loss.detach()
        optimizer.step()
    log(f"  words: {steps} steps, mean loss {float(total) / (steps * batches):.3f}")

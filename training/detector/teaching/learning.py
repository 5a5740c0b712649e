"""What learns on the GPU, each for a stretch of time: a language model, a teacher, the detectors that it teaches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from naturalness.models.pieces import PADDING
from training.detector.batches import Batch
from training.detector.learning import HINT_WEIGHT, KIND_WEIGHT, PAIR_WEIGHT, losses, said_by
from training.detector.network import Body, Shape
from training.detector.teaching.guesses import Candidates, Guesser, filled
from training.detector.teaching.stream import Arrays, Drawn

WARM, LEVEL = 0.03, 0.4
"""Shares of the time: until then the rate rises; from then on it falls to nothing."""
WHOLE = 0.6
"""Share of the time after which a network learns on in whole numbers, as its file computes."""
RATES_GUESSER, RATES_TEACHER = (3e-4, 2e-3), (1.5e-4, 1e-3)
RATES_WIDE, RATES_NARROW = (2e-4, 1e-3), (6e-4, 1e-3)
"""Of the encoder and of the heads."""
LAYERS_TAKEN = (0, 2, 4, 7, 9, 11)
"""Layers of the teacher with which the wide detector begins."""
VARIANTS = 32
"""Of a compiled layer: by width, rounded or not, with gradients or without."""
SHOWN_EVERY = 10.0
"""Seconds between two lines of progress."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time, and how much of it has gone."""

    seconds: float
    start: float = field(default_factory=time.monotonic)

    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, (time.monotonic() - self.start) / self.seconds)


def rate(share: float) -> float:
    """Share of the full learning rate: up, level, and down."""
    return min(1.0, (share + 1e-3) / WARM, max(0.005, (1 - share) / (1 - LEVEL)))


class Learner:
    """A network with its optimiser."""

    def __init__(self, model: nn.Module, rates: tuple[float, float], *, encoder: Body, fused: bool) -> None:
        self.model, self.encoder = model, encoder
        body = [p for p in encoder.layers.parameters() if p.requires_grad]
        body += [p for p in (*encoder.norm.parameters(), *encoder.distances.parameters()) if p.requires_grad]
        body += [p for p in encoder.positions.parameters() if p.requires_grad]
        known = {id(p) for p in body}
        heads = [p for p in model.parameters() if p.requires_grad and id(p) not in known]
        self.rates = rates
        groups = [{"params": body, "lr": rates[0]}, {"params": heads, "lr": rates[1]}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
        self.steps = 0
        if fused:
            torch._dynamo.config.recompile_limit = VARIANTS
            for layer in encoder.layers:
                layer.compile(dynamic=True)
        model.train()

    def step(self, cost: Tensor, share: float) -> None:
        """Go down the gradient."""
        for group, full in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = full * rate(share)
        self.optimizer.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_([p for group in self.optimizer.param_groups for p in group["params"]], 1.0)
        self.optimizer.step()
        self.steps += 1


@dataclass(frozen=True)
class Lessons:
    """Batches on the device, their slots filled by the language model."""

    stream: Iterator[Drawn]
    wide_padding: int
    narrow_padding: int
    candidates: Candidates
    guesser: Guesser
    device: torch.device

    @classmethod
    def of(cls, stream: Iterator[Drawn], candidates: Candidates, guesser: Guesser, narrow: Sequence[str]) -> Lessons:
        """Prepare them for the device of the language model."""
        device = guesser.bias.device
        wide = guesser.body.vocabulary.index(PADDING)
        return cls(stream, wide, list(narrow).index(PADDING), candidates, guesser, device)

    def slots(self, arrays: Arrays) -> Tensor:
        """The slots of a batch on the device."""
        return torch.from_numpy(arrays.slots).to(self.device)

    def clean(self) -> Batch:
        """The next batch as drawn."""
        drawn = next(self.stream)
        return drawn.wide.batch(self.wide_padding, torch.from_numpy(drawn.soundness).to(self.device))

    def next(self, *, narrow: bool) -> tuple[Batch, Batch | None]:
        """The next batch in both vocabularies, or in the wide one."""
        drawn = next(self.stream)
        soundness = torch.from_numpy(drawn.soundness).to(self.device)
        dilution = torch.from_numpy(drawn.dilution).to(self.device)
        wide, slots = drawn.wide.batch(self.wide_padding, soundness), self.slots(drawn.wide)
        other = drawn.narrow.batch(self.narrow_padding, soundness) if narrow else None
        with torch.autocast(self.device.type, torch.bfloat16):
            return filled(self.guesser, self.candidates, wide, slots, other, self.slots(drawn.narrow), dilution)


class Progress:
    """Mean losses since the last line."""

    def __init__(self, name: str, after: Callable[[str], None]) -> None:
        self.name, self.after = name, after
        self.last, self.sums, self.n, self.sentences = time.monotonic(), None, 0, 0

    def add(self, parts: Sequence[Tensor], sentences: int, share: float) -> None:
        """Count a batch; say how it goes from time to time."""
        now = torch.stack([part.detach() for part in parts])
        self.sums = now if self.sums is None else self.sums + now
        self.n, self.sentences = self.n + 1, self.sentences + sentences
        past = time.monotonic() - self.last
        if past >= SHOWN_EVERY:
            means = (self.sums / self.n).tolist()
            if not all(map(math.isfinite, means)):
                raise RuntimeError(f"{self.name}: the loss is no number any more")
            shown = " ".join(f"{x:.3f}" for x in means)
            self.after(f"{self.name} {100 * share:.0f} %, losses {shown}; {self.sentences / past:.0f} sentences/s")
            self.last, self.sums, self.n, self.sentences = time.monotonic(), None, 0, 0


def learn_to_guess(
    guesser: Guesser, lessons: Lessons, seconds: float, *, fused: bool, after: Callable[[str], None]
) -> None:
    """Train the language model."""
    learner, stretch = Learner(guesser, RATES_GUESSER, encoder=guesser.body, fused=fused), Stretch(seconds)
    progress = Progress("language model", after)
    while (share := stretch.share()) < 1:
        batch = lessons.clean()
        with torch.autocast(lessons.device.type, torch.bfloat16):
            loss = guesser.loss(batch)
        learner.step(loss, share)
        progress.add([loss], len(batch.ids), share)
    guesser.eval()


def learn(
    learners: dict[str, Learner],
    lessons: Lessons,
    seconds: float,
    *,
    teacher: Body | None = None,
    after: Callable[[str], None],
    watch: Callable[[str, nn.Module], None],
    watch_every: float = 0.25,
) -> None:
    """Train networks on the same batches; ``narrow`` is the name of the one with a vocabulary of its own."""
    stretch, progress, rounds, watched = Stretch(seconds), {n: Progress(n, after) for n in learners}, False, 0.0
    while (share := stretch.share()) < 1:
        if share >= WHOLE and not rounds:
            rounds = True
            for learner in learners.values():
                learner.encoder.round()
        wide, narrow = lessons.next(narrow="narrow" in learners)
        taught = None
        if teacher is not None:
            with torch.no_grad():
                taught = said_by(teacher, wide, half=True)
        for name, learner in learners.items():
            batch = narrow if name == "narrow" and narrow is not None else wide
            parts = losses(said_by(learner.model, batch, half=True), batch, taught)
            learner.step(KIND_WEIGHT * parts[0] + parts[1] + PAIR_WEIGHT * parts[2] + HINT_WEIGHT * parts[3], share)
            progress[name].add(parts, len(batch.ids), share)
        if share >= watched + watch_every:
            watched += watch_every
            for name, learner in learners.items():
                learner.model.eval()
                watch(name, learner.model)
                learner.model.train()
    for name, learner in learners.items():
        learner.model.eval()
        after(f"{name}: {learner.steps} steps")
        watch(name, learner.model)


def begin_with(teacher: Body, layers: Sequence[int] = LAYERS_TAKEN) -> Body:
    """A network of some of the teacher's layers, with its heads; its vectors are turned towards the teacher's."""
    width = teacher.norm.normalized_shape[0]
    model = Body(teacher.vocabulary, Shape(len(layers), width, teacher.layers[0].wide.out_features), taught=width)
    state = {name: values for name, values in teacher.state_dict().items() if not name.startswith("layers.")}
    for place, layer in enumerate(layers):
        part = teacher.layers[layer].state_dict()
        state |= {f"layers.{place}.{name}": values for name, values in part.items()}
    model.load_state_dict({**model.state_dict(), **state})
    nn.init.eye_(model.hint.weight)
    nn.init.zeros_(model.hint.bias)
    model.forget_steps()
    for table in (model.pieces, model.positions):
        table.weight.requires_grad_(False)
    return model

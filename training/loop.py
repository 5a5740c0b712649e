"""The training loop of every network: batches of similar length, the learning rate, checkpoints."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

SHOW, KEEP = 50, 250
"""Steps between two lines of progress, and between two checkpoints."""
Costs = Iterable[Mapping[str, Tensor]]
"""Named costs of one step: those of a mapping share a graph, and the gradients of several mappings add up."""


def by_length(lengths: Sequence[float], size: float, rng: random.Random) -> list[list[int]]:
    """Return row numbers in batches of similar length, at most ``size`` each with padding, in random order."""
    out: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if out[-1] and lengths[i] * (len(out[-1]) + 1) > size:
            out.append([])
        out[-1].append(i)
    rng.shuffle(out)
    return out


def rate_at(step: int, steps: int, *, warm: float, decay: float) -> float:
    """Return the share of the full learning rate: it rises, stays, and falls over the last ``decay`` of the steps."""
    falling = max(1.0, decay * steps)
    return min((step + 1) / max(1, warm), 1.0, max(0.01, (steps - step) / falling))


def train(
    model: nn.Module,
    groups: Sequence[Any],
    costs: Callable[[int], Iterator[Costs]],
    *,
    steps: int,
    rate: Callable[[int], float],
    path: Path | None = None,
    seconds: float = math.inf,
    clip: float = 1.0,
    **settings: Any,
) -> None:
    """Train parameter ``groups`` with AdamW and its ``settings``.

    ``costs`` yields the costs of each step from a given step on. ``path``: a checkpoint, from which training resumes.
    ``seconds``: time after which it is written, and the program ends.
    """
    optimizer = torch.optim.AdamW(groups, **settings)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    parts = {"weights": model, "optimizer": optimizer, "schedule": schedule}
    first = _resume(path, parts) if path else 0
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    started, shown = time.monotonic(), defaultdict[str, list[float]](list)
    model.train()
    for done, together in zip(range(first + 1, steps + 1), costs(first), strict=False):
        optimizer.zero_grad()
        for named in together:
            sum(named.values(), torch.tensor(0.0)).backward()
            for name, cost in named.items():
                shown[name].append(cost.item())
        nn.utils.clip_grad_norm_(parameters, clip)
        optimizer.step()
        schedule.step()
        late = time.monotonic() - started > seconds
        if path and (late or done % KEEP == 0 or done == steps):
            _save(path, done, parts)
        if done % SHOW == 0 or done == steps:
            means = {name: float(np.mean(values)) for name, values in shown.items()}
            told = " ".join(f"{name} {mean:.3f}" for name, mean in means.items())
            report(f"{done}/{steps} {told}; {time.monotonic() - started:.0f} s")
            if not all(map(math.isfinite, means.values())):
                raise RuntimeError(f"a loss is no number any more at step {done}")
            shown.clear()
        if late and done < steps:
            raise SystemExit(f"time is up after {done} of {steps} steps; the same command continues")
    model.eval()


def report(line: str) -> None:
    """Print a line of progress at once."""
    print(line, flush=True)


def _save(path: Path, step: int, parts: Mapping[str, Any]) -> None:
    """Write the states of all parts; the file is renamed into place once it is complete."""
    state = {name: part.state_dict() for name, part in parts.items()}
    unfinished = path.with_suffix(".part")
    torch.save({**state, "step": step, "vocabulary": getattr(parts["weights"], "vocabulary", None)}, unfinished)
    unfinished.rename(path)


def _resume(path: Path, parts: Mapping[str, Any]) -> int:
    """Load a checkpoint, if there is one, and return the number of finished steps."""
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    return int(state["step"])

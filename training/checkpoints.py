"""Checkpoints of a training run, its learning rate and its optimisation step."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn


def rate_at(step: int, steps: int, *, warm: int, decay: float) -> float:
    """Return the share of the full learning rate: it rises, stays, and falls over the last ``decay`` of the steps."""
    falling = max(1.0, decay * steps)
    return min((step + 1) / warm, 1.0, max(0.01, (steps - step) / falling))


def descend(cost: Tensor, parameters: Iterable[Tensor], optimizer: Any, schedule: Any) -> None:
    """Take one step down the gradient of a cost, clipped to a norm of 1."""
    optimizer.zero_grad()
    cost.backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
    schedule.step()


def save(path: Path, model: nn.Module, step: int, optimizer: Any, schedule: Any) -> None:
    """Write weights, optimiser and schedule; the file appears once it is complete."""
    state = {
        "weights": model.state_dict(),
        "step": step,
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
    }
    if hasattr(model, "vocabulary"):
        state["vocabulary"] = model.vocabulary
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.rename(path)


def resume(path: Path, model: nn.Module, optimizer: Any, schedule: Any) -> int:
    """Load a checkpoint, if there is one, and return the number of finished steps."""
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["optimizer"])
    schedule.load_state_dict(state["schedule"])
    return int(state["step"])

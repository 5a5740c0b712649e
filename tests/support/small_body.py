"""A detector network in torch with one layer and seeded weights."""

from __future__ import annotations

from pathlib import Path

import torch

from naturalness.models.pieces import END, PADDING, START, UNKNOWN
from training.detector.network import Body, Shape

VOCABULARY = [PADDING, UNKNOWN, START, END, "the", "old", "man", "slept", "."]


def small(path: Path) -> Path:
    """Write a checkpoint, and return its path."""
    torch.manual_seed(0)
    body = Body(VOCABULARY, Shape(1))
    torch.save({"weights": body.state_dict(), "vocabulary": VOCABULARY}, path)
    return path

"""Progress callbacks of long work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], object]
"""A callback that receives the name of a stage, the amount done and the total amount (0 means unknown)."""


def silent(stage: str, done: int, total: int) -> None:
    """Show no progress."""

"""Functions that damage a file in a folder of a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Damage = Callable[[Path], object]
MISSING = object()
"""Stands for an entry that is removed."""


def entries(name: str, **values: Any) -> Damage:
    """Return a function that changes entries of a JSON file, or removes those that are `MISSING`."""

    def damage(folder: Path) -> None:
        content = {**json.loads((folder / name).read_text(encoding="utf-8")), **values}
        rest = {key: value for key, value in content.items() if value is not MISSING}
        (folder / name).write_text(json.dumps(rest), encoding="utf-8")

    return damage


def content(name: str, data: bytes) -> Damage:
    """Return a function that replaces the content of a file."""
    return lambda folder: (folder / name).write_bytes(data)


def cut(name: str) -> Damage:
    """Return a function that cuts a file in half."""
    return lambda folder: (folder / name).write_bytes(
        (folder / name).read_bytes()[: (folder / name).stat().st_size // 2]
    )


def flip(name: str) -> Damage:
    """Return a function that changes one bit in the middle of a file."""

    def damage(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(data)

    return damage

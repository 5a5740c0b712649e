"""Read the TOML tables beside a module: word lists and settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_table(module: str, name: str) -> dict[str, Any]:
    """Return the TOML file of this name beside ``module``, a module's ``__file__``."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))

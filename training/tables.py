"""Read the tables that stand beside a module: word lists and settings that are data, not code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_table(module: str, name: str) -> dict[str, Any]:
    """Return the TOML file of this name beside a module, which passes its own ``__file__``."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))

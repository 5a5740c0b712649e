"""Options of rated tables."""

from __future__ import annotations

import argparse
from typing import Any

from naturalness.cli.options import argument
from naturalness.errors import suggestion
from naturalness.pipelines.rated import BOUNDS, TABLE_OPTIONS, read_scale

scale = argument(read_scale)


def label_rule(value: str) -> dict[str, Any]:
    """Read the name of a published label rule, or the bounds of another rule, as table options."""
    if "=" not in value:
        return {"rule": value}
    options: dict[str, Any] = {"rule": None}
    for part in value.split(","):
        key, _, number = part.partition("=")
        name = key.strip().replace("-", "_")
        if name not in BOUNDS:
            raise argparse.ArgumentTypeError(f"unknown part {key!r}; {suggestion(name, BOUNDS)}")
        try:
            options[name] = float(number)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected a number in {part!r}") from None
    return options


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the table options by name, as manifests record them, with defaults for those that the command lacks."""
    options = {name: getattr(args, name, default) for name, default in TABLE_OPTIONS.items()}
    return options | (args.rule or {"rule": None})

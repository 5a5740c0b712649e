"""Options of rated tables."""

from __future__ import annotations

import argparse
from typing import Any

from naturalness.cli.options import argument, names
from naturalness.data.labels import MIDDLES
from naturalness.errors import suggestion
from naturalness.pipelines.rated import BOUNDS, TABLE_OPTIONS, read_scale

scale = argument(read_scale)


def pair_of_columns(value: str) -> list[str]:
    """Read two column names, separated by a comma."""
    columns = names(value)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise argparse.ArgumentTypeError(f"expected two columns, GOOD,BAD, found {value!r}")
    return columns


def label_rule(value: str) -> dict[str, Any]:
    """Read the name of a published label rule, or the parts of another rule, as table options."""
    if "=" not in value:
        return {"rule": value}
    options: dict[str, Any] = {"rule": None}
    for part in value.split(","):
        key, _, number = part.partition("=")
        name = key.strip().replace("-", "_")
        if name not in (*BOUNDS, "middle"):
            raise argparse.ArgumentTypeError(f"unknown part {key!r}; {suggestion(name, (*BOUNDS, 'middle'))}")
        try:
            options[name] = number if name == "middle" else float(number)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected a number in {part!r}") from None
    return options


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the table options by name, as manifests record them, with defaults for those that the command lacks."""
    raters = args.raters or []
    return {
        **{name: getattr(args, name, default) for name, default in TABLE_OPTIONS.items()},
        "rater_column": raters[0] if len(raters) == 1 else None,
        "rater_columns": raters if len(raters) > 1 else None,
        "keep_duplicates": args.duplicates == "keep",
        "middle": MIDDLES[0],
        **(args.rule or {"rule": None}),
    }

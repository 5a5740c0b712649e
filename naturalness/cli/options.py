"""Build commands from the declarations in ``commands/*.toml``, and read option values that commands share.

Each file declares one command; ``commands/shared.toml`` has options that several commands include with ``use``.
The keys of an option are arguments of `argparse.ArgumentParser.add_argument`, and also ``names``, ``group`` (the
title of its section in the help) and ``exclusive`` (options with the same word exclude each other). ``type`` and
``run`` name functions of this package, such as ``report.raters.run``; ``type`` may also be float, int or path. Another
package may declare commands in a folder of its own, with the full paths of functions.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from naturalness.cli.parser import as_options
from naturalness.errors import NaturalnessError
from naturalness.files.storage import user_folder
from naturalness.pipelines import planning

if TYPE_CHECKING:
    from naturalness.files.store import MeasurementStore

T = TypeVar("T")
BUILT_IN = {"float": float, "int": int, "path": Path}
DECLARED = Path(__file__).with_name("commands")
GROUPINGS = (
    ("group", "_action_groups", "add_argument_group"),
    ("exclusive", "_mutually_exclusive_groups", "add_mutually_exclusive_group"),
)
"""Keys that put an option into a group, with the parser's attribute for such groups and the method that creates one."""


@cache
def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _named(path: str) -> Any:
    """Return the function at a dotted path: one of this package, such as ``report.raters.run``, or a full path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module if module.startswith("naturalness") else f"{__package__}.{module}"), name)


def add_command(commands: Any, path: str, folder: Path = DECLARED) -> None:
    """Add the command declared in a file of a folder, and its subcommands."""
    declared = dict(_read(folder / f"{path}.toml"))
    run, inner, options = declared.pop("run", ""), declared.pop("commands", None), declared.pop("options", ())
    parser = commands.add_parser(Path(path).name, **declared)
    for option in options:
        _add_option(parser, option)
    if inner:
        actions = parser.add_subparsers(dest=inner["dest"], metavar=inner["metavar"], required=True)
        for name in inner["names"]:
            add_command(actions, f"{path}/{name}", folder)
    else:
        parser.set_defaults(run=_named(run))


def _add_option(parser: Any, option: Mapping[str, Any]) -> None:
    """Add a declared option or, if it has ``use``, the shared options named there; its other keys override theirs."""
    named = dict(option)
    if shared := named.pop("use", ()):
        known = _read(DECLARED / "shared.toml")
        for name in shared:
            _add_option(parser, ({"use": known["sets"][name]} if name in known["sets"] else known[name]) | named)
        return
    for key, groups, make in GROUPINGS:
        if title := named.pop(key, ""):
            existing = [group for group in getattr(parser, groups) if group.title == title]
            parser = existing[0] if existing else getattr(parser, make)()
            parser.title = title
    if kind := named.pop("type", ""):
        named["type"] = BUILT_IN.get(kind) or _named(kind)
    if named.get("action") == "boolean":
        named["action"] = argparse.BooleanOptionalAction
    parser.add_argument(*named.pop("names"), **named)


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Wrap a reader so that argparse shows the message of its ValueError unchanged."""

    def convert(value: str) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


positive, seed, fraction = argument(planning.whole_number), argument(planning.seed), argument(planning.fraction)


def fraction_or_all(value: str) -> float:
    """Read a number from 0 to 1, inclusive."""
    return float(value) if value in ("0", "1") else fraction(value)


def names(value: str) -> list[str]:
    """Read a comma-separated list of at least one name."""
    parts = [name.strip() for name in value.split(",") if name.strip()]
    if not parts:
        raise argparse.ArgumentTypeError(f"expected names separated by commas, found {value!r}")
    return parts


def register_name(value: str) -> str:
    """Read a register; ``none`` is read as "", which overrides the settings file."""
    return "" if value == "none" else value


STORE_VARIABLE = "NATURALNESS_STORE"
NO_STORE = "none"


def open_store(named: str | None) -> MeasurementStore | None:
    """Open the named feature store, or the default one if ``named`` is None; return None if the name is ``none``.

    If the named folder cannot be used, raise an error. If the default folder cannot be used, print a note and work
    without a store, which takes longer.
    """
    from naturalness.files.store import MeasurementStore

    if named is not None:
        return None if named == NO_STORE else MeasurementStore(named).check()
    try:
        usual = os.environ.get(STORE_VARIABLE) or user_folder("XDG_CACHE_HOME") / "naturalness" / "features"
        return None if usual == NO_STORE else MeasurementStore(usual).check()
    except (NaturalnessError, RuntimeError) as error:  # RuntimeError: the home folder is unknown
        sys.stderr.write(f"measurements are not stored: {as_options(str(error))}\n")
        return None

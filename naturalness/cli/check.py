"""`naturalness check`: report sentences of files that sound unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note
from naturalness.cli.progress import stages
from naturalness.data.cells import finite

if TYPE_CHECKING:
    from naturalness.checking.checker import CheckedFiles
    from naturalness.checking.files import CheckResult

OPTIONS = (
    *("config", "changed", "edits", "fix", "diff", "sure", "jobs", "model", "register"),
    *("false_alarms", "min_score", "off", "words", "rules", "voice"),
)
"""Options that are arguments of `naturalness.check`."""
UTF8_FORMATS = ("github", "sarif", "json")
"""Formats written in UTF-8, whatever the encoding of the terminal."""


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any, and 2 if a file in a folder cannot be read."""
    if args.code is not None:
        from naturalness.cli.codes import rule_text

        sys.stdout.write(rule_text(args.code))
        return 0
    from naturalness.checking.files import check

    named = {name: getattr(args, name) for name in OPTIONS}
    files = args.files or ["."] * bool(args.changed)
    with stages(announced=False) as progress:
        result = check(files, standard_name=args.stdin_name, progress=progress, **named)
    _print(result, args)
    return 2 if result.unread else int(bool(result.flaws))


def _print(result: CheckResult, args: argparse.Namespace) -> None:
    """Print the flaws or the difference, and on standard error what was fixed and the counts."""
    output = result.difference if args.diff else _written(result.checked, args.format)
    note(f"fixed {fix}" for fix in result.fixes)
    nothing_fixed = args.fix and result.flaws and not result.fixes
    note(["nothing fixed; `fix` makes only safe changes with a probability of at least `sure`"] * bool(nothing_fixed))
    if not sys.stdout.isatty() if args.diff else args.format in UTF8_FORMATS:
        sys.stdout.buffer.write(output.encode("utf-8", "replace"))
    else:
        sys.stdout.write(output)
    sys.stdout.flush()
    note([result.summary])
    if result.flaws and args.format == "text" and not args.diff:
        note([f"what a code means: naturalness check --code {result.flaws[0].code}"])


def _written(checked: CheckedFiles, style: str) -> str:
    """Return the flaws as text in an output format; in JSON, NaN becomes null."""
    from naturalness.checking.formats import as_commands, as_object, as_sarif
    from naturalness.cli.terminal import escaped, page_width, paint_for

    if style == "text":
        from naturalness.cli.checked import checked_text

        return checked_text(checked, paint_for(sys.stdout), page_width())
    if style == "github":
        return as_commands(checked)
    document = {"sarif": as_sarif, "json": as_object}[style](checked)
    return escaped(json.dumps(finite(document), ensure_ascii=False, indent=1)) + "\n"

"""`naturalness check`: fail if a sentence of a file sounds unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.options import FALSE_ALARMS, min_score_of
from naturalness.cli.progress import stages
from naturalness.data.cells import finite
from naturalness.english.registers import AUTO
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.checking.check import Checked
    from naturalness.pipelines.scorer import NaturalnessModel

MODEL, BY = "default", "sentence"
"""What is used unless an option or a file of settings says otherwise."""


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any."""
    if args.code is not None:
        from naturalness.cli.codes import rule_text

        sys.stdout.write(rule_text(args.code))
        return 0
    from naturalness.checking.check import Checker, summary
    from naturalness.checking.sources import files_in, read_source
    from naturalness.pipelines.scorer import load_model

    files, n_excluded = files_in(args.files, _choose(args))
    sources = [read_source(path, standard_name=args.stdin_name) for path in files]
    model = load_model(args.model, changed_assets=args.changed_assets)
    checker = Checker(
        model,
        min_score=_min_score(args, model),
        by=args.by,
        edits=args.edits,
        register=args.register,
        batch_size=args.batch_size,
        off=args.off or (),
        words=args.words or (),
        rules=bool(args.rules),
    )
    with stages(quiet=args.quiet or not sys.stderr.isatty()) as checker.progress:
        checked = checker.check(sources)
    _print(_written(checked, args.format), utf8=args.format in UTF8_FORMATS)
    if not args.quiet:
        excluded = f"; {n_excluded:,} excluded" if n_excluded else ""
        sys.stderr.write(f"{summary(checked, _promise(args))}{excluded}\n")
        if checked.flaws and args.format == "text":
            sys.stderr.write(f"what a code means: naturalness check --code {checked.flaws[0].code}\n")
    return int(bool(checked.flaws))


def _choose(args: argparse.Namespace) -> Sequence[tuple[Path, str]]:
    """Set the options that are not given to the values of the settings file; return the patterns of excluded files."""
    from naturalness.checking.settings import Settings, find_settings, read_settings
    from naturalness.explaining.codes import check_code

    if args.config is not None:
        settings = read_settings(Path(args.config))
    else:
        settings = Settings() if args.no_config else find_settings(Path())
    if args.min_score is None and args.false_alarms is None:
        args.min_score, args.false_alarms = settings.min_score, settings.false_alarms
    for name in ("model", "register", "by", "off", "words", "rules"):
        if getattr(args, name) is None:
            setattr(args, name, getattr(settings, name))
    args.model, args.by = args.model or MODEL, args.by or BY
    for code in args.off or ():
        check_code(code)
    if not args.files:
        raise TableError("no files; name files or folders to check, such as README.md, or - for standard input")
    return settings.excluded if args.exclude is None else [(Path(), pattern) for pattern in args.exclude]


def _min_score(args: argparse.Namespace, model: NaturalnessModel) -> float:
    """Return the minimum score: what is chosen, or the default of the model."""
    if args.min_score is None and args.false_alarms is None and model.people is not None:
        args.false_alarms = FALSE_ALARMS
    chosen = min_score_of(args, model)
    return model.threshold if chosen is None else chosen


def _print(output: str, *, utf8: bool) -> None:
    if utf8:
        sys.stdout.buffer.write(output.encode("utf-8", "replace"))
    else:
        sys.stdout.write(output)
    sys.stdout.flush()


def _promise(args: argparse.Namespace) -> str:
    """Return how rarely sentences by people score so low; nothing where a bare number was asked for."""
    if args.false_alarms is None:
        return ""
    where = f"in register {args.register}" if args.register else "in any register"
    if args.register == AUTO:
        where = "in the same register"
    return f" (as are at most {100 * args.false_alarms:.3g} % of people's sentences {where})"


def _written(checked: Checked, style: str) -> str:
    """Return the flaws in a format; in JSON NaN is null."""
    from naturalness.checking.formats import as_commands, as_lines, as_object
    from naturalness.checking.sarif import as_sarif

    if style == "text":
        from naturalness.cli.explained import checked_text
        from naturalness.cli.terminal import page_width, paint_for

        return checked_text(checked, paint_for(sys.stdout), page_width())
    if style in ("line", "github"):
        return as_lines(checked) if style == "line" else as_commands(checked)
    document = {"sarif": as_sarif, "json": as_object}[style](checked)
    return json.dumps(finite(document), ensure_ascii=False, indent=1) + "\n"


UTF8_FORMATS = ("github", "sarif", "json")
"""Formats in UTF-8, whatever the encoding of the terminal."""

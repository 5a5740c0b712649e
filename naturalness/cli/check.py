"""`naturalness check`: report sentences of files that sound unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.options import FALSE_ALARMS, min_score_of
from naturalness.cli.progress import stages
from naturalness.data.cells import finite
from naturalness.english.registers import AUTO
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError

if TYPE_CHECKING:
    from naturalness.checking.baseline import Baseline
    from naturalness.checking.check import Checked, Checker
    from naturalness.checking.sources import Source
    from naturalness.explaining.explanation import Explanations
    from naturalness.pipelines.scorer import NaturalnessModel

MODEL, BY = "default", "sentence"
"""Model and unit of text used if neither an option nor the settings file sets them."""


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any."""
    if args.code is not None:
        from naturalness.cli.codes import rule_text

        sys.stdout.write(rule_text(args.code))
        return 0
    from naturalness.checking.check import since, summary
    from naturalness.checking.sources import files_in, read_source

    files, n_excluded = files_in(args.files, _choose(args))
    sources = [read_source(path, standard_name=args.stdin_name) for path in files]
    baseline = _baseline(args)
    checker = _checker(args)

    def check(sources: Sequence[Source]) -> Checked:
        with stages(quiet=args.quiet or not sys.stderr.isatty()) as checker.progress:
            checked = checker.check(sources)
        return since(checked, baseline, sources) if baseline and not args.write_baseline else checked

    checked = check(sources)
    difference = ""
    if args.fix or args.diff:
        difference, changed = _repair(args, checker.model, checked)
        if changed:
            sources = [changed.get(source.name, source) for source in sources]
            checked = check(sources)
    if baseline and args.write_baseline:
        number = baseline.renewed(checked.flaws, [source.name for source in sources]).write()
        sys.stderr.write(f"{args.baseline}: {number:,} flaw{'s'[: number != 1]} written\n")
        return 0
    _print(difference if args.diff else _written(checked, args.format), utf8=args.diff or args.format in UTF8_FORMATS)
    if not args.quiet:
        excluded = f"; {n_excluded:,} excluded" if n_excluded else ""
        sys.stderr.write(f"{summary(checked, _promise(args))}{excluded}\n")
        if checked.flaws and args.format == "text" and not args.diff:
            sys.stderr.write(f"what a code means: naturalness check --code {checked.flaws[0].code}\n")
    return int(bool(checked.flaws))


def _checker(args: argparse.Namespace) -> Checker:
    from naturalness.checking.check import Checker
    from naturalness.pipelines.scorer import load_model

    model = load_model(args.model, changed_assets=args.changed_assets)
    return Checker(
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


def _choose(args: argparse.Namespace) -> Sequence[tuple[Path, str]]:
    """Fill in missing options from the settings file; return the patterns of excluded files."""
    from naturalness.checking.settings import Settings, find_settings, read_settings
    from naturalness.checking.sources import STANDARD
    from naturalness.explaining.codes import check_code

    if args.config is not None:
        settings = read_settings(Path(args.config))
    else:
        settings = Settings() if args.no_config else find_settings(Path())
    if args.min_score is None and args.false_alarms is None:
        args.min_score, args.false_alarms = settings.min_score, settings.false_alarms
    for name in ("model", "register", "by", "off", "words", "rules", "baseline"):
        if getattr(args, name) is None:
            setattr(args, name, getattr(settings, name))
    args.model, args.by = args.model or MODEL, args.by or BY
    for code in args.off or ():
        check_code(code)
    if not args.files:
        raise TableError("no files; name files or folders to check, such as README.md, or - for standard input")
    if args.fix and STANDARD in args.files:
        raise TableError("--fix cannot write standard input; name files, or use --diff")
    if args.write_baseline and args.baseline is None:
        raise TableError("--write-baseline does not know the file; add --baseline FILE")
    return settings.excluded if args.exclude is None else [(Path(), pattern) for pattern in args.exclude]


def _min_score(args: argparse.Namespace, model: NaturalnessModel) -> float:
    """Return the minimum score: the one set by options or settings, or the model's default."""
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


def _baseline(args: argparse.Namespace) -> Baseline | None:
    """Return the baseline, or an empty one if the command is going to write it."""
    from naturalness.checking.baseline import Baseline, read_baseline

    if args.baseline is None:
        return None
    path = Path(args.baseline)
    return Baseline(path) if args.write_baseline and not path.exists() else read_baseline(path)


def _repair(args: argparse.Namespace, model: NaturalnessModel, checked: Checked) -> tuple[str, dict[str, Source]]:
    """Return the repairs as a diff (``--diff``), or make them and return the files that changed (``--fix``).

    If a file cannot be written, warn and go on with the others.
    """
    from naturalness.checking.fixes import difference, repaired, repairs, write_repaired
    from naturalness.checking.sources import make_source

    def explain(texts: list[str], edits: int) -> Explanations:
        return model.explain(texts, edits=edits, batch_size=args.batch_size, register=args.register)

    possible = repairs(explain, checked.flaws)
    differences, changed = "", {}
    for name, group in groupby(possible, key=lambda repair: repair.source.name):
        changes = list(group)
        source = changes[0].source
        text = repaired(source, changes)
        if args.diff:
            differences += difference(source, text)
            continue
        try:
            write_repaired(source, text)
        except (NaturalnessError, OSError) as error:
            warnings.warn(f"not fixed: {error}", NaturalnessWarning, stacklevel=2)
            continue
        changed[name] = make_source(name, text)
        sys.stderr.writelines(f"fixed {repair}\n" for repair in changes if not args.quiet)
    return differences, changed


def _promise(args: argparse.Namespace) -> str:
    """Return how rarely human-written sentences score below the minimum; empty if the minimum was set as a score."""
    if args.false_alarms is None:
        return ""
    where = f"in register {args.register}" if args.register else "in any register"
    if args.register == AUTO:
        where = "in the same register"
    return f" (as are at most {100 * args.false_alarms:.3g} % of people's sentences {where})"


def _written(checked: Checked, style: str) -> str:
    """Return the flaws as text in an output format; in JSON, NaN becomes null."""
    from naturalness.checking.formats import as_commands, as_lines, as_object
    from naturalness.checking.sarif import as_sarif

    if style == "text":
        from naturalness.cli.checked import checked_text
        from naturalness.cli.terminal import page_width, paint_for

        return checked_text(checked, paint_for(sys.stdout), page_width())
    if style in ("line", "github"):
        return as_lines(checked) if style == "line" else as_commands(checked)
    document = {"sarif": as_sarif, "json": as_object}[style](checked)
    return json.dumps(finite(document), ensure_ascii=False, indent=1) + "\n"


UTF8_FORMATS = ("github", "sarif", "json")
"""Formats written in UTF-8, whatever the encoding of the terminal."""

"""`naturalness check`: report sentences of files that sound unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note
from naturalness.cli.options import open_store
from naturalness.cli.progress import stages
from naturalness.data.cells import finite
from naturalness.english.registers import AUTO
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError, UnknownName
from naturalness.judging.fields import FALSE_ALARMS

if TYPE_CHECKING:
    from naturalness.checking.baseline import Baseline
    from naturalness.checking.check import Checked, Checker
    from naturalness.checking.sources import Source
    from naturalness.pipelines.scorer import NaturalnessModel

MODEL, BY = "default", "sentence"
"""Model and unit of text used if neither an option nor the settings file sets them."""


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any, and 2 if a file in a folder cannot be read."""
    if args.code is not None:
        from naturalness.cli.codes import rule_text

        sys.stdout.write(rule_text(args.code))
        return 0
    from naturalness.checking.check import since, summary
    from naturalness.checking.sources import STANDARD, files_in, read_source

    excluded_files = _choose(args)
    files, n_excluded = files_in(args.files, excluded_files)
    unread = set()
    for path in filter(STANDARD.__ne__, files):
        try:
            read_source(path)  # before anything is judged, find what cannot be read
        except TableError as error:
            if path in args.files:
                raise
            warnings.warn(f"not checked: {error}", NaturalnessWarning, stacklevel=2)
            unread.add(path)
    files = [path for path in files if path not in unread]
    baseline = _baseline(args)
    old = None if args.write_baseline else baseline

    def check(sources: Iterable[Source]) -> Checked:
        with stages(announced=False) as checker.progress:
            checked = checker.check(sources, len(files))
        return since(checked, old, [] if args.changed else files) if old else checked

    with _checker(args) as checker:
        checked = check(read_source(path, standard_name=args.stdin_name) for path in files)
        difference = ""
        if args.fix or args.diff:
            difference, changed = _repair(args, checker, checked)
            if changed:
                checked = check(changed.get(path) or read_source(path) for path in files)
    if checker.passed:
        checker.passed.write()
        note([checker.passed.store.trouble] if checker.passed.store.trouble else [])
    if baseline and args.write_baseline:
        number = baseline.renewed(checked.flaws, files).write()
        sys.stderr.write(f"{args.baseline}: {number:,} flaw{'s'[: number != 1]} written\n")
        return 0
    _print(
        difference if args.diff else _written(checked, args.format),
        utf8=not sys.stdout.isatty() if args.diff else args.format in UTF8_FORMATS,
    )
    excluded = f"; {n_excluded:,} excluded" if n_excluded else ""
    sys.stderr.write(f"{summary(checked, _promise(args))}{excluded}\n")
    if args.fix and (left := len(checked.flaws)):
        sys.stderr.write(
            f"{left:,} flaw{'s'[: left != 1]} left: --fix makes only changes that an editor would accept with a "
            f"probability of {args.sure:.3g}, and none of names, code or quotations; --edits shows suggestions\n"
        )
    if checked.flaws and args.format == "text" and not args.diff:
        sys.stderr.write(f"what a code means: naturalness check --code {checked.flaws[0].code}\n")
    return 2 if unread else int(bool(checked.flaws))


@contextmanager
def _checker(args: argparse.Namespace) -> Iterator[Checker]:
    from naturalness.checking.changes import Changes
    from naturalness.checking.check import Checker
    from naturalness.checking.passed import PassedTexts
    from naturalness.checking.verdicts import CheckJob
    from naturalness.pipelines.scorer import load_model, open_model

    changes = Changes(args.changed) if args.changed else None
    model = (load_model if args.jobs == 1 else open_model)(args.model)
    options = {name: getattr(args, name) for name in ("edits", "register", "rules")}
    options["sure"] = args.sure if args.fix or args.diff else None
    options["min_score"] = _min_score(args, model)
    checker = Checker(model, by=args.by, off=args.off or (), words=args.words or (), voice=bool(args.voice), **options)
    if changes:
        checker.selected = changes.touch
    if store := open_store(args.store):
        checker.passed = PassedTexts(store, checker.judge)
    if args.jobs == 1:
        yield checker
        return
    from naturalness.labelling.pool import WorkerPool

    job = CheckJob(args.model, {**options, "rules": checker.judge.rules})
    with WorkerPool(job, args.jobs) as checker.pool:
        yield checker


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
    args.register_from = settings.path if args.register is None else "--register"
    for name in ("model", "register", "by", "off", "words", "rules", "voice", "baseline"):
        if getattr(args, name) is None:
            setattr(args, name, getattr(settings, name))
    args.model, args.by = args.model or MODEL, args.by or BY
    for code in args.off or ():
        check_code(code)
    if args.changed:
        args.files = args.files or ["."]
        _check_changed(args)
    if not args.files:
        raise TableError("no files; name files or folders to check, such as README.md, or - for standard input")
    if args.fix and STANDARD in args.files:
        raise TableError("--fix cannot write standard input; name files, or use --diff")
    if args.write_baseline and args.baseline is None:
        raise TableError("--write-baseline does not know the file; add --baseline FILE")
    return settings.excluded if args.exclude is None else [(Path(), pattern) for pattern in args.exclude]


def _check_changed(args: argparse.Namespace) -> None:
    """Raise for options that do not go with ``--changed``."""
    from naturalness.checking.sources import STANDARD

    if STANDARD in args.files:
        raise TableError("--changed does not know which lines of standard input have changed; name files")
    if args.write_baseline:
        raise TableError("--write-baseline would drop the flaws of unchanged lines; leave out --changed")


def _min_score(args: argparse.Namespace, model: NaturalnessModel) -> float:
    """Return the minimum score: the one set by options or settings, or the model's default."""
    from naturalness.checking.settings import Settings

    if args.min_score is None and args.false_alarms is None and model.people is not None:
        args.false_alarms = FALSE_ALARMS
    settings = Settings(register=args.register, false_alarms=args.false_alarms, min_score=args.min_score)
    try:
        return settings.min_score_of(model)
    except UnknownName as error:
        raise TableError(f"{args.register_from}: {error}") from None


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


def _repair(args: argparse.Namespace, checker: Checker, checked: Checked) -> tuple[str, dict[str, Source]]:
    """Return the repairs as a diff (``--diff``), or make them and return the files that changed (``--fix``).

    If a file cannot be written, warn and go on with the others.
    """
    from naturalness.checking.fixes import difference, repaired, repairs, write_repaired
    from naturalness.checking.sources import make_source

    possible = repairs(checker.judge_changed, checked, checker.off)
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
        sys.stderr.writelines(f"fixed {repair}\n" for repair in changes)
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
    from naturalness.cli.terminal import escaped, page_width, paint_for

    if style == "text":
        from naturalness.cli.checked import checked_text

        return checked_text(checked, paint_for(sys.stdout), page_width())
    if style in ("line", "github"):
        return as_lines(checked) if style == "line" else as_commands(checked)
    document = {"sarif": as_sarif, "json": as_object}[style](checked)
    return escaped(json.dumps(finite(document), ensure_ascii=False, indent=1)) + "\n"


UTF8_FORMATS = ("github", "sarif", "json")
"""Formats written in UTF-8, whatever the encoding of the terminal."""

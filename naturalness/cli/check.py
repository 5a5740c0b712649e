"""`naturalness check`: fail if a sentence of a file sounds unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import (
    FALSE_ALARMS,
    add_batch_size,
    add_model_choice,
    add_quiet,
    add_threshold_options,
    min_score_of,
    names,
    positive,
)
from naturalness.cli.progress import stages
from naturalness.english.registers import AUTO
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError

if TYPE_CHECKING:
    from naturalness.checking.baseline import Baseline
    from naturalness.checking.check import Checked
    from naturalness.checking.settings import Settings
    from naturalness.checking.sources import Source
    from naturalness.pipelines.scorer import NaturalnessModel

UNITS = ("sentence", "line")
STANDARD_NAME = "<stdin>"
MODEL, BY = "default", "sentence"
"""What is used unless an option or a file of settings says otherwise."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help="fail if a sentence of a file sounds unnatural, and say where and why",
        description="Score each sentence of text files on its own. In Markdown and "
        "reStructuredText, code, tables and comments are skipped; in any file, a comment "
        "<!-- naturalness: off --> switches checking off, <!-- naturalness: on --> on again, and "
        "<!-- naturalness: ignore CODE --> ignores one code on its line. "
        "The exit code is 1 if a sentence scores below the minimum, else 0. By default the minimum is so low that "
        f"at most {FALSE_ALARMS:.0%} of the sentences that people write fall below it, in every register. Options "
        "can stand in a file: [check] of naturalness.toml, or [tool.naturalness.check] of pyproject.toml.",
        examples=(
            "naturalness check README.md docs/*.md",
            "naturalness check captions.txt --by line --fast --format github",
            "naturalness check chapter.md --register books --false-alarms 0.005",
            "naturalness check docs --off long-sentence,style --words benepar,SLOR",
            "naturalness check README.md --rules --fix",
            "naturalness check --code he-go",
        ),
    )
    add = parser.add_argument
    add_model_choice(parser)
    add("files", nargs="*", metavar="FILE", help="UTF-8 text files, folders of them, or - for standard input")
    add_threshold_options(
        parser,
        "minimum naturalness of every sentence",
        f" (default: {FALSE_ALARMS}; models of your own: their threshold)",
    )
    add(
        "--by",
        choices=UNITS,
        help="score sentences, as the parser finds them in paragraphs, or lines (default: sentence)",
    )
    add("--off", type=names, metavar="A,B", help="codes to switch off: of causes (style) or of single rules (he-go)")
    add("--words", type=names, metavar="A,B", help="names and terms to accept as words")
    add(
        "--rules",
        action=argparse.BooleanOptionalAction,
        help="fail a sentence in which a rule is sure of an error, too, whatever its score",
    )
    add("--exclude", type=names, metavar="A,B", help="files and folders to leave out: names, or patterns with *")
    add(
        "--edits",
        nargs="?",
        type=positive,
        const=1,
        default=0,
        metavar="N",
        help="look for small edits that raise the score of failing sentences, and show the best N (default: 1)",
    )
    change = parser.add_mutually_exclusive_group().add_argument
    change("--fix", action="store_true", help="make the changes that a rule proposes and the score confirms")
    change("--diff", action="store_true", help="show these changes as a diff, and write nothing")
    add("--baseline", metavar="FILE", help="hide the flaws that this file lists")
    add("--write-baseline", action="store_true", help="list the present flaws in the baseline")
    add(
        "--format",
        choices=FORMATS,
        default="text",
        help="output format: text for people, line for editors, github for annotations in GitHub Actions, "
        "sarif for code hosts and editors, vale for editors with a plug-in for Vale, or json (default: text)",
    )
    add(
        "--stdin-name",
        default=STANDARD_NAME,
        metavar="NAME",
        help="name of standard input in the output; its suffix selects the markup (default: plain text)",
    )
    which = parser.add_mutually_exclusive_group().add_argument
    which("--config", metavar="FILE", help="file of settings (default: the nearest, in this folder or above it)")
    which("--no-config", action="store_true", help="read no file of settings")
    add("--code", nargs="?", const="", metavar="CODE", help="explain a code and stop; without CODE list all codes")
    add_batch_size(add)
    add_quiet(add, "do not print the line of counts")
    # None: not chosen here, so that a file of settings may choose.
    parser.set_defaults(run=run, model=None)


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any."""
    if args.code is not None:
        from naturalness.cli.codes import rule_text

        sys.stdout.write(rule_text(args.code))
        return 0
    from naturalness.checking.check import Checker, since, summary
    from naturalness.checking.sources import files_in, read_source
    from naturalness.pipelines.scorer import load_model

    settings = _choose(args)
    files, n_excluded = files_in(args.files, settings.excluded)
    sources = [read_source(path, standard_name=args.stdin_name, off=settings.off_in(path)) for path in files]
    baseline = _baseline(args)
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

    def check(sources: Sequence[Source]) -> Checked:
        with stages(quiet=args.quiet or not sys.stderr.isatty()) as checker.progress:
            checked = checker.check(sources)
        return since(checked, baseline, sources) if baseline and not args.write_baseline else checked

    checked = check(sources)
    difference = ""
    if args.fix or args.diff:
        difference, changed = _repair(args, model, checked)
        if changed:
            sources = [changed.get(source.name, source) for source in sources]
            checked = check(sources)
    if baseline and args.write_baseline:
        number = baseline.renewed(checked.flaws, [source.name for source in sources]).write()
        sys.stderr.write(f"{args.baseline}: {number:,} flaw{'s'[: number != 1]} written\n")
        return 0
    _print(difference if args.diff else FORMATS[args.format](checked), utf8=args.diff or args.format in UTF8_FORMATS)
    if not args.quiet:
        excluded = f"; {n_excluded:,} excluded" if n_excluded else ""
        sys.stderr.write(f"{summary(checked, _promise(args))}{excluded}\n")
        if checked.flaws and args.format == "text" and not args.diff:
            sys.stderr.write(f"what a code means: naturalness check --code {checked.flaws[0].code}\n")
    return int(bool(checked.flaws))


def _choose(args: argparse.Namespace) -> Settings:
    """Fill in what a file of settings chooses and no option does; return its settings for single files."""
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
    if args.exclude is not None:
        settings = replace(settings, excluded=tuple((Path(), pattern) for pattern in args.exclude))
    return settings


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


def _baseline(args: argparse.Namespace) -> Baseline | None:
    """Return the baseline; an empty one where it is to be written first."""
    from naturalness.checking.baseline import Baseline, read_baseline

    if args.baseline is None:
        return None
    path = Path(args.baseline)
    return Baseline(path) if args.write_baseline and not path.exists() else read_baseline(path)


def _repair(args: argparse.Namespace, model: NaturalnessModel, checked: Checked) -> tuple[str, dict[str, Source]]:
    """Return the repairs as a diff; or make them, say which, and return the files that changed.

    A file that cannot be written does not keep the others from it.
    """
    from naturalness.checking.fixes import Repair, difference, repaired, repairs, write_repaired
    from naturalness.checking.sources import make_source

    of_files: dict[str, list[Repair]] = {}
    score = partial(model.score, batch_size=args.batch_size, register=args.register)
    for repair in repairs(score, checked.flaws, min_score=checked.min_score):
        of_files.setdefault(repair.source.name, []).append(repair)
    changed: dict[str, Source] = {}
    parts = []
    for name, changes in of_files.items():
        source = changes[0].source
        text = repaired(source, changes)
        if args.diff:
            parts.append(difference(source, text))
            continue
        try:
            write_repaired(source, text)
        except (NaturalnessError, OSError) as error:
            warnings.warn(f"not fixed: {error}", NaturalnessWarning, stacklevel=2)
            continue
        changed[name] = make_source(name, text, off=source.off)
        sys.stderr.writelines(f"fixed {repair}\n" for repair in changes if not args.quiet)
    return "".join(parts), changed


def _promise(args: argparse.Namespace) -> str:
    """Return how rarely sentences by people score so low; nothing where a bare number was asked for."""
    if args.false_alarms is None:
        return ""
    where = f"in register {args.register}" if args.register else "in any register"
    if args.register == AUTO:
        where = "in the same register"
    return f" (as are at most {100 * args.false_alarms:.3g} % of people's sentences {where})"


def _text(checked: Checked) -> str:
    from naturalness.cli.explained import checked_text
    from naturalness.cli.terminal import page_width, paint_for

    return checked_text(checked, paint_for(sys.stdout), page_width())


def _line(checked: Checked) -> str:
    from naturalness.checking.formats import as_lines

    return as_lines(checked)


def _github(checked: Checked) -> str:
    from naturalness.checking.formats import as_commands

    return as_commands(checked)


def _sarif(checked: Checked) -> str:
    from naturalness.checking.sarif import as_sarif

    return _json_text(as_sarif(checked))


def _json(checked: Checked) -> str:
    from naturalness.checking.formats import as_object

    return _json_text(as_object(checked))


def _json_text(document: dict[str, Any]) -> str:
    """Return JSON in which NaN is null."""
    from naturalness.data.cells import finite

    return json.dumps(finite(document), ensure_ascii=False, indent=1) + "\n"


def _vale(checked: Checked) -> str:
    from naturalness.checking.formats import as_alerts

    return _json_text(as_alerts(checked))


FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": _text,
    "line": _line,
    "github": _github,
    "sarif": _sarif,
    "vale": _vale,
    "json": _json,
}
UTF8_FORMATS = ("github", "sarif", "vale", "json")
"""Formats in UTF-8, whatever the encoding of the terminal."""

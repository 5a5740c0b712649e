"""`naturalness check`: fail if a sentence of a file sounds unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import (
    FALSE_ALARMS,
    add_batch_size,
    add_model_choice,
    add_quiet,
    add_threshold_options,
    min_score_of,
    positive,
)
from naturalness.models.registers import AUTO

if TYPE_CHECKING:
    from naturalness.checking.check import Checked

UNITS = ("sentence", "line")
STANDARD_NAME = "<stdin>"


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help="fail if a sentence of a file sounds unnatural, and say where and why",
        description="Score each sentence of text files on its own. In Markdown and "
        "reStructuredText, code, tables and comments are skipped; in any file, a comment "
        "<!-- naturalness: off --> switches checking off, and <!-- naturalness: on --> on again. "
        "The exit code is 1 if a sentence scores below the minimum, else 0. By default the minimum is so low that "
        f"at most {FALSE_ALARMS:.0%} of the sentences that people write fall below it, in every register.",
        examples=(
            "naturalness check README.md docs/*.md",
            "naturalness check captions.txt --by line --fast --format github",
            "naturalness check chapter.md --register books --false-alarms 0.005",
        ),
    )
    add = parser.add_argument
    add_model_choice(parser)
    add("files", nargs="+", metavar="FILE", help="UTF-8 text files, or - for standard input")
    add_threshold_options(
        parser,
        "minimum naturalness of every sentence",
        f" (default: {FALSE_ALARMS}; models of your own: their threshold)",
    )
    add(
        "--by",
        choices=UNITS,
        default="sentence",
        help="score sentences, as the parser finds them in paragraphs, or lines (default: sentence)",
    )
    add(
        "--edits",
        nargs="?",
        type=positive,
        const=1,
        default=0,
        metavar="N",
        help="look for small edits that raise the score of failing sentences, and show the best N (default: 1)",
    )
    add(
        "--format",
        choices=FORMATS,
        default="text",
        help="output format: text for people, line for editors, github for annotations in GitHub Actions, "
        "sarif for code hosts and editors, or json (default: text)",
    )
    add(
        "--stdin-name",
        default=STANDARD_NAME,
        metavar="NAME",
        help="name of standard input in the output; its suffix selects the markup (default: plain text)",
    )
    add_batch_size(add)
    add_quiet(add, "do not print the line of counts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the flaws; return 1 if there are any."""
    from naturalness.checking.check import check, summary
    from naturalness.checking.sources import read_source
    from naturalness.pipelines.scorer import load_model

    sources = [read_source(path, standard_name=args.stdin_name) for path in args.files]
    model = load_model(args.model, changed_assets=args.changed_assets)
    if args.min_score is None and args.false_alarms is None and model.people is not None:
        args.false_alarms = FALSE_ALARMS
    min_score = min_score_of(args, model)
    if min_score is None:
        min_score = model.threshold
    checked = check(
        model,
        sources,
        min_score=min_score,
        by=args.by,
        edits=args.edits,
        register=args.register,
        batch_size=args.batch_size,
    )
    output = FORMATS[args.format](checked)
    if args.format in UTF8_FORMATS:
        sys.stdout.buffer.write(output.encode("utf-8", "replace"))
    else:
        sys.stdout.write(output)
    sys.stdout.flush()
    if not args.quiet:
        sys.stderr.write(f"{summary(checked)}{_promise(args)}\n")
    return int(bool(checked.flaws))


def _promise(args: argparse.Namespace) -> str:
    """Return how rarely sentences by people score so low; nothing where a bare number was asked for."""
    if args.false_alarms is None:
        return ""
    where = f"of register {args.register}" if args.register else "of any register"
    if args.register == AUTO:
        where = "of the same register"
    return f" (as {args.false_alarms:.3g} of the sentences by people {where} would, at most)"


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


FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": _text,
    "line": _line,
    "github": _github,
    "sarif": _sarif,
    "json": _json,
}
UTF8_FORMATS = ("github", "sarif", "json")
"""Formats in UTF-8, whatever the encoding of the terminal."""

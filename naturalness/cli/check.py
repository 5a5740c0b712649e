"""`naturalness check`: fail where a sentence of a file sounds unnatural; for CI and editors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import add_quiet, fraction, positive
from naturalness.cli.scored import add_model_choice

if TYPE_CHECKING:
    from naturalness.checking.check import Checked

UNITS = ("sentence", "line")
LEAST = 0.5
STANDARD_NAME = "<stdin>"


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "check",
        help="fail where a sentence of a file sounds unnatural, and say where and why",
        description="Judge each sentence of text files on its own. Markdown and "
        "reStructuredText are read without code, tables and comments; in any file, a comment "
        "<!-- naturalness: off --> ends the reading, and <!-- naturalness: on --> begins it again. "
        "Exit code 1 where a sentence falls below the score, else 0.",
    )
    add = parser.add_argument
    add_model_choice(parser)
    add("files", nargs="+", metavar="FILE", help="text files of UTF-8, or - for standard input")
    add(
        "--min-score",
        type=fraction,
        default=LEAST,
        metavar="X",
        help=f"naturalness that every sentence is to have ({LEAST})",
    )
    add(
        "--by",
        choices=UNITS,
        default="sentence",
        help="judge sentences, as the parser finds them in paragraphs, or lines (sentence)",
    )
    add(
        "--edits",
        nargs="?",
        type=positive,
        const=1,
        default=0,
        metavar="N",
        help="look for small changes that raise what falls below, and show the best N (1)",
    )
    add(
        "--format",
        choices=FORMATS,
        default="text",
        help="text for people, line for editors, github for annotations of GitHub Actions, sarif "
        "for code hosts and editors, json (text)",
    )
    add(
        "--stdin-name",
        default=STANDARD_NAME,
        metavar="NAME",
        help="what standard input is called in the output; its end tells the markup (plain text)",
    )
    add("--batch-size", type=positive, default=64, metavar="N", help="texts parsed together (64)")
    add_quiet(parser, "no line of counts")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print what falls below; 1 where anything does."""
    from naturalness.checking.check import check
    from naturalness.checking.sources import read_source
    from naturalness.checking.telling import summary
    from naturalness.pipelines.scorer import load_model

    sources = [read_source(path, standard_name=given.stdin_name) for path in given.files]
    model = load_model(given.model, changed_assets=given.changed_assets)
    found = check(model, sources, least=given.min_score, by=given.by, edits=given.edits, batch_size=given.batch_size)
    told = FORMATS[given.format](found)
    if given.format in PROGRAMS:
        sys.stdout.buffer.write(told.encode("utf-8", "replace"))
    else:
        sys.stdout.write(told)
    sys.stdout.flush()
    if not given.quiet:
        sys.stderr.write(f"{summary(found)}\n")
    return int(bool(found.flaws))


def _text(found: Checked) -> str:
    from naturalness.cli.checked import checked_text
    from naturalness.cli.colour import paint_for
    from naturalness.cli.explained import page_width

    return checked_text(found, paint_for(sys.stdout), page_width())


def _line(found: Checked) -> str:
    from naturalness.checking.line import as_lines

    return as_lines(found)


def _github(found: Checked) -> str:
    from naturalness.checking.github import as_commands

    return as_commands(found)


def _sarif(found: Checked) -> str:
    from naturalness.checking.sarif import as_sarif

    return _json_text(as_sarif(found))


def _json(found: Checked) -> str:
    from naturalness.checking.plain_rows import as_object

    return _json_text(as_object(found))


def _json_text(found: dict[str, Any]) -> str:
    """JSON in which NaN is null."""
    from naturalness.data.writing import finite

    return json.dumps(finite(found), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Checked], str]] = {
    "text": _text,
    "line": _line,
    "github": _github,
    "sarif": _sarif,
    "json": _json,
}
PROGRAMS = ("github", "sarif", "json")
"""Those that are UTF-8, whatever the terminal is."""

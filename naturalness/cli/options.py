"""Options that several commands share, and what they mean."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from naturalness.data.formats import FORMATS, STANDARD, SUFFIXES, Location, is_folder, is_pipe, location
from naturalness.errors import TableError
from naturalness.files.storage import is_remote

LOOKS_LIKE_FILE = re.compile(r"\S+(" + "|".join(map(re.escape, SUFFIXES)) + r")(\.gz|\.zst)?$", re.IGNORECASE)


def add_input_options(parser: argparse.ArgumentParser, *, nlp: bool = True) -> None:
    """How a table of texts is read."""
    parser.add_argument("--text-column", metavar="NAME", help="column of the texts (text)")
    parser.add_argument("--input-format", choices=FORMATS, help="format, if the name does not tell")
    if nlp:
        parser.add_argument(
            "--nlp", default="en", metavar="PIPELINE", help="spaCy pipeline: en (shipped), a package name or a path"
        )
    parser.add_argument("--batch-size", type=positive, default=64, metavar="N", help="texts parsed together (64)")


def add_output_options(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Where results go, and in which shape."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write a table; .csv .tsv .jsonl .parquet, and .gz or .zst behind the first three",
    )
    parser.add_argument("--format", choices=formats, help="format on standard output")
    parser.add_argument("--force", action="store_true", help="overwrite the output file")
    add_quiet(parser, "no progress bar")


def add_quiet(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Say less; ``meaning`` is what is then not said."""
    parser.add_argument("--quiet", action="store_true", help=meaning)


def positive(value: str) -> int:
    """A whole number above 0."""
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {value!r}")
    return int(value)


def seed(value: str) -> int:
    """A whole number that every generator of random numbers takes."""
    if not value.isdecimal() or int(value) >= 1 << 31:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2147483647: {value!r}")
    return int(value)


def fraction(value: str) -> float:
    """A number between 0 and 1, both excluded."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, found {value!r}")
    return number


def fraction_or_all(value: str) -> float:
    """A number from 0 to 1, both included."""
    return float(value) if value in ("0", "1") else fraction(value)


def names(value: str) -> list[str]:
    """A comma-separated list of at least one name."""
    found = [name.strip() for name in value.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"expected names with commas between, found {value!r}")
    return found


def add_features_option(add: Callable[..., Any]) -> None:
    """Which features are measured."""
    add(
        "--features",
        type=names,
        metavar="A,B",
        help="groups to measure, or columns of them, such as word_lm__perplexity (all that need "
        "nothing installed apart; all,grammar adds one)",
    )


def add_parser_option(add: Callable[..., Any]) -> None:
    """Which constituency parser there is to be."""
    add("--parser", metavar="SPEC", help="constituency parser: chart (shipped), benepar:MODEL or bllip:FOLDER")


def with_parser(groups: list[str] | None, spec: str | None) -> list[str] | None:
    """The groups, with that of constituents over the parser named; no groups means all.

    Without a name, and for the shipped parser, they stay as they are.
    """
    if spec is None:
        return groups
    from naturalness.features import ALL, GROUPS, SETS
    from naturalness.features.constituency import OWN_PARSER, ConstituencyFeatures
    from naturalness.features.selected import BETWEEN
    from naturalness.models.parsers.chart.parser import ASSET

    shipped = ConstituencyFeatures().name
    named = groups
    if groups is None or ALL in groups:
        named = [*GROUPS, *(name for name in groups or () if name != ALL)]
    named = [column for name in named or () for column in SETS.get(name, (name,))]
    if shipped not in [name.partition(BETWEEN)[0] for name in named]:
        raise TableError(
            f"--parser is for the group {shipped!r}, which --features leaves out; add it there, or leave out --parser"
        )
    if spec == ASSET:
        return groups
    return [
        f"{OWN_PARSER}{spec}{name.removeprefix(shipped)}" if name.partition(BETWEEN)[0] == shipped else name
        for name in named
    ]


def output_table(given: argparse.Namespace, style: str) -> Location:
    """Where results go: the file named with -o, else standard output in a format."""
    if given.output in (None, STANDARD):
        return location(STANDARD, style)
    if given.format is not None:
        raise TableError("--format is for standard output; a file's name tells its format")
    return location(given.output)


def table_of(given: str, format_name: str | None) -> Location:
    """The table that an argument must name."""
    return input_table(given, format_name) or location(given)


def input_table(given: str, format_name: str | None) -> Location | None:
    """The table that an argument names, or None where it is a text itself."""
    if is_folder(given):
        raise TableError(_folder_error(Path(given)))
    if given == STANDARD or format_name is not None or _is_file(given):
        return location(given, format_name)
    if LOOKS_LIKE_FILE.match(given):
        if is_remote(given):
            return location(given)
        raise TableError(f"no file {given!r}; check the path")
    return None


def _folder_error(folder: Path) -> str:
    """What a folder is, that was given where a text or a table belongs."""
    name = repr(str(folder))
    if (folder / "manifest.json").is_file():
        return f"{name} is the folder of a model; name it with --model, beside texts or a table"
    tables = sorted(path for path in folder.iterdir() if LOOKS_LIKE_FILE.match(path.name))
    example = f", such as {str(tables[0])!r}" if tables else ""
    return (
        f"{name} is a folder; expected a text, or one table{example}. If the word itself is "
        "meant, give it through standard input (-)"
    )


def _is_file(given: str) -> bool:
    try:
        return Path(given).is_file() or is_pipe(given)
    except (OSError, ValueError):
        return False  # too long for a name, or with a NUL: a text

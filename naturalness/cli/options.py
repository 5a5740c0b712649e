"""Options that several commands share, and what they mean."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from naturalness.data.formats import FORMATS
from naturalness.errors import NaturalnessError, TableError
from naturalness.files.storage import user_folder

if TYPE_CHECKING:
    from naturalness.features.store.folder import FeatureStore


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
    parts = [name.strip() for name in value.split(",") if name.strip()]
    if not parts:
        raise argparse.ArgumentTypeError(f"expected names with commas between, found {value!r}")
    return parts


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


INDENT = " " * 7
"""Before what is said below the line of a text."""


def add_model_choice(parser: argparse.ArgumentParser) -> None:
    """Which model judges."""
    which = parser.add_mutually_exclusive_group().add_argument
    which(
        "--model",
        default="default",
        metavar="FOLDER",
        help="a model made by train, or a shipped one: default (what it is without this option) "
        "or fast; a folder of such a name is ./fast",
    )
    which(
        "--fast",
        dest="model",
        action="store_const",
        const="fast",
        help="the same as --model fast: several times as quick, and less good",
    )
    parser.add_argument(
        "--changed-assets", action="store_true", help="accept other assets than those the model was trained with"
    )


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Which model judges, and how its columns are called."""
    add_model_choice(parser)
    parser.add_argument(
        "--prefix", default="", metavar="P", help="put before the names of new columns, if the table has such ones"
    )


VARIABLE = "NATURALNESS_STORE"
NONE = "none"


def add_store_option(add: Callable[..., Any]) -> None:
    """Where features are kept."""
    add(
        "--store",
        metavar="FOLDER",
        help="where measured features are kept, so that no text is "
        f"parsed again (${VARIABLE}, or naturalness/features in the user's cache folder; {NONE}: "
        "nowhere)",
    )


def open_store(named: str | None) -> FeatureStore | None:
    """The store that an option names, or that of the usual place, or none.

    A folder that cannot be used is an error where the option names it. The usual place is nobody's
    wish: without it the work takes longer, and a line says so.
    """
    from naturalness.features.store.folder import FeatureStore

    if named is not None:
        return None if named == NONE else FeatureStore(named).check()
    try:
        usual = os.environ.get(VARIABLE) or user_folder("XDG_CACHE_HOME") / "naturalness" / "features"
        return None if usual == NONE else FeatureStore(usual).check()
    except (NaturalnessError, RuntimeError) as error:  # RuntimeError: nobody's home
        sys.stderr.write(f"measured features are not kept: {error}\n")
        return None


def describe_store(store: FeatureStore | None, known: int, total: int, *, quiet: bool = False) -> list[str]:
    """Why it was quick, and why it will not be the next time; a line each."""
    if store is None:
        return []
    lines = [f"{known:,} of {total:,} texts were known to {store.folder}"] if known else []
    return [*([] if quiet else lines), *([store.trouble] if store.trouble else [])]

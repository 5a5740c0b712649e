"""Options for rated tables, and reading and measuring tables by them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.options import add_duplicates, add_table_options, argument, describe_store, names, open_store
from naturalness.cli.progress import Report
from naturalness.data.labels import MIDDLES, RULES
from naturalness.data.raters import SCALINGS
from naturalness.errors import ModelError, NaturalnessError, damage_as
from naturalness.pipelines.rated import TABLE_OPTIONS, read_scale

if TYPE_CHECKING:
    from naturalness.data.rated import RatedTexts
    from naturalness.judging.folder import Description
    from naturalness.pipelines.rated import MeasuredTexts

LEARN = ("auto", "labels", "ratings", "shares")


def add_rating_options(parser: argparse.ArgumentParser, *, keep_duplicates: bool = False) -> None:
    """Add the columns of a rated table, and the rules from ratings to labels."""
    _add_columns(parser, keep_duplicates=keep_duplicates)
    _add_rules(parser)


def _add_columns(parser: argparse.ArgumentParser, *, keep_duplicates: bool) -> None:
    add = parser.add_argument_group("the table").add_argument
    add_table_options(add)
    add("--label-column", metavar="NAME", help="column of labels (default: label, if there is one)")
    add(
        "--rating-columns",
        type=names,
        metavar="A,B",
        help="columns of ratings, one per aspect: a number in each row, or a list of individual ratings; where both "
        "are named, the lists are those behind the numbers (default: rating and ratings, if they are there)",
    )
    add("--rater-column", metavar="NAME", help="column of raters: a name, or a list parallel to the ratings")
    add(
        "--source-column",
        metavar="NAME",
        help="column of sources: rows with the same value always stay on the same side of a split",
    )
    add(
        "--pairs",
        type=_two,
        metavar="GOOD,BAD",
        help="columns of two texts, the better first (default: good,bad if there is no column text, or "
        "first_text,second_text and better, as annotate export writes them)",
    )
    add(
        "--phenomenon-column",
        metavar="NAME",
        help="column of what a pair exemplifies (default: phenomenon, if there is one)",
    )
    add_duplicates(add, keep=keep_duplicates)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("labels and ratings").add_argument
    add("--labels", type=names, metavar="WORST,…,BEST", help="labels from worst to best")
    add("--rule", choices=tuple(RULES), help="a published rule from ratings to labels")
    add("--natural-from", type=float, metavar="X", help="natural from this mean rating (or share of votes) upwards")
    add("--unnatural-below", type=float, metavar="X", help="unnatural below this mean rating (or share of votes)")
    add("--middle", choices=MIDDLES, default="leave out", help="what to do with texts in between (default: leave out)")
    add(
        "--votes-from",
        type=float,
        metavar="X",
        help="an individual rating from here upwards is a positive vote; the bounds are then shares of votes",
    )
    add("--floor", type=float, metavar="X", help="unnatural if any individual rating is below this")
    add(
        "--rater-scale",
        choices=tuple(SCALINGS),
        default="none",
        help="scale the ratings of each rater first (default: none)",
    )
    add(
        "--scale",
        type=argument(read_scale),
        metavar="LOW,HIGH",
        help="lowest and highest possible rating (write --scale=-3,3 if one is negative)",
    )
    add(
        "--learn",
        choices=LEARN,
        default="auto",
        help="what to learn; auto: labels if the table or a rule provides any, else ratings (default: auto)",
    )


def _two(value: str) -> list[str]:
    """Read two column names."""
    columns = names(value)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise argparse.ArgumentTypeError(f"expected two columns, GOOD,BAD, found {value!r}")
    return columns


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options by name, as manifests record them."""
    return {name: getattr(args, name) for name in TABLE_OPTIONS}


def read_as_trained(
    path: str, args: argparse.Namespace, trained: Description
) -> tuple[RatedTexts, bool, dict[str, Any]]:
    """Read a table for a trained model; also return the options that it was read with.

    Without options, those of training count, if its columns are there; ``args.blank`` holds the
    options of a command without any.
    """
    from naturalness.files.folder import MANIFEST
    from naturalness.pipelines.rated import TABLE_OPTIONS, read_scale, read_table

    options, recorded = options_of(args), trained.training.get("options")
    if options == args.blank and isinstance(recorded, dict):
        # The name of this file implies its format, whatever that of training was.
        same = {name: recorded.get(name, options[name]) for name in TABLE_OPTIONS} | {"input_format": None}
        # A table may lack these columns, or a manifest hold options that cannot be.
        with suppress(NaturalnessError), damage_as(ModelError, MANIFEST, "train the model again"):
            if lists := recorded.get("ratings_columns"):  # models of 0.1.0 have lists of ratings apart
                same["rating_columns"] = [*(same["rating_columns"] or ()), *lists]
            if same["scale"]:
                same["scale"] = read_scale(",".join(map(str, same["scale"])))
            return *read_table(table_of(path, None), same, trained.groups), same
    return *read_table(table_of(path, options["input_format"]), options, trained.groups), options


def measure_table(
    args: argparse.Namespace,
    rated: RatedTexts,
    rates: bool,
    features: Sequence[str] | None,
    *,
    nlp: str,
    report: Report,
) -> MeasuredTexts:
    """Measure rated texts with the store that the options name.

    What the store has to say goes to standard error and no further: it is not about the model.
    """
    from naturalness.pipelines.rated import measure_rated

    store = open_store(args.store)
    texts = measure_rated(rated, rates, features, nlp=nlp, store=store, report=report)
    lines = describe_store(store, texts.n_stored, len(rated.texts), quiet=args.quiet)
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return texts

"""Which model judges, and what its columns are called: options that several commands share."""

from __future__ import annotations

import argparse

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

"""Read and measure rated tables as the command's options specify."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import note, table_of
from naturalness.cli.options import argument, describe_store, names, open_store
from naturalness.cli.progress import Report
from naturalness.errors import ModelError, NaturalnessError, damage_as
from naturalness.pipelines.rated import TABLE_OPTIONS, MeasuredTexts, measure_rated, read_scale, read_table

if TYPE_CHECKING:
    from naturalness.data.rated import RatedTexts
    from naturalness.judging.folder import Description


scale = argument(read_scale)


def pair_of_columns(value: str) -> list[str]:
    """Read two column names, separated by a comma."""
    columns = names(value)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise argparse.ArgumentTypeError(f"expected two columns, GOOD,BAD, found {value!r}")
    return columns


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the table options by name, as manifests record them; None for options that the command lacks."""
    return {name: getattr(args, name, None) for name in TABLE_OPTIONS}


def read_as_trained(
    path: str, args: argparse.Namespace, trained: Description
) -> tuple[RatedTexts, bool, dict[str, Any]]:
    """Read a table for a trained model; also return the options used.

    If no table options are given, the options used in training apply, provided that the table has their columns.
    ``args.defaults`` holds the default options of the command.
    """
    options = options_of(args)
    untouched = {name: args.defaults.get(name) for name in TABLE_OPTIONS}
    if options == untouched and (read := reread(path, trained, options)):
        return read
    return *read_table(table_of(path, options["input_format"]), options), options


def reread(
    path: str, trained: Description, options: Mapping[str, Any]
) -> tuple[RatedTexts, bool, dict[str, Any]] | None:
    """Read a table with the options recorded in training, or ``options`` where a release recorded none; also return
    the options used.

    Return None if nothing was recorded, the table lacks the columns, or the manifest holds invalid options.
    """
    from naturalness.files.folder import MANIFEST

    recorded = trained.training.get("options")
    if isinstance(recorded, dict):
        # The file name implies the format, whatever the format of the training table was.
        same = {name: recorded.get(name, options[name]) for name in TABLE_OPTIONS} | {"input_format": None}
        with suppress(NaturalnessError), damage_as(ModelError, MANIFEST, "train the model again"):
            if same["scale"]:
                same["scale"] = read_scale(",".join(map(str, same["scale"])))
            return *read_table(table_of(path, None), same), same
    return None


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

    Messages of the store go only to standard error, since they do not concern the model.
    """
    store = open_store(args.store)
    texts = measure_rated(rated, rates, features, nlp=nlp, store=store, report=report)
    note(describe_store(store, texts.n_stored, len(rated.texts)))
    return texts

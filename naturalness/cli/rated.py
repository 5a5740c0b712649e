"""Read and measure rated tables as the command's options specify."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import note, table_of
from naturalness.cli.options import argument, names, open_store
from naturalness.cli.progress import Report
from naturalness.data.labels import MIDDLES
from naturalness.errors import ModelError, NaturalnessError, damage_as, suggestion
from naturalness.pipelines.rated import (
    BOUNDS,
    TABLE_OPTIONS,
    MeasuredTexts,
    describe_store,
    measure_rated,
    read_scale,
    read_table,
)

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


def label_rule(value: str) -> dict[str, Any]:
    """Read the name of a published label rule, or the parts of another rule, as table options."""
    if "=" not in value:
        return {"rule": value}
    options: dict[str, Any] = {"rule": None}
    for part in value.split(","):
        key, _, number = part.partition("=")
        name = key.strip().replace("-", "_")
        if name not in (*BOUNDS, "middle"):
            raise argparse.ArgumentTypeError(f"unknown part {key!r}; {suggestion(name, (*BOUNDS, 'middle'))}")
        try:
            options[name] = number if name == "middle" else float(number)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected a number in {part!r}") from None
    return options


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the table options by name, as manifests record them; None for options that the command lacks."""
    raters = args.raters or []
    return {
        **{name: getattr(args, name, None) for name in TABLE_OPTIONS},
        "rater_column": raters[0] if len(raters) == 1 else None,
        "rater_columns": raters if len(raters) > 1 else None,
        "keep_duplicates": args.duplicates == "keep",
        "middle": MIDDLES[0],
        **(args.rule or {"rule": None}),
    }


def read_as_trained(
    path: str, args: argparse.Namespace, trained: Description
) -> tuple[RatedTexts, bool, dict[str, Any]]:
    """Read a table for a trained model; also return the options used.

    If no table options are given, the options used in training apply, provided that the table has their columns.
    ``args.defaults`` holds the default options of the command.
    """
    options = options_of(args)
    if options == options_of(argparse.Namespace(**args.defaults)) and (read := reread(path, trained, options)):
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

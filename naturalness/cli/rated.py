"""Options that say what a rated table means, and the reading of one; `train` and `evaluate`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.options import describe_store, names
from naturalness.cli.progress import Report
from naturalness.data.labels import MIDDLES, RULES, LabelRule, rule_named
from naturalness.data.raters import SCALINGS
from naturalness.errors import ModelError, NaturalnessError, TableError, damage_as

if TYPE_CHECKING:
    from naturalness.arrays import IntArray
    from naturalness.data.formats import Location
    from naturalness.data.rated import RatedTexts
    from naturalness.features.store.folder import FeatureStore
    from naturalness.pipelines.learning import Rated
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.pipelines.store import Description

LEARN = ("auto", "labels", "ratings", "shares")
NAMES = (
    "text_column",
    "label_column",
    "rating_columns",
    "ratings_columns",
    "rater_column",
    "source_column",
    "labels",
    "rule",
    "natural_from",
    "unnatural_below",
    "votes_from",
    "floor",
    "middle",
    "rater_scale",
    "scale",
    "keep_duplicates",
    "learn",
    "input_format",
    "pairs",
    "phenomenon_column",
)
"""The options, as they are kept in a model's manifest."""


def add_rating_options(parser: argparse.ArgumentParser) -> None:
    """What the columns of a rated table mean, and how labels are made of ratings."""
    _add_columns(parser)
    _add_rules(parser)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("the table").add_argument
    add("--text-column", metavar="NAME", help="column of the texts (text)")
    add("--label-column", metavar="NAME", help="column of labels (label, if there is one)")
    add(
        "--rating-columns",
        "--rating-column",
        type=names,
        metavar="A,B",
        help="columns of one number per row, one per aspect (rating, if there is one)",
    )
    add(
        "--ratings-columns",
        "--ratings-column",
        type=names,
        metavar="A,B",
        help="columns of lists of single ratings, one per aspect (ratings, if there is one)",
    )
    add("--rater-column", metavar="NAME", help="who rated: a name, or a list beside the ratings")
    add("--source-column", metavar="NAME", help="rows with the same value here never straddle a split")
    add(
        "--pairs",
        type=_two,
        metavar="GOOD,BAD",
        help="columns of two texts, the better one first (good,bad, if there is no column text; or "
        "first_text,second_text and better, which annotate --export writes)",
    )
    add("--phenomenon-column", metavar="NAME", help="what a pair is an example of (phenomenon, if there is one)")
    add("--input-format", metavar="FORMAT", help="format, if the name does not tell")
    add("--keep-duplicates", action="store_true", help="do not merge rows with the same text")


def _add_rules(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("labels and ratings").add_argument
    add("--labels", type=names, metavar="WORST,…,BEST", help="labels from worst to best")
    add("--rule", choices=tuple(RULES), help="a paper's rule from ratings to labels")
    add("--natural-from", type=float, metavar="X", help="natural from this mean rating (or share of votes) on")
    add("--unnatural-below", type=float, metavar="X", help="unnatural below this one (the same)")
    add("--middle", choices=MIDDLES, default="leave out", help="what texts between the two are (leave out)")
    add(
        "--votes-from",
        type=float,
        metavar="X",
        help="a single rating from here on is a positive vote; bounds are shares of votes",
    )
    add("--floor", type=float, metavar="X", help="a single rating below it: unnatural")
    add("--rater-scale", choices=tuple(SCALINGS), default="none", help="scale each rater's ratings first (none)")
    add(
        "--scale",
        type=_scale,
        metavar="LOW,HIGH",
        help="lowest and highest rating possible (--scale=-3,3 where one is negative)",
    )
    add(
        "--learn",
        choices=LEARN,
        default="auto",
        help="what is learned; auto: labels where there are some or a rule makes some, else ratings",
    )


def _two(value: str) -> list[str]:
    """Two names of columns."""
    columns = names(value)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise argparse.ArgumentTypeError(f"expected two columns, GOOD,BAD, found {value!r}")
    return columns


def _scale(value: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in value.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected LOW,HIGH, found {value!r}") from None
    if not -math.inf < low < high < math.inf:
        raise argparse.ArgumentTypeError(f"expected two finite numbers, the lower one first, found {value!r}")
    return low, high


def options_of(given: argparse.Namespace) -> dict[str, Any]:
    """The options by name, as JSON has them."""
    return {name: getattr(given, name) for name in NAMES}


def _rule(options: Mapping[str, Any]) -> LabelRule | None:
    own = [o for o in ("natural_from", "unnatural_below", "votes_from", "floor") if options[o] is not None]
    if options["middle"] != MIDDLES[0] and options["unnatural_below"] is None:
        raise TableError("--middle needs --natural-from and --unnatural-below beside it")
    if options["rule"] is not None:
        if own:
            flag = own[0].replace("_", "-")
            raise TableError(f"--rule has its own bounds; leave out --{flag}, or --rule")
        return rule_named(options["rule"])
    if not own:
        return None
    if options["natural_from"] is None:
        raise TableError(f"--{own[0].replace('_', '-')} needs --natural-from beside it")
    return LabelRule(
        natural_from=options["natural_from"],
        unnatural_below=options["unnatural_below"],
        votes_from=options["votes_from"],
        floor=options["floor"],
        middle=options["middle"],
    )


def read_table(path: str, options: Mapping[str, Any], groups: Sequence[str] | None = ()) -> tuple[RatedTexts, bool]:
    """The rated texts of a table, and whether ratings (or shares) are to be learned.

    Texts bring along the numbers of those columns that groups of features read.
    """
    from naturalness.data.rated import read_rated
    from naturalness.features import resolve
    from naturalness.features.columns import NumberedText, columns_read

    where = table_of(path, options["input_format"])
    numeric = columns_read(resolve(groups))
    if (paired := _pairs_of(where, options)) is not None:
        if numeric:
            raise TableError(
                f"{path!r} holds pairs, which share their columns, and {numeric[0]!r} is to stand "
                "beside each text; give a table of rated texts, or leave out --numeric-columns"
            )
        return paired, False
    rule = _rule(options)
    learn = options["learn"]
    found = read_rated(
        where,
        text_column=options["text_column"],
        label_column=options["label_column"],
        rating_columns=options["rating_columns"],
        ratings_columns=options["ratings_columns"],
        rater_column=options["rater_column"],
        source_column=options["source_column"],
        rule=rule,
        order=options["labels"],
        rater_scale=options["rater_scale"],
        target="share" if learn == "shares" else "rating",
        merge_duplicates=not options["keep_duplicates"],
        scale=tuple(options["scale"]) if options["scale"] else None,
        numeric_columns=numeric,
    )
    if found.numbers:
        pairs = zip(found.texts, found.numbers, strict=True)
        found.texts = [NumberedText(text, numbers) for text, numbers in pairs]
    has_ratings = any(rating == rating for rating in found.ratings)
    if learn in ("ratings", "shares") and not has_ratings:
        raise TableError(f"{path!r} has no ratings to learn; name their column, or learn labels")
    made = rule is None and found.rule is not None
    return found, learn in ("ratings", "shares") or (learn == "auto" and made)


OF_RATINGS = (
    "text_column",
    "label_column",
    "rating_columns",
    "ratings_columns",
    "rater_column",
    "labels",
    "rule",
    "natural_from",
    "unnatural_below",
    "votes_from",
    "floor",
    "scale",
)
"""Options that say that a table holds rated texts."""


def _pairs_of(where: Location, options: Mapping[str, Any]) -> RatedTexts | None:
    """The texts of a table of pairs; None where it holds rated texts.

    A stream is read once, so what it holds is told by the options alone.
    """
    from naturalness.data.paired import PairColumns, pair_columns, read_pairs
    from naturalness.data.reading import first_columns

    named: Sequence[str] | None = options.get("pairs")
    rated = [f"--{name.replace('_', '-')}" for name in OF_RATINGS if options[name] is not None]
    if named and rated:
        raise TableError(f"{', '.join(rated)}: of ratings, and --pairs has none; leave one out")
    if rated or (where.is_stream and not named):
        return None
    source, phenomenon = options["source_column"], options.get("phenomenon_column")
    if where.is_stream and named:
        return read_pairs(where, PairColumns(named[0], named[1], None, source, phenomenon))
    columns = pair_columns(first_columns(where), where.path, named, source, phenomenon)
    return None if columns is None else read_pairs(where, columns)


def describe_reading(found: RatedTexts) -> list[str]:
    """What a user should know of how a table was read, a line each."""
    lines = [f"{len(found.texts):,} texts; {found.rule_note}"]
    if found.merged:
        same = "the same two texts" if found.pairs else "the same text"
        lines.append(f"{found.merged:,} rows merged into another with {same}")
    lines += [f"left out: {count:,} rows, {reason}" for reason, count in found.left_out.items()]
    for name in found.numbers[0] if found.numbers else ():
        if gaps := sum(math.isnan(numbers[name]) for numbers in found.numbers):
            lines.append(f"column {name!r}: {gaps:,} texts without a number, filled as any gap")
    if found.rater_note:
        lines.append(found.rater_note)
    return lines


def read_as_trained(path: str, given: argparse.Namespace, made: Description) -> tuple[RatedTexts, bool, dict[str, Any]]:
    """The table, read as in training where nothing else is said and its columns are there, and
    the options that it was read with.

    ``made`` is the model that it is for; ``given.blank`` the options of a command without any.
    """
    from naturalness.files.folder import MANIFEST

    options, kept = options_of(given), made.training.get("options")
    if options == given.blank and isinstance(kept, dict):
        # The format is told by the name of this file, not by that of training.
        same = {n: kept.get(n, options[n]) for n in NAMES} | {"input_format": None}
        # A table that lacks these columns, or a manifest with options that cannot be.
        with suppress(NaturalnessError), damage_as(ModelError, MANIFEST, "train the model again"):
            if same["scale"]:
                same["scale"] = _scale(",".join(map(str, same["scale"])))
            return *read_table(path, same, made.groups), same
    return *read_table(path, options, made.groups), options


def unmeasured(found: RatedTexts, rates: bool, features: Sequence[str] | None) -> Rated:
    """The texts with a table of gaps: all that can be checked before they are measured."""
    import numpy as np

    from naturalness.features import column_names, resolve
    from naturalness.pipelines.learning import Rated

    place = {name: i for i, name in enumerate(found.classes)}
    columns = tuple(column_names(resolve(features)))
    low, high = found.scale
    return Rated(
        texts=tuple(found.texts),
        table=np.full((len(found.texts), len(columns)), np.nan),
        columns=columns,
        labels=np.array([-1 if x is None else place[x] for x in found.labels], dtype=np.int64),
        ratings=np.array(found.ratings, dtype=np.float64),
        groups=np.array(found.groups, dtype=np.int64),
        classes=tuple(found.classes),
        scale=(float(low), float(high)),
        rates=rates,
        pairs=np.array(found.pairs, dtype=np.int64) if found.pairs else None,
        phenomena=tuple(found.phenomena),
    )


def check_judgeable(data: Rated, model: NaturalnessModel, table: str) -> None:
    """Refuse, before anything is measured, texts of which a model's figures could not be told.

    Texts that it was trained on could all be judged then, so their fingerprint is known now.
    """
    from naturalness.pipelines.train import fingerprint
    from naturalness.reports.assess import all_seen, with_labels_of

    made = model.saved.description
    if made.training.get("fingerprint") == fingerprint(data):
        return
    if all(map(model.knows, data.texts)):
        raise all_seen(len(data), table)
    if data.pairs is None:
        with_labels_of(data, model.classes)


def measured(
    found: RatedTexts,
    rates: bool,
    features: Sequence[str] | None,
    *,
    nlp: str,
    report: Report,
    store: FeatureStore | None,
    quiet: bool,
) -> tuple[Rated, list[str]]:
    """The texts as numbers; those that cannot be judged are left out and told."""
    data, good, told = measured_rows(found, rates, features, nlp=nlp, report=report, store=store, quiet=quiet)
    return data.part(good), told


def measured_rows(
    found: RatedTexts,
    rates: bool,
    features: Sequence[str] | None,
    *,
    nlp: str,
    report: Report,
    store: FeatureStore | None,
    quiet: bool,
) -> tuple[Rated, IntArray, list[str]]:
    """All texts as numbers, which of them can be judged, and why the others cannot.

    What the store has to say goes to standard error and no further: it is not about the model.
    """
    from dataclasses import replace

    import numpy as np

    from naturalness.features.measuring import measure
    from naturalness.models.foreign import NOT_ENGLISH

    total = len(found.texts)
    done = measure(found.texts, features, nlp=nlp, store=store, advance=lambda n: report("reading texts", n, total))
    told = describe_store(store, done.known, total, quiet=quiet)
    sys.stderr.writelines(f"{line}\n" for line in told)
    reasons = done.reasons
    data = replace(unmeasured(found, rates, features), table=done.table)
    good = np.array([not reason for reason in reasons], dtype=bool)
    told = [f"left out: {reasons.count(r):,} rows, {r}" for r in sorted(set(reasons)) if r]
    foreign = sum(gap.startswith(NOT_ENGLISH) for gap in done.gaps)
    told += [f"{NOT_ENGLISH}, but not left out: {foreign:,} rows"] if foreign else []
    return data, np.flatnonzero(good), told

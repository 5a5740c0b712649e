"""Turn a user's rated table into training data: read it according to the options, and measure its texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from naturalness.data.labels import LabelRule, rule_named
from naturalness.errors import ModelError, NaturalnessError, TableError, UnknownName, counted, damage_as
from naturalness.files.folder import MANIFEST
from naturalness.progress import Progress

if TYPE_CHECKING:
    from naturalness.arrays import IntArray
    from naturalness.data.formats import Location
    from naturalness.data.rated import RatedTexts
    from naturalness.files.store import MeasurementStore
    from naturalness.judging.folder import Description
    from naturalness.pipelines.learning import Rated

BOUNDS = ("natural_from", "unnatural_below", "votes_from", "floor")
"""Options that define the rule by which ratings become labels."""
COLUMNS = ("text_column", "label_column", "rating_columns", "rater_column", "source_column")
"""Options that name columns of rated texts."""
TABLE_OPTIONS: Mapping[str, Any] = {
    **dict.fromkeys(COLUMNS),
    "labels": None,
    "rule": None,
    **dict.fromkeys(BOUNDS),
    "rater_scale": "none",
    "scale": None,
    "learn": "auto",
    "input_format": None,
}
"""The default of each option that applies to tables, in the order in which manifests record the options."""
LEARNED = ("auto", "labels", "ratings")
"""Values of the option ``learn``."""
OF_ALL_TABLES = ("source_column", "input_format")
"""Options without a default that apply to tables of pairs, too."""
LEFT_OUT = "left out: "
"""The beginning of a line on rows that were not used, and why."""


def table_options(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a table, with defaults for those that ``reading`` lacks."""
    if unknown := reading.keys() - TABLE_OPTIONS.keys():
        raise UnknownName("table option", min(unknown), TABLE_OPTIONS)
    for name in ("rating_columns", "labels"):
        if isinstance(reading.get(name), str):
            raise TypeError(f"{name} takes a list of names, not a single string")
    if (learned := reading.get("learn", "auto")) not in LEARNED:
        raise UnknownName("target", str(learned), LEARNED)
    return {**TABLE_OPTIONS, **reading}


def read_scale(value: str) -> tuple[float, float]:
    """Read the lowest and highest rating, ``LOW,HIGH``; raise ValueError for anything else."""
    try:
        low, high = (float(part) for part in value.split(","))
    except ValueError:
        raise ValueError(f"expected LOW,HIGH, found {value!r}") from None
    if not -math.inf < low < high < math.inf:
        raise ValueError(f"expected two finite numbers, the lower first, found {value!r}")
    return low, high


def read_table(where: Location, options: Mapping[str, Any], *, merge: bool = True) -> RatedTexts:
    """Return the rated texts of a table.

    ``options`` has the values of `TABLE_OPTIONS`; ``merge`` is whether rows with the same text are merged even if the
    table is not in the long format.
    """
    from naturalness.data.rated import read_rated

    if (pairs := _read_pairs(where, options)) is not None:
        return pairs
    rule, learn = _rule(options), options["learn"]
    rated = read_rated(
        where,
        **{name: options[name] for name in COLUMNS},
        rule=rule,
        order=options["labels"],
        rater_scale=options["rater_scale"],
        merge_duplicates=merge,
        scale=options["scale"],
    )
    if learn == "ratings" and not any(rating == rating for rating in rated.ratings):
        raise TableError(f"{where.path!r} has no ratings to learn from; name their column, or learn labels")
    has_usual_rule = rule is None and rated.rule is not None
    rated.rates = learn == "ratings" or (learn == "auto" and has_usual_rule)
    if rated.rates and len(rated.classes) > 2:
        raise TableError(
            f"{where.path!r} has {len(rated.classes)} labels ({', '.join(rated.classes)}), but a model that learns "
            "ratings predicts two; learn labels, or give `natural_from`, by which ratings become labels"
        )
    return rated


def _rule(options: Mapping[str, Any]) -> LabelRule | None:
    bounds = [f"`{name}`" for name in BOUNDS if options[name] is not None]
    if options["rule"] is not None:
        if bounds:
            raise TableError(f"`rule` has its own bounds; leave out {bounds[0]}, or `rule`")
        return rule_named(options["rule"])
    if not bounds:
        return None
    if options["natural_from"] is None:
        raise TableError(f"{bounds[0]} needs `natural_from`")
    return LabelRule(**{name: options[name] for name in BOUNDS})


def _read_pairs(where: Location, options: Mapping[str, Any]) -> RatedTexts | None:
    """Return the texts of a table of pairs; None for a table of rated texts, and for a stream, which is read once."""
    from naturalness.data.paired import pair_columns, read_pairs
    from naturalness.data.reading import first_columns

    of_ratings = [name for name, default in TABLE_OPTIONS.items() if default is None and name not in OF_ALL_TABLES]
    if where.is_stream or any(options[name] is not None for name in of_ratings):
        return None
    columns = pair_columns(first_columns(where), where.path, options["source_column"])
    return None if columns is None else read_pairs(where, columns)


def read_as_trained(where: Location, trained: Description, reading: Mapping[str, Any]) -> RatedTexts:
    """Read a table for a trained model, as `read_table` does.

    ``reading`` has values of `TABLE_OPTIONS`. If all are defaults, the options of the training apply, provided that the
    table has their columns.
    """
    options = table_options(reading)
    if options == TABLE_OPTIONS and (read := reread(where, trained, options)):
        return read
    return read_table(where, options)


def reread(where: Location, trained: Description, options: Mapping[str, Any]) -> RatedTexts | None:
    """Read a table with the options recorded in training, or ``options`` where a release recorded none.

    Return None if nothing was recorded, the table lacks the columns, or the manifest holds invalid options.
    """
    recorded = trained.training.get("options")
    if isinstance(recorded, dict):
        # The file name implies the format, whatever the format of the training table was.
        same = {name: recorded.get(name, options[name]) for name in TABLE_OPTIONS} | {"input_format": None}
        with suppress(NaturalnessError), damage_as(ModelError, MANIFEST, "train the model again"):
            return read_table(where, same)
    return None


def describe_reading(rated: RatedTexts) -> list[str]:
    """Return lines that describe how a table was read."""
    lines = [f"{len(rated.texts):,} texts; {rated.rule_note}"]
    if rated.merged:
        same = "the same two texts" if rated.pairs else "the same text"
        lines.append(f"{rated.merged:,} rows merged into another with {same}")
    n_rows = len(rated.pairs or rated.texts) + rated.merged + sum(rated.left_out.values())
    lines += [f"{LEFT_OUT}{count:,} of {n_rows:,} rows, {reason}" for reason, count in rated.left_out.items()]
    return lines + [line for line in (rated.rater_note, rated.source_note) if line]


def rated_without_features(rated: RatedTexts, features: Sequence[str] | None) -> Rated:
    """Return rated texts whose features are all NaN, which suffices for checks that need no features."""
    import numpy as np

    from naturalness.features import column_names, resolve
    from naturalness.models.learners.differences import have_versions
    from naturalness.pipelines.learning import Rated

    rank = {name: i for i, name in enumerate(rated.classes)}
    columns = tuple(column_names(resolve(features)))
    low, high = rated.scale
    data = Rated(
        texts=tuple(rated.texts),
        table=np.full((len(rated.texts), len(columns)), np.nan),
        columns=columns,
        labels=np.array([-1 if label is None else rank[label] for label in rated.labels], dtype=np.int64),
        ratings=np.array(rated.ratings, dtype=np.float64),
        groups=np.array(rated.groups, dtype=np.int64),
        classes=tuple(rated.classes),
        scale=(float(low), float(high)),
        rates=rated.rates,
        pairs=np.array(rated.pairs, dtype=np.int64) if rated.pairs else None,
        phenomena=tuple(rated.phenomena),
        versions=not rated.pairs,
    )
    pairs = data.pairs_of_sources
    return replace(data, versions=pairs is not None and have_versions(pairs, len(data)))


@dataclass(frozen=True, slots=True)
class MeasuredRatings:
    """The measured texts, with the indices of the usable ones."""

    data: Rated
    usable: IntArray
    notes: list[str]
    """Lines that state why texts were left out."""
    n_stored: int
    """The number of texts whose features were already in the store."""

    @property
    def usable_data(self) -> Rated:
        """The usable texts."""
        return self.data.part(self.usable)


def measure_rated(
    rated: RatedTexts, features: Sequence[str] | None, *, nlp: str, store: MeasurementStore | None, progress: Progress
) -> MeasuredRatings:
    """Measure the features of texts."""
    import numpy as np

    from naturalness.english.foreign import doubt
    from naturalness.features.measuring import measure
    from naturalness.text.parsing import is_english, pipeline_language

    total = len(rated.texts)
    done = measure(rated.texts, features, nlp=nlp, store=store, advance=lambda n: progress("reading texts", n, total))
    reasons = done.reasons
    counts = Counter(filter(None, reasons))
    notes = [f"{LEFT_OUT}{counted(n, 'row')}, {reason}" for reason, n in sorted(counts.items())]
    if is_english(pipeline_language(nlp)):
        texts = (text for text, reason in zip(rated.texts, reasons, strict=True) if not reason)
        for doubted, rows in Counter(map(doubt, texts)).items():
            notes += [f"{doubted}, but not left out: {counted(rows, 'row')}"] * bool(doubted)
    return MeasuredRatings(
        replace(rated_without_features(rated, features), table=done.table),
        np.flatnonzero([not reason for reason in reasons]),
        notes,
        done.known,
    )


def describe_store(store: MeasurementStore | None, known: int, total: int) -> list[str]:
    """Return lines that say how many texts were in the store and, if new ones could not be stored, why."""
    if store is None:
        return []
    lines = [f"{known:,} of {total:,} texts had been measured before: {store.folder}"] if known else []
    return [*lines, *([store.trouble] if store.trouble else [])]

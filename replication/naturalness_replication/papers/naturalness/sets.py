"""The rated sets as labels to learn: natural or not, which rows belong together, what was measured.

The paper's own ratings were never published. These sets take their place; what differs is said
beside each and in the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.leave_out.rated import LAU_SENTENCES
from naturalness.arrays import FloatArray, IntArray
from naturalness.data.formats import location
from naturalness.data.labels import LabelRule, rule_named
from naturalness.data.rated import RatedTexts, read_rated
from naturalness.features import FeatureGroup, column_names, resolve
from naturalness.pipelines.learning import Rated
from training.default_model.measure import put_cross_fitted, table_of
from training.default_model.sets import SETS, read_set

Groups = Sequence[str | FeatureGroup] | None
STYLE_SENTENCES = 244
"""Rows of each of the ten parts of style transfer: the inputs, and the outputs of nine systems."""
SAMPLE_SEED = 0


@dataclass(frozen=True, slots=True)
class LearnedSet:
    """Files of ratings, and the rule that makes them labels."""

    files: tuple[str, ...]
    about: str
    rule: LabelRule | None = None
    """None: natural from the median rating up."""
    graded: bool = False
    """Whether ratings are means of several raters, which can be learned too."""
    parts: int | None = None
    """Rows of a part: the n-th rows of all parts are one source."""
    sample: int | None = None
    """Size of the sample where all texts would cost too much."""


LAU = "lau2017_bnc_mop4.acceptability.tsv"
ENTRIES: Mapping[str, LearnedSet] = {
    "SFHOTEL + SFREST": LearnedSet(
        ("sfhot.naturalness.tsv", "sfres.naturalness.tsv"),
        "generated hotel and restaurant dialogue; natural: median of the judges 5 or more of 6 "
        "(the paper's rule has a floor under single ratings, which are not public)",
        rule_named("groves2018-likert-proxy"),
    ),
    "GUG": LearnedSet(
        ("gug.grammaticality.tsv",),
        "learners' sentences, train part; natural: mean 3.5 or more of 4",
        rule_named("heilman2014-gug"),
        graded=True,
    ),
    "Lau BNC, by source": LearnedSet(
        (LAU,),
        "sentences and their round trips through machine translation; natural: from the median "
        "mean on; all versions of a sentence on the same side of a split",
        graded=True,
        parts=LAU_SENTENCES,
    ),
    "style transfer": LearnedSet(
        ("styletransfer.naturalness.tsv",),
        "reviews rewritten by nine systems, and the originals; natural: from the median mean on; "
        "all versions of an input on the same side of a split",
        graded=True,
        parts=STYLE_SENTENCES,
    ),
    "CoLA": LearnedSet(
        ("cola.acceptability.tsv",),
        "linguists' examples, each labelled acceptable or not by its author; a fixed sample of 3,000",
        LabelRule(0.5),
        sample=3000,
    ),
    "Lau BNC, plain random": LearnedSet(
        (LAU,), "the same sentences, split without regard to what they are versions of: a leak", graded=True
    ),
}
SPLIT_FAIRLY = tuple(name for name in ENTRIES if name != "Lau BNC, plain random")
"""One entry a set."""


def read(folder: Path, entry: LearnedSet, work: Path | None = None, features: Groups = None) -> Rated:
    """A set as numbers, of all features or of groups by name; labels are what is to be learned.

    Each different text is one row. Tables are kept in ``work``.
    """
    parts = [
        read_rated(location(str(folder / file)), rating_columns=["rating"], rule=entry.rule) for file in entry.files
    ]
    tables = [_table(folder / file, part.texts, work, features) for file, part in zip(entry.files, parts, strict=True)]
    data = Rated(
        texts=tuple(text for part in parts for text in part.texts),
        table=np.vstack(tables),
        columns=tuple(column_names(resolve(features))),
        labels=np.array([_class_of(part, x) for part in parts for x in part.labels]),
        ratings=np.array([x for part in parts for x in part.ratings]),
        groups=_groups(parts, entry.parts),
        classes=tuple(parts[0].classes),
        scale=parts[0].scale,
        rates=False,
    )
    return data if entry.sample is None else data.part(_drawn(len(data), entry.sample))


def _table(file: Path, texts: Sequence[str], work: Path | None, features: Groups) -> FloatArray:
    """Rows of a file's table; it holds repeated texts too, so that whoever measures a file whole
    finds the same table in ``work``. What the detector finds comes from one that never saw ratings of the set's family.
    """
    every = read_set(file).texts
    row = {text: number for number, text in enumerate(every)}
    table = table_of(file.name, every, work, features)
    name = next(name for name, one in SETS.items() if one.file == file.name)
    put_cross_fitted(name, table, every, column_names(resolve(features)), work)
    return table[[row[text] for text in texts]]


def _class_of(part: RatedTexts, label: str | None) -> int:
    return -1 if label is None else part.classes.index(label)


def _groups(parts: list[RatedTexts], n_groups: int | None) -> IntArray:
    rows = np.array([row for part in parts for row in part.rows])
    return rows % n_groups if n_groups else np.arange(len(rows))


def _drawn(n: int, sample: int) -> IntArray:
    rows = np.random.default_rng(SAMPLE_SEED).choice(n, size=min(sample, n), replace=False)
    return np.sort(rows)

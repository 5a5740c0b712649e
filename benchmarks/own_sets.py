"""Rated sets on which models are trained and tested: tables, sources, and the shipped recipe without the set.

The default model learned from three of the four sets. Adapted models therefore start from the same recipe trained
without them, which is a user's situation with new ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.leave_out.rated import sources_of
from naturalness.features import ALL, DEFAULT, column_names, resolve
from naturalness.judging.hashes import known_texts
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.warm_start import Origin
from training.default_model.measure import put_cross_fitted, read_material, table_of
from training.default_model.recipe import Pool, fit
from training.default_model.sets import SETS, leaving, read_set

FILES_OF_SETS: Mapping[str, tuple[str, ...]] = {
    "GUG": ("GUG",),
    "SFHOTEL + SFREST": ("SFHOTEL", "SFREST"),
    "Lau BNC": ("Lau BNC",),
    "style transfer": ("style transfer",),
}
"""Sets learned on, and the files that each is made of."""


@dataclass(frozen=True, slots=True)
class RatedSet:
    """A set: all features in one table, sources as groups."""

    data: Rated

    def with_default(self) -> Rated:
        """Return the set with the features that `train` uses by default."""
        names = column_names(resolve(DEFAULT))
        return self.data.with_columns([self.data.columns.index(name) for name in names])

    def by_text(self) -> RatedSet:
        """Return the set with groups of equal texts instead of sources."""
        _, same = np.unique([text.lower() for text in self.data.texts], return_inverse=True)
        return RatedSet(replace(self.data, groups=same.astype(np.int64)))


def read_rated_set(name: str, ratings: Path, work: Path | None) -> RatedSet:
    """Return a set with ratings to learn; every source is a group.

    Columns of networks trained on ratings come from networks that never saw the set's family. There is none for
    `embedding:shipped`, so the embedding is left out; the constituency parser reads the network that ships.
    """
    texts: list[str] = []
    numbers: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
    tables, sources = [], []
    groups = [*DEFAULT, ALL]
    columns = tuple(column_names(resolve(groups)))
    for part in FILES_OF_SETS[name]:
        rated = read_set(ratings / SETS[part].file)
        texts += rated.texts
        numbers.append(rated.ratings)
        tables.append(table_of(part, rated.texts, work, groups))
        put_cross_fitted(part, tables[-1], rated.texts, columns, work)
        sources += [f"{part} {source}" for source in sources_of(ratings, part)]
    rating = np.concatenate(numbers)
    data = Rated(
        texts=tuple(texts),
        table=np.vstack(tables),
        columns=columns,
        labels=(rating > np.median(rating)).astype(np.int64),
        ratings=rating,
        groups=np.unique(sources, return_inverse=True)[1].astype(np.int64),
        classes=("unnatural", "natural"),
        scale=(float(rating.min()), float(rating.max())),
        rates=True,
    )
    return RatedSet(data)


def pool(ratings: Path, corpora: Path, work: Path | None) -> Pool:
    """Return all training data of the default model."""
    return read_material(ratings, corpora, work, groups=DEFAULT).pool()


def without(everything: Pool, parts: Iterable[str]) -> Origin:
    """Return a model of the default recipe, trained without these sets and their families."""
    gone = set().union(*(leaving(part) for part in parts))
    direction = fit(everything.without(gone))
    compiled = Compiled(direction.preparation, (direction.unit,), Calibration(np.ones(1), np.zeros(1)))
    return Origin(compiled, tuple(column_names(resolve(DEFAULT))), known_texts(()))


def some(rows: Sequence[int], count: int | None, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return a random sample of this many rows; with the same seed, a larger sample contains a smaller one."""
    order = np.random.default_rng(seed).permutation(np.asarray(rows, dtype=np.int64))
    return order[:count]

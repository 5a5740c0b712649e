"""Training data of readers and rating heads: rated sets, folds of families, batches, pairs of post-edits."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray, IntArray
from naturalness.files.resources import load_manifest
from naturalness.models.pieces import END, START, Pieces
from naturalness.statistics.correlation import ranks
from naturalness.text.parsing import short_memory, tokenise
from naturalness.text.view import view
from training.default_model.sets import SETS, RatedSet, key_of, read_named, read_rows, teaching_readers
from training.manifest import ASSETS

LARGEST = 6_000
"""Unique texts of a set that teach, at most."""
MOST_TEXTS = 512
"""Of a batch."""
PLACES = 128
"""Pieces of a text that are read, with the marks of start and end."""
EDITS = "mlqe_postedit.pairs.tsv.gz"
"""Machine translations and what people made of them (CC0): pairs, of no family."""
EDITED = (0.05, 0.8)
"""How much of a translation the edit changed (HTER), at least and at most."""
OF_EDITS = {"name": "MLQE-PE, post-edits", "licence": "CC0"}
WHOLE, FOLD = "six", "six-fold-{}"
"""Names of the reader of all training families, and of that without a fold."""
HIDDEN = frozenset({"gug"})
"""Families whose texts are never used for training, even if other sets contain them."""
NEVER_TAUGHT = ("GUG", "CoLA")
"""Of CoLA's 9,594 texts, some thirty are in sets of other linguists as well."""
STANDARD = 1_000
"""Texts of each of them over which ratings are standardised."""


@dataclass(frozen=True, slots=True)
class Set:
    """A rated set: the numbers of its texts, and their ratings."""

    about: RatedSet
    rows: IntArray
    ratings: FloatArray
    taught: NDArray[np.bool_]

    @property
    def places(self) -> NDArray[np.float32]:
        """Return each rating's rank within the set, in (0, 1)."""
        return ((ranks(self.ratings) - 0.5) / len(self.ratings)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Rated:
    """Unique texts, the sets that contain them, and pairs of a post-edit and the translation that it corrects."""

    texts: Sequence[str]
    sets: Mapping[str, Set]
    edits: Sequence[tuple[str, str]]

    @property
    def keys(self) -> NDArray[np.uint64]:
        """Return the hash of each text."""
        return np.array([key_of(text) for text in self.texts], np.uint64)

    def standard(self, rating: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ratings in standard deviations over texts on which no reader is trained."""
        mean, spread = self.scale(rating)
        return ((rating - mean) / spread).astype(np.float32)

    def scale(self, rating: NDArray[np.float32]) -> tuple[float, float]:
        """Return mean and deviation of the ratings of texts on which no reader is trained."""
        never = rating[np.unique(np.concatenate([self.sets[name].rows for name in NEVER_TAUGHT]))]
        return float(never.mean()), float(never.std())


def read_rated(ratings: Path) -> Rated:
    """Read all sets; a text with several ratings in a set gets their mean."""
    number: dict[str, int] = {}
    rng = random.Random(0)
    sets = {}
    for name, about in SETS.items():
        known = read_named(ratings, name)
        of_text = defaultdict[str, list[float]](list)
        for text, rating in zip(known.texts, known.ratings.tolist(), strict=True):
            of_text[text].append(rating)
        taught = set(rng.sample(list(of_text), min(LARGEST, len(of_text))))
        rows = np.array([number.setdefault(text, len(number)) for text in of_text])
        means = np.array([np.mean(several) for several in of_text.values()])
        sets[name] = Set(about, rows, means, np.array([text in taught for text in of_text]))
    edits = [row for row in read_rows(ratings / EDITS) if EDITED[0] <= float(row["hter"]) <= EDITED[1]]
    return Rated(list(number), sets, [(row["good"], row["bad"]) for row in edits[: 2 * LARGEST]])


def sources_of(asset: str, *others: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Return the sources of a shipped detector: those in its entry, the sets that train readers, and others."""
    taught = [*others, *({"name": name, "licence": SETS[name].licence} for name in teaching_readers())]
    names = {*SETS, *(source["name"] for source in taught)}
    return [*(source for source in load_manifest(ASSETS)[asset].sources if source["name"] not in names), *taught]


def texts_never_taught(ratings: Path) -> list[str]:
    """Return texts on which no reader is trained; ratings are given in standard deviations over them."""
    return [text for name in NEVER_TAUGHT for text in read_named(ratings, name).texts[:STANDARD]]


def read_texts(texts: Sequence[str], pieces: Pieces) -> Iterator[list[int]]:
    """Yield the pieces of each text as one row, between the marks of start and end."""
    for at in range(0, len(texts), 512):
        with short_memory():
            rows = [list(view(doc).lower) for doc in tokenise(texts[at : at + 512])]
        for words in rows:
            ids = [pieces.rows[START], *(piece for word in words for piece in pieces.of_word(word))]
            yield [*ids[: PLACES - 1], pieces.rows[END]]


def rated_batches(
    data: Rated, rng: np.random.Generator, lengths: FloatArray, size: float = np.inf, *, without: Collection[str]
) -> Iterator[tuple[int, IntArray]]:
    """Yield endlessly the index of a set, drawn by the root of its size, and the indices of some of its texts.

    The texts have at most ``size`` pieces. A text of a set is drawn again once fewer than `MOST_TEXTS` others are left.
    """
    sets = list(data.sets.values())
    hidden = np.zeros(len(data.texts), bool)
    for one in sets:
        hidden[one.rows] |= one.about.family in HIDDEN.union(without)
    members = {
        i: np.flatnonzero(one.taught & ~hidden[one.rows])
        for i, one in enumerate(sets)
        if one.about.family not in without and one.about.share
    }
    members = {i: texts for i, texts in members.items() if len(texts) > 1}
    weights = np.array([sets[i].about.share * len(texts) ** 0.5 for i, texts in members.items()])
    left: dict[int, IntArray] = {}
    while True:
        i = int(rng.choice(list(members), p=weights / weights.sum()))
        if len(left.get(i, ())) < min(MOST_TEXTS, len(members[i])):
            left[i] = rng.permutation(members[i])
        fitting = np.cumsum(lengths[sets[i].rows[left[i][:MOST_TEXTS]]]) <= size
        chosen, left[i] = np.split(left[i], [max(2, int(fitting.sum()))])
        yield i, chosen

"""Rated texts with their features, and functions that fit models to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.differences import pairs_of_sources, within
from naturalness.models.learners.start import Start
from naturalness.models.learners.verdict import Interpretation
from naturalness.pipelines.fitting import Fitted, Settings, fit_table
from naturalness.pipelines.warm_start import start_for
from naturalness.statistics.folds import check_enough
from naturalness.statistics.measures import choose_threshold


@dataclass(frozen=True, slots=True)
class Rated:
    """Rated texts and their features; arrays have one entry or row per text, unless their names say pairs."""

    texts: tuple[str, ...]
    table: FloatArray
    columns: tuple[str, ...]
    labels: IntArray
    """The index of each text's label, from worst to best; -1 if the text has no label."""
    ratings: FloatArray
    """The rating of each text; NaN if unrated."""
    groups: IntArray
    """The number of each text's source."""
    classes: tuple[str, ...]
    scale: tuple[float, float]
    rates: bool
    """Whether the target is the rating; if not, it is the label, or the order of pairs."""
    pairs: IntArray | None = None
    """If an order is learned, the row indices of each pair, the preferred row first, (m, 2); the texts then have no
    ratings or labels. Otherwise None.
    """
    phenomena: tuple[str, ...] = ()
    """The phenomenon that each pair is an example of; empty if unknown."""
    grades: FloatArray | None = None
    """The indices of the labels before they were reduced to the best and the rest; None if they were not, or if there
    are ratings.
    """
    versions: bool = False
    """Whether most texts have another text of their source with another rating (`have_versions`)."""

    def __len__(self) -> int:
        return len(self.table)

    @property
    def learned(self) -> str:
        """The name of the target: ``pairs``, ``ratings`` or ``labels``."""
        return "pairs" if self.pairs is not None else "ratings" if self.rates else "labels"

    @property
    def n_classes(self) -> int:
        """The number of classes for the learner: 0 for ratings and pairs."""
        return len(self.classes) if self.learned == "labels" else 0

    @property
    def target(self) -> FloatArray:
        """The target of each text: its rating, the index of its label or, for pairs, the index of its row."""
        if self.pairs is not None:
            return np.arange(len(self), dtype=np.float64)
        return self.ratings if self.rates else self.labels.astype(np.float64)

    @property
    def teaching(self) -> BoolArray:
        """A mask of the rows that have a target."""
        if self.pairs is not None:
            return np.isin(np.arange(len(self)), self.pairs)
        return ~np.isnan(self.ratings) if self.rates else self.labels >= 0

    @property
    def graded(self) -> FloatArray:
        """The values with which scores are correlated: ratings or, if there are none, the indices of labels."""
        if self.grades is not None:
            return self.grades
        if np.isnan(self.ratings).all():
            return np.where(self.labels >= 0, self.labels.astype(np.float64), np.nan)
        return self.ratings

    @property
    def pairs_of_sources(self) -> IntArray | None:
        """The row indices of pairs of texts of one source, the better text first, (m, 2); None without ``versions``."""
        if not self.versions:
            return None
        return pairs_of_sources(self.groups, self.graded, self.texts or [row.tobytes() for row in self.table])

    @property
    def lengths(self) -> FloatArray:
        """The number of whitespace-separated words in each text; NaN if the texts are unknown."""
        if not self.texts:
            return np.full(len(self), np.nan)
        return np.array([len(text.split()) for text in self.texts], dtype=np.float64)

    def part(self, rows: IntArray) -> Rated:
        """Return the texts in the given rows, with all pairs among them; ``rows`` must not contain duplicates."""
        pairs, whole = within(self.pairs, rows, len(self))
        chosen = np.flatnonzero(whole) if self.phenomena else ()
        return replace(
            self,
            pairs=pairs,
            phenomena=tuple(self.phenomena[i] for i in chosen),
            texts=tuple(self.texts[i] for i in rows) if self.texts else (),
            table=self.table[rows],
            labels=self.labels[rows],
            ratings=self.ratings[rows],
            grades=None if self.grades is None else self.grades[rows],
            groups=self.groups[rows],
        )

    def with_columns(self, numbers: Sequence[int]) -> Rated:
        """Return the same texts with only the given columns, by index."""
        return replace(
            self, table=np.ascontiguousarray(self.table[:, numbers]), columns=tuple(self.columns[i] for i in numbers)
        )


@dataclass(frozen=True, slots=True)
class Learned:
    """A fitted model, with the rule that converts its decisions to naturalness and labels."""

    fitted: Fitted
    interpretation: Interpretation

    @property
    def compiled(self) -> Compiled:
        """The compiled arrays."""
        return self.fitted.compiled

    def judge(self, table: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the naturalness of each row, and the index of its predicted label."""
        values = self.compiled.decide(table)
        naturalness = self.interpretation.naturalness(values)
        return naturalness, self.interpretation.predictions(values, naturalness)


def fit(known: Rated, settings: Settings, start: Start | None) -> Fitted:
    """Fit a learner to rows that all have a target."""
    return fit_table(
        known.table,
        known.target,
        n_classes=known.n_classes,
        names=known.classes,
        groups=known.groups,
        weight=np.ones(len(known)),
        settings=settings,
        pairs=known.pairs,
        versions=known.pairs_of_sources,
        start=start,
    )


def learn(data: Rated, settings: Settings, threshold: str | float = "weighted_f1") -> Learned:
    """Learn from all rows that have a target.

    ``threshold`` is a number, or the name of a metric that the threshold maximises on out-of-fold predictions.
    """
    known = data.part(np.flatnonzero(data.teaching))
    fitted = fit(known, settings, start_for(settings.learner, known.columns, known.texts, settings.origin))
    interpretation = Interpretation(len(data.classes), data.rates, scale=data.scale)
    if len(data.classes) == 2:
        interpretation = replace(interpretation, threshold=_threshold(known, fitted, interpretation, threshold))
    return Learned(fitted, interpretation)


def _threshold(data: Rated, fitted: Fitted, interpretation: Interpretation, wanted: str | float) -> float:
    if not isinstance(wanted, str):
        return wanted
    naturalness = interpretation.naturalness(fitted.out_of_fold)
    use = (data.labels >= 0) & ~np.isnan(naturalness)
    return choose_threshold(naturalness[use], data.labels[use] == 1, wanted)


def check_learnable(data: Rated, n_folds: int, test_size: float = 0.0) -> None:
    """Raise `TrainingError` with advice if there are too few rows or only one class."""
    if not len(data):
        raise TrainingError("no text is left to learn from; see the notes on texts that were left out")
    if data.pairs is not None:
        parts = {"groups of pairs that share texts or a source": data.groups}
    else:
        present = np.unique(data.labels[data.labels >= 0])
        if len(present) < 2:
            have = f"only {data.classes[present[0]]!r}" if len(present) else "no label at all"
            raise TrainingError(
                f"the texts have {have}; learning needs texts of two labels: add texts with another label, name the "
                "column that holds the labels (`label_column`), or choose other bounds (`natural_from`)"
            )
        use = data.teaching
        check_enough(data.target[use], data.n_classes, data.groups[use], n_folds, data.classes)
        parts = {"texts": data.groups[use]}
        if data.n_classes:
            named = enumerate(data.classes)
            parts = {f"texts (or sources) of {name!r}": data.groups[data.labels == i] for i, name in named}
    for what, groups in parts.items():
        many = len(np.unique(groups))
        left = int(many * (1 - test_size))
        if left < n_folds:
            raise TrainingError(
                f"{many} {what}: with {test_size:.0%} for testing {left} are left "
                f"to learn from, fewer than the {n_folds} folds; rate more, or ask for fewer folds"
            )

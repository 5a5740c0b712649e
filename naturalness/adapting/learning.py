"""Learn the norms of texts of one kind, and add them to a model of soundness.

A text is judged worse the further its features are from the norms (weighted by the coefficients of the model of
soundness), the less likely its tags are, and the further that likelihood is from its usual value. The weights of these
three parts were chosen once, for all kinds of text, on the five rated data sets of `benchmarks.adapt`; an adaptation
uses no ratings.

Norms are learned from all texts. The reported distributions of fit and scores, and the AUC, are cross-fitted: each half
of the texts is judged by norms learned from the other half, just as new texts are judged by norms that were learned
without them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.judging.kind import SHARES, Kind
from naturalness.models.learners.blend import Blend, Norms
from naturalness.models.learners.calibration import Calibration, fit_sigmoid
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.statistics.measures import roc_auc

NORMS, TAGS, UNUSUAL = 0.2, 0.15, 0.15
"""The weights of three parts, relative to a weight of 1 for soundness: the distance from the norms, the likelihood
of the tags, and the distance of that likelihood from its usual value. All parts are in standard deviations.
"""
MIN_SPREAD = 0.05
"""A constant that is added to the standard deviation of each prepared column, so that no divisor is close to 0."""
EDGE = 1e-12


@dataclass(frozen=True, slots=True)
class Tables:
    """Feature tables of texts; their columns are those of the model to adapt, then those of a language model of
    tags.
    """

    people: FloatArray
    """The rows of texts of the kind. None of these texts trained the language model."""
    damaged: FloatArray
    """The rows of damaged versions of these texts, in the same order; texts that cannot be damaged have no row."""
    score: int
    """The index of the column that contains the log-probability of the tags."""
    per_tag: int
    """The index of the column that contains the same log-probability divided by the number of tags."""
    halfway: tuple[int, int]
    """The indices of the first row in the second half of ``people`` and of ``damaged``."""

    def halves(self) -> tuple[Tables, Tables]:
        """Return the tables of the two halves of the texts, each half with its damaged versions."""
        people, damaged = self.halfway
        return (
            replace(self, people=self.people[:people], damaged=self.damaged[:damaged]),
            replace(self, people=self.people[people:], damaged=self.damaged[damaged:]),
        )


@dataclass(frozen=True, slots=True)
class Margins:
    """The margins of soundness and fit, the two parts of a blend: rows of the kind, then of damaged texts."""

    sound: FloatArray
    fit: FloatArray
    real: BoolArray
    """Whether each text is an undamaged text of the kind."""

    @property
    def both(self) -> FloatArray:
        """The margins of the whole blend, (n,): the sum of both parts."""
        return self.sound + self.fit


@dataclass(frozen=True, slots=True)
class Adapted:
    """A model with the two axes soundness and fit, and its cross-fitted figures."""

    compiled: Compiled
    kind: Kind
    people: FloatArray
    """The cross-fitted log-odds of texts of the kind, (n, 1)."""
    auc: dict[str, float]
    """The cross-fitted AUC with which texts of the kind are separated from their damaged versions: for each axis,
    and for their sum, ``naturalness``.
    """


def learn(origin: Compiled, tables: Tables) -> Adapted:
    """Return ``origin``, a model that consists of a single unit with weights, adapted to texts of a kind."""
    preparation, blend = blended(origin, tables)
    margins = crossed(origin, tables)
    slope, offset = fit_sigmoid(margins.both, margins.real.astype(np.float64), np.ones(len(margins.real)))
    calibration = Calibration(np.array([slope]), np.array([offset]))
    kind = Kind(
        float(origin.calibration.slope[0]),
        float(origin.calibration.offset[0]),
        np.quantile(margins.fit[margins.real], SHARES),
    )
    return Adapted(
        Compiled(preparation, (blend,), calibration),
        kind,
        calibration.apply(margins.both[margins.real, None]),
        areas(margins),
    )


def crossed(origin: Compiled, tables: Tables) -> Margins:
    """Return the cross-fitted margins: each half of the texts is judged by norms learned from the other half."""
    first, second = tables.halves()
    parts = [margins_of(*blended(origin, source), half) for source, half in ((second, first), (first, second))]
    return Margins(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("sound", "fit", "real")))


def margins_of(preparation: Preparation, blend: Blend, tables: Tables) -> Margins:
    """Return the margins of a blend on texts of the kind, followed by those on damaged versions."""
    rows = preparation.apply(np.vstack([tables.people, tables.damaged]))
    sound, fit = (part.decide(rows) for part in blend.parts)
    return Margins(sound, fit, np.repeat([True, False], [len(tables.people), len(tables.damaged)]))


def blended(origin: Compiled, tables: Tables) -> tuple[Preparation, Blend]:
    """Return the preparation of feature rows, and the blend of the original model with norms."""
    (unit,) = origin.units
    if not isinstance(unit, Linear | Switching):
        raise TypeError(f"only a linear model can be adapted, found {unit.kind}")
    width = origin.preparation.n_features
    preparation, at = widened(origin.preparation, tables.people[:, width:])
    coef = np.zeros((*unit.coef.shape[:-1], len(preparation.selected)))
    coef[..., at] = unit.coef
    sound = replace(unit, coef=coef)
    if isinstance(sound, Switching):
        sound = replace(sound, column=at[sound.column])
    people, damaged = preparation.apply(tables.people), preparation.apply(tables.damaged)
    norms = norms_of(sound, preparation, people, damaged, tables)
    return preparation, Blend(np.ones(2), (sound, norms))


def widened(preparation: Preparation, table: FloatArray) -> tuple[Preparation, IntArray]:
    """Return the preparation extended by the columns of ``table``, and the new positions of its selected columns.

    Indicators of missing values come after all other columns, so their positions change.
    """
    more, d = learn_preparation(table), preparation.n_features
    k = more.n_features
    moved = np.where(preparation.selected < d, preparation.selected, preparation.selected + k)
    selected = np.sort(np.concatenate([moved, np.arange(d, d + k)]))
    return (
        Preparation(
            fill=np.concatenate([preparation.fill, more.fill]),
            marked=preparation.marked,
            mean=np.concatenate([preparation.mean[:d], more.mean[:k], preparation.mean[d:]]),
            scale=np.concatenate([preparation.scale[:d], more.scale[:k], preparation.scale[d:]]),
            selected=selected,
        ),
        np.searchsorted(selected, moved),
    )


def norms_of(
    sound: Linear | Switching, preparation: Preparation, people: FloatArray, damaged: FloatArray, tables: Tables
) -> Norms:
    """Return the norms of the kind, given prepared rows, with the cost of each column's deviation from its norm."""
    usual, spread = people.mean(axis=0), people.std(axis=0) + MIN_SPREAD
    nothing = np.zeros(people.shape[1])
    plain = Norms(usual, spread, nothing, nothing)
    rows = np.vstack([people, damaged])
    unit = deviation(sound.decide(rows))
    score, per_tag = np.searchsorted(preparation.selected, [tables.score, tables.per_tag])
    at = np.eye(len(nothing))
    along, apart = nothing.copy(), np.abs(sound.usual(people))
    apart *= NORMS * unit / deviation(replace(plain, apart=apart).decide(rows))
    along[score] = TAGS * unit / deviation(replace(plain, along=at[score]).decide(rows))
    apart[per_tag] = UNUSUAL * unit / deviation(replace(plain, apart=at[per_tag]).decide(rows))
    return Norms(usual, spread, along, apart)


def deviation(values: FloatArray) -> float:
    """Return the standard deviation, but at least `EDGE`, so that it can be a divisor."""
    return max(float(values.std()), EDGE)


def areas(margins: Margins) -> dict[str, float]:
    """Return the AUC with which each axis, and their sum, separates texts of the kind from their damaged versions."""
    numbers = {"sound": margins.sound, "fit": margins.fit, "naturalness": margins.both}
    return {name: round(float(roc_auc(values, margins.real)), 4) for name, values in numbers.items()}

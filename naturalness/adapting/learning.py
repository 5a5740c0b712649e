"""What is usual in texts of one kind, beside a model that knows what is sound.

A text is worse the further its columns lie from what is usual there, each weighed as heavily as the model that is
adapted weighs it; the less likely its row of tags; and the further that likelihood is from the usual one. The weights
of these three were chosen once, for all kinds, on the five rated sets of `benchmarks.adapt`; adapting itself sees no
rating.

Norms are learned from all texts. What is said of them (how texts of the kind fit, score and differ from damaged ones)
comes from crossing: each half of the texts is judged by norms of the other half, as new texts will be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.judging.kind import SHARES, Kind
from naturalness.models.learners.blend import Blend
from naturalness.models.learners.calibration import Calibration, fit_sigmoid
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.norms import Norms
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.statistics.measures import roc_auc

NORMS, TAGS, UNUSUAL = 0.2, 0.15, 0.15
"""Weights of distance from the norms, of the likelihood of tags, and of its distance from the usual one; that of
soundness is 1, all in deviations."""
AGAINST = 0.25
"""Weight of what parts the kind from other texts, where there are some."""
MIN_SPREAD = 0.05
"""Of a prepared column in texts of the kind."""
PENALTY = 0.3
"""Of the ridge that parts the kind from other texts, per unit of weight."""
EDGE = 1e-12


@dataclass(frozen=True, slots=True)
class Tables:
    """Measured texts: the columns of the model that is adapted, then those of a language model of tags."""

    people: FloatArray
    """Of the kind, none of which taught the language model."""
    damaged: FloatArray
    """The same texts under damage, in the same order; some may lack."""
    score: int
    """The column of the tags' log-probability."""
    per_tag: int
    """And of that divided by the number of tags."""
    against: FloatArray | None = None
    """Of texts that the kind is to be told from, such as machine-made ones."""
    halfway: tuple[int, int] | None = None
    """The rows of people, and of damaged ones, at which the second half of the texts begins; None: their middles."""

    def halves(self) -> tuple[Tables, Tables]:
        """Return the two halves of the texts, each with the same under damage, and with all texts to be told from."""
        people, damaged = self.halfway or (len(self.people) // 2, len(self.damaged) // 2)
        return (
            replace(self, people=self.people[:people], damaged=self.damaged[:damaged], halfway=None),
            replace(self, people=self.people[people:], damaged=self.damaged[damaged:], halfway=None),
        )


@dataclass(frozen=True, slots=True)
class Margins:
    """What the parts of a blend say of texts of the kind, then of damaged ones."""

    sound: FloatArray
    fit: FloatArray
    real: BoolArray
    """Which are texts of the kind."""

    @property
    def both(self) -> FloatArray:
        """What the blend says, (n,)."""
        return self.sound + self.fit


@dataclass(frozen=True, slots=True)
class Learned:
    """A model of two axes, and how its texts do where they are new to it."""

    compiled: Compiled
    kind: Kind
    people: FloatArray
    """Log-odds of texts of the kind, (n, 1), crossed."""
    auc: dict[str, float]
    """Area under the curve of the kind beside the same under damage, 0..1, crossed, by axis; of both together under
    ``naturalness``."""


def learn(origin: Compiled, tables: Tables) -> Learned:
    """Adapt a model of one linear unit."""
    preparation, blend = blended(origin, tables)
    margins = crossed(origin, tables)
    slope, offset = fit_sigmoid(margins.both, margins.real.astype(np.float64), np.ones(len(margins.real)))
    calibration = Calibration(np.array([slope]), np.array([offset]))
    kind = Kind(
        float(origin.calibration.slope[0]),
        float(origin.calibration.offset[0]),
        np.quantile(margins.fit[margins.real], SHARES),
    )
    return Learned(
        Compiled(preparation, (blend,), calibration),
        kind,
        calibration.apply(margins.both[margins.real, None]),
        areas(margins),
    )


def crossed(origin: Compiled, tables: Tables) -> Margins:
    """Return what norms of each half of the texts say of the other half."""
    first, second = tables.halves()
    parts = [margins_of(*blended(origin, source), half) for source, half in ((second, first), (first, second))]
    return Margins(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("sound", "fit", "real")))


def margins_of(preparation: Preparation, blend: Blend, tables: Tables) -> Margins:
    """Return what a blend says of texts."""
    rows = preparation.apply(np.vstack([tables.people, tables.damaged]))
    sound, fit = (part.decide(rows) for part in blend.parts)
    return Margins(sound, fit, np.repeat([True, False], [len(tables.people), len(tables.damaged)]))


def blended(origin: Compiled, tables: Tables) -> tuple[Preparation, Blend]:
    """Return the model that is adapted with norms beside it, and how it prepares rows."""
    (unit,) = origin.units
    if not isinstance(unit, Linear):
        raise TypeError(f"a linear model is adapted, not {unit.kind}")
    width = origin.preparation.n_features
    preparation, at = widened(origin.preparation, tables.people[:, width:])
    coef = np.zeros(len(preparation.selected))
    coef[at] = unit.coef
    linear = Linear(coef, unit.intercept)
    people, damaged = preparation.apply(tables.people), preparation.apply(tables.damaged)
    norms = norms_of(linear, preparation, people, damaged, tables)
    return preparation, Blend(np.ones(2), (linear, norms))


def widened(preparation: Preparation, table: FloatArray) -> tuple[Preparation, IntArray]:
    """Return a preparation with further columns, and where those that it had are now.

    Marks of gaps stand behind all columns, so they move.
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
    linear: Linear, preparation: Preparation, people: FloatArray, damaged: FloatArray, tables: Tables
) -> Norms:
    """Return what is usual in prepared rows of the kind, and what leaving it costs."""
    usual, spread = people.mean(axis=0), people.std(axis=0) + MIN_SPREAD
    nothing = np.zeros(people.shape[1])
    plain = Norms(usual, spread, nothing, nothing)
    rows = np.vstack([people, damaged])
    unit = deviation(linear.decide(rows))
    score, per_tag = np.searchsorted(preparation.selected, [tables.score, tables.per_tag])
    at = np.eye(len(nothing))
    along, apart = nothing.copy(), np.abs(linear.coef)
    apart *= NORMS * unit / deviation(replace(plain, apart=apart).decide(rows))
    along[score] = TAGS * unit / deviation(replace(plain, along=at[score]).decide(rows))
    apart[per_tag] = UNUSUAL * unit / deviation(replace(plain, apart=at[per_tag]).decide(rows))
    if tables.against is not None:
        others = preparation.apply(tables.against)
        direction = parting(people, others) * spread
        both = np.vstack([people, others])
        along += AGAINST * unit / deviation(replace(plain, along=direction).decide(both)) * direction
    return Norms(usual, spread, along, apart)


def deviation(values: FloatArray) -> float:
    """Return a deviation that may be divided by."""
    return max(float(values.std()), EDGE)


def parting(people: FloatArray, others: FloatArray) -> FloatArray:
    """Return the direction of ridge regression from others (0) to the kind (1); both weigh the same."""
    rows = np.vstack([people, others])
    weight = np.repeat([0.5 / len(people), 0.5 / len(others)], [len(people), len(others)])
    centred = rows - weight @ rows
    target = np.repeat([0.5, -0.5], [len(people), len(others)])
    weighted = centred * weight[:, None]
    out: FloatArray = np.linalg.solve(weighted.T @ centred + PENALTY * np.eye(rows.shape[1]), weighted.T @ target)
    return out


def areas(margins: Margins) -> dict[str, float]:
    """Return how well each axis, and both, tell the kind from the same under damage."""
    numbers = {"sound": margins.sound, "fit": margins.fit, "naturalness": margins.both}
    return {name: round(float(roc_auc(values, margins.real)), 4) for name, values in numbers.items()}

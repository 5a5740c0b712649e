"""Norms of a kind of text added to a linear model, on random tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.adapting.learning import Tables, crossed, learn, widened
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.kernel import Kernel
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.logistic import sigmoid

RNG = np.random.default_rng(0)
EARLIER = RNG.normal(size=(300, 3))
EARLIER[::7, 1] = np.nan
ORIGIN = Compiled(
    learn_preparation(EARLIER),
    (Linear(np.array([1.0, -0.5, 0.0, 0.2]), np.array([0.1])),),
    Calibration(np.array([2.0]), np.array([-0.3])),
)


def rows(n: int, shift: float) -> np.ndarray:
    """Return rows with three columns of the model and two of a tag language model."""
    table = RNG.normal(size=(n, 5)) * [1, 1, 0.3, 2, 1] + [1, 0, 5, -20, -2]
    return table + shift * np.array([-1.0, 0.5, 0.3, -2.0, -1.0])


PEOPLE, DAMAGED = rows(150, 0), rows(150, 1)
TABLES = Tables(PEOPLE, DAMAGED, 3, 4, (75, 75))


def test_soundness_is_the_score_of_the_original_model() -> None:
    """Soundness equals the original model's score, also for undefined values."""
    learned = learn(ORIGIN, TABLES)
    table = np.vstack([PEOPLE, EARLIER[:20, [0, 1, 2, 0, 0]]])
    sound = learned.kind.axes(learned.compiled, table)["sound"]
    np.testing.assert_allclose(sound, sigmoid(ORIGIN.decide(table[:, :3]))[:, 0], rtol=1e-9)


def test_widening_a_preparation_keeps_old_columns() -> None:
    """Old columns have the same prepared values at the returned positions."""
    table = np.hstack([EARLIER, RNG.normal(size=(300, 2))])
    preparation, at = widened(ORIGIN.preparation, table[:, 3:])
    np.testing.assert_array_equal(preparation.apply(table)[:, at], ORIGIN.preparation.apply(EARLIER))


def test_fit_falls_with_distance_in_both_directions() -> None:
    """Fit is a quantile among texts of the kind: it averages one half, and falls on either side."""
    learned = learn(ORIGIN, TABLES)
    fit = learned.kind.axes(learned.compiled, PEOPLE)["fit"]
    assert fit.mean() == pytest.approx(0.5, abs=0.03)
    usual = np.median(PEOPLE, axis=0)
    for shift in (-3.0, 3.0):
        far = usual + shift * PEOPLE.std(axis=0) * [1, 1, 1, 0, 1]
        near, off = learned.kind.axes(learned.compiled, np.vstack([usual, far]))["fit"]
        assert off < near


def test_norms_are_cross_fitted() -> None:
    """Changing a text affects the fit of texts in the other half only, including the damaged ones."""
    changed = PEOPLE.copy()
    changed[0] += 5
    tables = replace(TABLES, halfway=(70, 60))
    before, after = crossed(ORIGIN, tables), crossed(ORIGIN, replace(tables, people=changed))
    np.testing.assert_array_equal(before.fit[1:130], after.fit[1:130])
    assert (before.fit[130:] != after.fit[130:]).all()
    np.testing.assert_array_equal(np.flatnonzero(before.real), [*range(70), *range(130, 210)])


def test_new_texts_fit_like_training_texts() -> None:
    """New texts fit and score like training texts, even with 50 texts and 40 columns, where norms could overfit."""
    rng = np.random.default_rng(1)
    preparation = learn_preparation(rng.normal(size=(300, 40)))
    unit = Linear(np.full(40, 0.3), np.array([0.1]))
    wide = Compiled(preparation, (unit,), ORIGIN.calibration)
    fits, lower = [], []
    for _ in range(6):
        people, damaged, new = (rng.normal(size=(n, 42)) for n in (50, 50, 300))
        learned = learn(wide, Tables(people, damaged - 0.5, 40, 41, (25, 25)))
        fits.append(np.median(learned.kind.axes(learned.compiled, new)["fit"]))
        lower.append(np.mean(learned.compiled.decide(new) < np.median(learned.people)))
    assert np.mean(fits) == pytest.approx(0.5, abs=0.15)
    assert np.mean(lower) == pytest.approx(0.5, abs=0.15)


def test_both_axes_detect_damage() -> None:
    """Both axes and their sum separate texts of the kind from damaged ones better than chance."""
    auc = learn(ORIGIN, TABLES).auc
    assert set(auc) == {"sound", "fit", "naturalness"}
    assert all(0.6 < value <= 1 for value in auc.values())


def test_only_linear_models_are_adapted() -> None:
    """A model that is not linear is refused, since soundness must be a sum of contributions."""
    other = Compiled.__new__(Compiled)
    object.__setattr__(other, "units", (object.__new__(Kernel),))
    with pytest.raises(TypeError, match="linear model can be adapted, found kernel"):
        learn(other, TABLES)

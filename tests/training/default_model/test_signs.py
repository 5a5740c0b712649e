"""Sign constraints on the weights of columns that count errors."""

from __future__ import annotations

from itertools import product

import numpy as np

from naturalness.files.resources import locate
from naturalness.judging.model import read_model
from naturalness.models.detector import KINDS
from naturalness.models.learners.linear import Linear, Switching
from training.default_model.signs import KINDS_OF_DAMAGE, LEAST, signs, solve


def test_constrained_weights_are_optimal() -> None:
    """Weights satisfy the optimality conditions under their sign constraints; without constraints, they solve the
    system."""
    rng = np.random.default_rng(0)
    rows, target = rng.normal(size=(60, 12)), rng.normal(size=60)
    gram, goal = rows.T @ rows, rows.T @ target
    sign, least = rng.integers(-1, 2, 12).astype(float), rng.choice([0.0, 0.02], 12)
    weights = solve(gram, goal, sign, least)
    slope = gram @ weights - goal
    held = (sign != 0) & np.isclose(weights, sign * least)
    assert (sign * weights >= np.abs(sign) * least - 1e-9).all()
    np.testing.assert_allclose(slope[~held], 0, atol=1e-8)
    assert (sign * slope)[held].min() >= -1e-8
    np.testing.assert_allclose(solve(gram, goal, np.zeros(12), least), np.linalg.solve(gram, goal), rtol=1e-9)


def test_every_kind_of_damage_lowers_the_shipped_scores() -> None:
    """Each kind of damage has a negative weight in the shipped models, so explanations can name it."""
    for name in ("model", "fast"):
        saved = read_model(locate(name))
        (unit,) = saved.compiled.units
        assert isinstance(unit, Linear | Switching)
        columns = saved.compiled.preparation.names(list(saved.description.columns))
        held = [i for i, column in enumerate(columns) if column in KINDS_OF_DAMAGE]
        assert len(held) == len(KINDS) - 1
        assert unit.coef[..., held].max() <= -LEAST + 1e-12


def test_more_errors_never_raise_the_shipped_score() -> None:
    """Increasing any constrained column never raises the score of a sentence or passage by the shipped models."""
    for name, n_sentences in product(("model", "fast"), (1, 3)):
        saved = read_model(locate(name))
        names = list(saved.description.columns)
        usual = saved.compiled.preparation.fill.copy()
        usual[names.index("surface__n_sentences")] = n_sentences
        for column in np.flatnonzero(signs(names)):
            rows = np.tile(usual, (5, 1))
            scale = saved.compiled.preparation.scale[column]
            rows[:, column] += signs(names)[column] * scale * np.array([0, 0.5, 1, 3, 9])
            assert (np.diff(saved.compiled.decide(rows).ravel()) >= -1e-12).all(), names[column]

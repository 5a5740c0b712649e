"""The recurrent learner: it sees order, is the same under a seed, and scores without torch.

Tests that train need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.errors import MissingPackage, TrainingError
from naturalness.files.resources import has_package
from naturalness.models.learners.table import LEARNERS
from naturalness.models.vectors import WIDTH
from naturalness.pipelines.fitting import Fitted, Settings, fit_table
from naturalness_replication.recurrent import BiGru, Recurrent, compile_recurrent, prepare_words, words_of

needs_torch = pytest.mark.skipif(not has_package("torch"), reason="needs the extra 'neural'")
MAX_WORDS = 5
SMALL = {"steps": 6, "size": 6}


def test_hand_worked_states() -> None:
    """One number is kept: gates half open, so that each word moves it half way to tanh(word).

    From the left 1, 2 gives tanh(1) / 2 and then the mean of that and tanh(2); from the right the
    other way round, and there the words count three times.
    """
    unit = Recurrent(
        into=np.array([[0.0], [0.0], [1.0], [0.0], [0.0], [3.0]]),
        across=np.zeros((6, 1)),
        into_bias=np.zeros(6),
        across_bias=np.zeros(6),
        last=np.array([1.0, 10.0, 100.0, 1000.0]),
        intercept=np.array([0.5]),
    )
    left = [np.tanh(1) / 2, np.tanh(1) / 4 + np.tanh(2) / 2]
    right = [np.tanh(6) / 4 + np.tanh(3) / 2, np.tanh(6) / 2]
    wanted = 0.5 + np.mean(left) + 10 * np.mean(right) + 100 * max(left) + 1000 * max(right)
    words, marks = [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]
    assert unit.decide(np.array([[*words, *marks]])) == pytest.approx([wanted])
    assert unit.decide(np.empty((0, 6))).shape == (0,)


def test_the_reset_gate_cuts_what_was_before() -> None:
    """With it shut, only the bias of what was read counts."""
    unit = Recurrent(
        into=np.zeros((6, 1)),
        across=np.ones((6, 1)),
        into_bias=np.array([-50.0, -50.0, 1.0] * 2),
        across_bias=np.zeros(6),
        last=np.array([1.0, 0.0, 0.0, 0.0]),
        intercept=np.zeros(1),
    )
    assert unit.decide(np.array([[1.0, 1.0, 0.0, 0.0]])) == pytest.approx([np.tanh(1.0)])


def test_words_come_back_in_their_order() -> None:
    """Places without a word are left out, also between others; a text of none has one of zeros."""
    table = np.full((3, 3, WIDTH), np.nan)
    table[0, 0], table[0, 1], table[1, 1] = 0.1, -0.1, 0.2
    prepared = prepare_words(3 * WIDTH)
    rows = prepared.apply(table.reshape(3, -1))
    assert rows.shape == (3, 3 * (WIDTH + 1))
    assert rows[:, -3:].tolist() == [[0, 0, 1], [1, 0, 1], [1, 1, 1]]
    sequences = words_of(rows, WIDTH)
    assert [len(words) for words in sequences] == [2, 1, 1]
    scale = np.sqrt(WIDTH)
    np.testing.assert_allclose(sequences[0][:, 0], [0.1 * scale, -0.1 * scale])
    np.testing.assert_allclose(sequences[1][0], 0.2 * scale)
    assert not sequences[2].any()


def ordered(n: int = 120, seed: int = 0) -> tuple[FloatArray, Any]:
    """Texts of three to five of five words, each once: is the first word before the second?

    Every text has both, so that a bag of words says nothing.
    """
    known = np.random.default_rng(99).normal(size=(5, WIDTH))
    known /= np.linalg.norm(known, axis=1, keepdims=True)
    rng = np.random.default_rng(seed)
    table = np.full((n, MAX_WORDS, WIDTH), np.nan)
    target = np.zeros(n)
    for i in range(n):
        words = rng.permutation([0, 1, *rng.permutation([2, 3, 4])[: rng.integers(1, 4)]])
        table[i, : len(words)] = known[words]
        target[i] = list(words).index(0) < list(words).index(1)
    return table.reshape(n, -1), target


def fitted(n_classes: int, target: Any, table: FloatArray, **settings: Any) -> Fitted:
    """Learned by the way that all learners take."""
    return fit_table(
        table,
        target,
        n_classes=n_classes,
        names=[*range(n_classes)],
        groups=np.arange(len(table)),
        weight=np.ones(len(table)),
        settings=Settings(learner="bigru", folds=2, **{"parameters": SMALL, **settings}),
    )


@needs_torch
def test_it_learns_what_bags_of_words_cannot_tell() -> None:
    """Which of two words comes first: right for nearly all new texts; their means say nothing."""
    table, target = ordered()
    new, wanted = ordered(60, seed=1)
    fit = fitted(2, target, table, parameters={"steps": 100, "size": 12})
    assert fit.choice.score > 0.9
    predictions = fit.compiled.decide(new)[:, 0] > 0
    assert (predictions == wanted).mean() > 0.9
    bags = np.nanmean(table.reshape(len(table), MAX_WORDS, WIDTH), axis=1)
    one = bags[target == 1].mean(axis=0) - bags[target == 0].mean(axis=0)
    assert np.abs(one).max() < 0.05


@needs_torch
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_numpy_says_what_torch_says(n_classes: int) -> None:
    """For ratings and classes, of texts of any length, and of one without words."""
    table, target = ordered(40)
    lengths = (~np.isnan(table[:, ::WIDTH])).sum(axis=1)
    many = target + (lengths == MAX_WORDS) if n_classes != 2 else target
    fit = fitted(n_classes, many.astype(np.float64), table)
    new = np.vstack([ordered(20, seed=3)[0], np.full((1, table.shape[1]), np.nan)])
    rows = fit.compiled.preparation.apply(new)
    for unit, estimator in zip(fit.compiled.units, fit.units, strict=True):
        decisions = unit.decide(rows)
        np.testing.assert_allclose(decisions, LEARNERS["bigru"].form.decide(estimator, rows), rtol=0, atol=1e-9)
        alone = np.concatenate([unit.decide(rows[i : i + 1]) for i in range(len(rows))])
        assert decisions.tobytes() == alone.tobytes()


@needs_torch
def test_the_same_seed_gives_the_same_network() -> None:
    """To the last bit, whatever else was drawn before; another seed another one."""
    import torch

    table, target = ordered(30)
    rows = prepare_words(table.shape[1]).apply(table)
    torch.manual_seed(5)
    before = torch.get_rng_state()
    units = [
        compile_recurrent(BiGru(random_state=seed, steps=2, size=4).fit(rows, target, np.ones(30)))
        for seed in (1, 1, 2)
    ]
    assert torch.equal(torch.get_rng_state(), before)
    one, same, other = (unit.decide(rows) for unit in units)
    assert one.tobytes() == same.tobytes() != other.tobytes()


@needs_torch
def test_rows_of_more_weight_count_more() -> None:
    """A text twice, once of each class: it is told to be of the heavier."""
    table, _ = ordered(1)
    rows = prepare_words(table.shape[1]).apply(np.repeat(table, 8, axis=0))
    target = np.array([0, 1] * 4)
    for heavy in (0, 1):
        weight = np.where(target == heavy, 5.0, 1.0)
        model = BiGru(steps=30, size=4).fit(rows, target, weight)
        assert (model.decision_function(rows)[0] > 0) == heavy


def test_arguments_are_stored() -> None:
    """Every point of the grid is one of them, for classes and for ratings."""
    entry = LEARNERS["bigru"]
    assert entry.regressor is not None
    for candidate in entry.candidates(classes=True):
        estimator = entry.classifier(3, candidate)
        assert {**candidate, "random_state": 3, "classes": True}.items() <= vars(estimator).items()
        assert not entry.regressor(3, candidate).classes


def test_tables_without_vectors_are_refused() -> None:
    """Columns must be whole vectors, and elimination would take parts of them."""
    with pytest.raises(TrainingError, match=r"79 columns; .* group vectors:N alone"):
        prepare_words(79)
    table, target = ordered(20)
    with pytest.raises(TrainingError, match="reads whole vectors"):
        fitted(2, target, table, select="rfe")


@needs_torch
def test_parameters_must_make_sense() -> None:
    """A network of no size learns nothing."""
    with pytest.raises(TrainingError, match="size=0"):
        BiGru(size=0).fit(np.zeros((2, WIDTH + 1)), np.array([0, 1]), np.ones(2))


def test_without_torch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match=r"learner 'bigru' needs .*naturalness\[neural\]"):
        BiGru().fit(np.zeros((2, WIDTH + 1)), np.array([0, 1]), np.ones(2))

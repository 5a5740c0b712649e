"""The recurrent learner: states, reproducibility, and scoring without torch.

Tests that train need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from naturalness.errors import MissingPackage, TrainingError
from naturalness.files.resources import has_package
from naturalness.models.vectors import WIDTH
from naturalness.pipelines.fitting import Settings, fit_table
from naturalness_replication.recurrent import NAME, BiGru, Recurrent, compile_recurrent, prepare_words, words_of

needs_torch = pytest.mark.skipif(not has_package("torch"), reason="needs the extra 'neural'")
MAX_WORDS = 5


def test_hand_worked_states() -> None:
    """With one half-open unit, each word moves the state half way to tanh(word).

    From the left, 1, 2 gives tanh(1) / 2 and then the mean of that and tanh(2).
    From the right, the order is reversed and the words are multiplied by three.
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


def test_words_keep_their_order() -> None:
    """Positions without a word are left out; a text without words has a single word of zeros."""
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


@needs_torch
@pytest.mark.parametrize("classes", [True, False])
def test_numpy_agrees_with_torch(classes: bool) -> None:
    """The arrays give torch's decisions for texts of any length, and the same seed gives the same arrays."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(12, MAX_WORDS, WIDTH))
    table[np.arange(MAX_WORDS) >= rng.integers(0, MAX_WORDS + 1, 12)[:, None]] = np.nan
    rows, target = prepare_words(MAX_WORDS * WIDTH).apply(table.reshape(12, -1)), np.arange(12) % 2
    estimator, same = (BiGru(classes=classes, steps=6, size=6).fit(rows, target, np.ones(12)) for _ in range(2))
    decisions = compile_recurrent(estimator).decide(rows)
    np.testing.assert_allclose(decisions, estimator.decision_function(rows), rtol=0, atol=1e-9)
    assert compile_recurrent(same).decide(rows).tobytes() == decisions.tobytes()


@needs_torch
def test_tables_without_vectors_are_refused() -> None:
    """Columns that are not whole vectors are refused, and so is elimination, which would split vectors."""
    with pytest.raises(TrainingError, match=r"79 columns; .* group vectors:N alone"):
        prepare_words(79)
    settings = Settings(learner=NAME, folds=2, select="rfe")
    with pytest.raises(TrainingError, match="reads whole vectors"):
        fit_table(
            np.ones((20, WIDTH)),
            np.arange(20) % 2,
            n_classes=2,
            names=[0, 1],
            groups=np.arange(20),
            weight=np.ones(20),
            settings=settings,
        )


def test_without_torch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torch, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match=r"learner 'bigru' needs .*naturalness\[neural\]"):
        BiGru().fit(np.zeros((2, WIDTH + 1)), np.array([0, 1]), np.ones(2))

"""A GRU worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.recurrent import Recurrent


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

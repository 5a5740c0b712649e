"""Systems are compared by their scores as a report compares them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.systems.scores import compare_scores
from naturalness.statistics.bootstrap import Resampling

HOW = Resampling(resamples=300)
NAN = math.nan


def drawn(mean: float, n: int, seed: int = 0) -> list[float]:
    """Scores around a mean."""
    values = np.random.default_rng(seed).normal(mean, 0.1, n)
    return [float(value) for value in values.clip(0, 1)]


def test_the_mean_difference_is_that_of_the_means() -> None:
    """By hand: 0.6 and 0.4 on the mean; the better one is first."""
    found = compare_scores({"b": [0.3, 0.5], "a": [0.5, 0.7]}, paired=True, how=HOW)
    assert [one.system for one in found.systems] == ["a", "b"]
    assert [one.mean.value for one in found.systems] == pytest.approx([0.6, 0.4])
    assert found.pairs[0].difference.value == pytest.approx(0.2)
    assert math.isnan(found.pairs[0].difference.low) and not found.pairs[0].differs
    assert found.verdict == ("a and b have too few texts to be compared.",)


def test_pairing_tells_apart_what_inputs_hide() -> None:
    """Where hard inputs are hard for both, a small steady gain is seen on the same inputs alone."""
    base = drawn(0.5, 30)
    gains = {"old": base, "new": [value + 0.02 + 0.002 * (i % 3) for i, value in enumerate(base)]}
    paired = compare_scores(gains, paired=True, how=HOW)
    assert paired.pairs[0].differs and paired.pairs[0].first == "new"
    assert paired.pairs[0].n_shared == 30
    assert "new sounds more natural than old" in paired.verdict[0]
    apart = compare_scores(gains, paired=False, how=HOW)
    assert not apart.pairs[0].differs and apart.pairs[0].n_shared == 0


def test_texts_without_a_score_are_left_out() -> None:
    """With their partners, where texts are paired; a system may have none at all."""
    first = drawn(0.7, 20)
    second = [NAN if i < 5 else value for i, value in enumerate(drawn(0.3, 20, 1))]
    found = compare_scores({"x": first, "y": second, "z": [NAN] * 20}, paired=True, how=HOW)
    assert [(one.n_texts, one.n_scored) for one in found.systems] == [(20, 20), (20, 15), (20, 0)]
    assert found.pairs[0].n_shared == 15
    assert math.isnan(found.systems[2].mean.value)
    assert found.verdict[-1] == "z has too few texts to be compared."


@pytest.mark.parametrize("paired", [True, False])
def test_systems_without_texts(paired: bool) -> None:
    """Nothing is known of them, and nothing breaks."""
    found = compare_scores({"a": [], "b": []}, paired=paired, how=HOW)
    assert math.isnan(found.pairs[0].difference.value)
    assert found.verdict == ("a and b have too few texts to be compared.",)

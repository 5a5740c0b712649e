"""What a perfect judge could reach, on ratings whose blur is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters.ceiling import MIN_TEXTS, find_ceiling

CLASSES = ("unnatural", "natural")


def blurred(n: int, raters: int, noise: float, seed: int = 0) -> list[list[float]]:
    """True values of deviation 1, each rated by some raters."""
    rng = np.random.default_rng(seed)
    return [list(true + noise * rng.normal(size=raters)) for true in rng.normal(size=n)]


def label(single: object, mean: float) -> int:
    """Natural from 0 on."""
    return int(mean >= 0)


@pytest.mark.slow
def test_ceilings_of_known_blur() -> None:
    """Three raters with a deviation as large as that of texts: a reliability of 3/4."""
    ceiling = find_ceiling(blurred(900, 3, 1.0), None, label, CLASSES)
    assert ceiling is not None
    assert ceiling.reliability == pytest.approx(0.75, abs=0.03)
    assert ceiling.figures["pearson"] == pytest.approx(math.sqrt(0.75), abs=0.02)
    # The sign of a blurred mean is that of the true value in 1 - arccos(r) / pi of cases.
    right = 1 - math.acos(math.sqrt(0.75)) / math.pi
    assert ceiling.figures["accuracy"] == pytest.approx(right, abs=0.02)
    assert 0.81 < ceiling.figures["spearman"] < ceiling.figures["pearson"]


@pytest.mark.slow
def test_a_perfect_judge_reaches_it() -> None:
    """The judge who made the ratings correlates as foretold."""
    rng = np.random.default_rng(0)
    true = rng.normal(size=900)
    singles = blurred(900, 4, 2.0)
    means = np.array([np.mean(one) for one in singles])
    again = [list(t + 2.0 * rng.normal(size=4)) for t in true]
    ceiling = find_ceiling(again, None, label, CLASSES)
    assert ceiling is not None
    reached = float(np.corrcoef(true, [np.mean(one) for one in again])[0, 1])
    assert ceiling.figures["pearson"] == pytest.approx(reached, abs=0.03)
    assert len(means) == 900


def test_without_a_rule_only_correlations() -> None:
    """Nobody knows what label other ratings would have given."""
    ceiling = find_ceiling(blurred(100, 3, 1.0), None, None, CLASSES)
    assert ceiling is not None
    assert "accuracy" not in ceiling.figures
    assert "spearman" in ceiling.figures


def test_unknown_where_few_texts_have_several_ratings() -> None:
    """One rating of a text says nothing of raters."""
    assert find_ceiling([[1.0]] * 500, None, label, CLASSES) is None
    assert find_ceiling(blurred(MIN_TEXTS - 1, 3, 1.0), None, label, CLASSES) is None
    assert find_ceiling([[1.0, math.nan]] * 500, None, label, CLASSES) is None


def test_raters_who_do_not_agree() -> None:
    """No true values are left; then nothing is made up."""
    rng = np.random.default_rng(1)
    ceiling = find_ceiling([list(rng.normal(size=2)) for _ in range(60)], None, label, CLASSES)
    assert ceiling is not None
    assert ceiling.figures["pearson"] < 0.6
    same = find_ceiling(blurred(50, 3, 1.0), None, label, CLASSES)
    assert repr(same) == repr(find_ceiling(blurred(50, 3, 1.0), None, label, CLASSES))

"""The conclusion of a training: the comparison with baselines, ties, and undefined splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from naturalness.pipelines.card import conclusions, tell
from naturalness.pipelines.evaluation import SHIPPED_MODEL

Values = Sequence[float | None]


def result(values: Values, chief: str) -> dict[str, Any]:
    """Return the figures of a learner or baseline in the splits; None is undefined."""
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else None
    return {chief: {"mean": mean, "deviation": 0.01}, "runs": [{chief: value} for value in values]}


def summary(ours: Values, chief: str = "spearman", **baselines: Values) -> dict[str, Any]:
    """Return a training with one learner; underscores in names of baselines become blanks."""
    return {
        "protocol": {"chosen_by": chief},
        "model": {"recipe": "mine"},
        "learners": {"mine": result(ours, chief)},
        "baselines": {name.replace("_", " "): result(values, chief) for name, values in baselines.items()},
    }


def test_shipped_model() -> None:
    """The shipped model, which is not a simple baseline, is compared in a separate sentence."""
    data = summary([0.8, 0.8, 0.9], length=[0.3, 0.3, 0.3], shipped_model=[0.9, 0.9, 0.9])
    assert SHIPPED_MODEL in data["baselines"]
    assert tell(data)["simple"].name == "length"
    assert "best simple baseline (length) in 3 of 3 splits" in conclusions(data)[0]
    assert conclusions(data)[1] == (
        "the shipped model is better on these texts: Spearman correlation 0.900, this one 0.833; this one is ahead "
        "in none of 3 splits, equal in 1; use the shipped model, or start from it (--learner adapted)"
    )


def test_equal_models() -> None:
    """Equality in all splits is stated without a warning."""
    perfect = [1.0] * 10
    data = summary(perfect, "pair_accuracy", length=perfect, shipped_model=perfect)
    assert conclusions(data)[0] == (
        "by pairs ordered correctly the model is equal to the best simple baseline (length) in all 10 splits"
    )
    assert conclusions(data)[1].endswith("this one 1.000; equal in all 10 splits")


@pytest.mark.parametrize(
    ("ours", "said", "better"),
    [
        ([0.6] * 9 + [0.4], "(length) in 9 of 10 splits", True),
        ([0.6] * 5 + [0.5] * 5, "(length) only in 5 of 10 splits, equal in 5", False),
        ([0.6] * 5 + [0.5] * 3 + [0.4] * 2, "only in 5 of 10 splits, equal in 3; use its scores with care", False),
        ([0.4] * 10, "(length) in none of 10 splits; use its scores with care", False),
    ],
)
def test_ties(ours: list[float], said: str, better: bool) -> None:
    """A tie counts as half a win; a warning appears only if the baseline is ahead in a split."""
    data = summary(ours, length=[0.5] * 10)
    assert conclusions(data)[0].endswith(said)
    assert tell(data)["better"] is better


@pytest.mark.parametrize(
    ("ours", "chief", "learned"),
    [
        # Mean .25, deviation .274.
        ([0.5, 0.5, 0.5, None, None, None], "spearman", False),
        # Mean .3, deviation .274.
        ([0.5, 0.5, 0.5, None, None], "spearman", True),
        # Mean .65, deviation .1: chance is .5.
        ([0.7, 0.7, 0.7, None], "roc_auc", True),
        # Mean .55, deviation .1.
        ([0.7, None, None, None], "roc_auc", False),
    ],
)
def test_undefined_splits(ours: Values, chief: str, learned: bool) -> None:
    """An undefined split counts as chance in the mean and deviation that show whether anything was learned."""
    data = summary(ours, chief, length=[0.1] * len(ours))
    gaps = sum(value is None for value in ours)
    title = "Spearman correlation" if chief == "spearman" else "ROC AUC"
    assert tell(data)["learned"] is learned
    assert ("nothing was learned" in conclusions(data)[0]) is not learned
    assert conclusions(data)[0].endswith(f"; {title} is undefined in {gaps} of {len(ours)} splits, counted as chance")


def test_undefined_splits_of_baselines() -> None:
    """An undefined split counts as chance for baselines and the shipped model, too."""
    data = summary([0.3, None, 0.3], length=[0.2, -0.1, 0.2], rare=[0.2, None, None], shipped_model=[None, 0.05, 0.1])
    assert tell(data)["simple"].name == "length"
    assert "ahead of the best simple baseline (length) in 3 of 3 splits" in conclusions(data)[0]
    assert conclusions(data)[1].endswith("this one is ahead in 2 of 3 splits")

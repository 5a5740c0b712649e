"""Splits keep sources whole; impossible splits are errors."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import TrainingError
from naturalness.statistics.folds import check_enough, folds, fresh_splits, group_numbers, sources_of_classes


@given(seed=st.integers(0, 99), rates=st.booleans())
def test_sources_never_straddle_a_split(seed: int, rates: bool) -> None:
    """Folds and fresh splits of labels and ratings keep each source on one side."""
    rng = np.random.default_rng(seed)
    groups = group_numbers(rng.integers(20, size=80), 80)
    target = rng.normal(size=80) if rates else rng.integers(2, size=80).astype(float)
    n_classes = 0 if rates else 2
    splits = folds(target, n_classes, groups, 4, seed)
    splits += fresh_splits(target, n_classes, groups, repeats=3, test_size=0.33, seed=seed)
    for train, test in splits:
        assert not set(groups[train]) & set(groups[test])
        assert sorted([*train, *test]) == list(range(80))


def test_fresh_splits_are_stratified() -> None:
    """Each repeat tests different rows with the same share of each class."""
    target = np.arange(30) % 2.0
    splits = fresh_splits(target, 2, np.arange(30), repeats=3, test_size=1 / 3, seed=1)
    assert len({tuple(sorted(test)) for _, test in splits}) == 3
    assert all(len(test) == 10 and target[test].sum() == 5 for _, test in splits)


def test_a_rare_class_keeps_its_share_of_sources() -> None:
    """If 8 of 100 sources have a class, two thirds of these 8 are in every training part."""
    sources = np.repeat(np.arange(100), 3)
    target = (sources < 8).astype(float)
    for train, test in fresh_splits(target, 2, sources, repeats=20, test_size=0.33, seed=0):
        assert len(set(sources[train][target[train] == 1])) in {5, 6}
        assert sorted([*train, *test]) == list(range(300))
        assert not set(sources[train]) & set(sources[test])


def test_too_few_rows_are_refused() -> None:
    """Fewer rows, sources or rows of a class than folds are errors, and so are fewer than two folds."""
    labels = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    alone = np.arange(6)
    check_enough(labels, 0, alone, 6, ())
    assert sources_of_classes(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0]), alone) == {0: 3, 1: 2, 2: 1}
    with pytest.raises(TrainingError, match="3 rows for 5 folds"):
        check_enough(labels[:3], 0, alone[:3], 5, ())
    with pytest.raises(TrainingError, match="2 sources for 3 folds"):
        check_enough(labels, 0, alone % 2, 3, ())
    with pytest.raises(TrainingError, match=r"class 'good' has only 1 of the 2 rows .* 2 folds"):
        check_enough(labels, 2, alone, 2, ["bad", "good"])
    with pytest.raises(TrainingError, match="expected 2 or more"):
        check_enough(labels, 2, alone, 1, ["bad", "good"])


def test_group_numbers() -> None:
    """Equal names form a group, and without names each row does; a wrong number of names is an error."""
    assert group_numbers(["b", "a", "b"], 3).tolist() == [1, 0, 1]
    assert group_numbers(None, 3).tolist() == [0, 1, 2]
    assert len(set(group_numbers(["a", None, math.nan, pd.NA, "none", "none"], 6))) == 5
    with pytest.raises(TrainingError, match="2 groups for 3 rows"):
        group_numbers(["a", "b"], 3)


def test_a_source_of_several_classes_counts_for_the_rarest() -> None:
    """A class that never comes first in its source keeps its share of sources, and a single source can be split."""
    sources = np.repeat(np.arange(18), 3)
    labels = np.tile([1.0, 1.0, 0.0], 18)
    labels[24:] = 1.0  # eight sources have the first class, behind the second
    splits = fresh_splits(labels, 2, sources, repeats=10, test_size=1 / 3, seed=0)
    assert {len(set(sources[test][labels[test] == 0])) for _, test in splits} <= {2, 3}
    labels[:] = 1.0
    labels[0] = 0.0
    assert len(fresh_splits(labels, 2, sources, repeats=10, test_size=1 / 3, seed=0)) == 10


def test_impossible_splits() -> None:
    """A test part that is too small is an error that gives the numbers."""
    labels = np.arange(10) % 2.0
    with pytest.raises(TrainingError, match=r"10 rows \(or sources\) cannot be split with 1%"):
        fresh_splits(labels, 2, np.arange(10), repeats=1, test_size=0.01, seed=0)
    with pytest.raises(TrainingError, match="1 rows"):
        fresh_splits(labels, 2, np.zeros(10, int), repeats=1, test_size=0.3, seed=0)

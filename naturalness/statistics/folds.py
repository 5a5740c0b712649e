"""Splits into training and test rows that keep the rows of a source together: folds and repeated random splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError

Split = tuple[IntArray, IntArray]
"""Indices of the training rows and of the test rows."""


def group_numbers(groups: Any, n_rows: int) -> IntArray:
    """Return the group index of each row; a row without a group (None, NaN or pandas' NA) forms its own group."""
    if groups is None:
        return np.arange(n_rows, dtype=np.int64)
    if len(groups) != n_rows:
        raise TrainingError(f"{len(groups)} groups for {n_rows} rows; give one for each row")
    names = np.asarray([f"alone {row}" if _is_missing(group) else f"group {group}" for row, group in enumerate(groups)])
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def _is_missing(group: Any) -> bool:
    return group is None or type(group).__name__ == "NAType" or bool(group != group)


def check_enough(target: FloatArray, n_classes: int, groups: IntArray, n_folds: int, names: Sequence[Any]) -> None:
    """Raise `TrainingError` if the table or a class has too few rows or sources to split into folds."""
    n_groups = len(np.unique(groups))
    hint = "rate more sentences, or ask for fewer folds"
    if n_folds < 2:
        raise TrainingError(f"found {n_folds} as the number of folds; expected 2 or more")
    if n_groups < n_folds:
        what = "rows" if n_groups == len(groups) else "sources"
        few = "1 sample" if len(groups) == 1 else f"{n_groups} {what}"
        raise TrainingError(f"{few} for {n_folds} folds; {hint}")
    for number in range(n_classes):
        of = len(np.unique(groups[target == number]))
        if of < n_folds:
            raise TrainingError(
                f"class '{names[number]}' has only {of} of the {n_folds} rows (or sources) that {n_folds} folds need; "
                f"{hint}, or choose another label rule"
            )


def folds(target: FloatArray, n_classes: int, groups: IntArray, n_folds: int, seed: int) -> list[Split]:
    """Return folds for tuning or testing, stratified by class; sources stay whole."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    alone = len(np.unique(groups)) == len(groups)
    if n_classes:
        maker: Any = StratifiedKFold if alone else StratifiedGroupKFold
    else:
        maker = KFold if alone else GroupKFold
    splitter = maker(n_splits=n_folds, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros((len(target), 1)), target, None if alone else groups))


RARE = 20
"""If a class has fewer sources than this, a random split could leave too few of them for training."""


def sources_of_classes(target: FloatArray, groups: IntArray) -> dict[float, int]:
    """Return the number of sources of each class."""
    return {label: len(np.unique(groups[target == label])) for label in np.unique(target).tolist()}


def fresh_splits(
    target: FloatArray, n_classes: int, groups: IntArray, *, repeats: int, test_size: float, seed: int
) -> list[Split]:
    """Return independent random splits into training and test rows; rare classes keep their share of sources."""
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

    names, source = np.unique(groups, return_inverse=True)
    alone = len(names) == len(groups)
    counts = sources_of_classes(target, groups) if n_classes else {}
    if n_classes and not alone and min(counts.values()) < RARE:
        # A source of several classes counts for the one with the fewest sources.
        scarce = np.array([counts[label] for label in target.tolist()])
        order = np.lexsort((scarce, source))
        rarest = order[np.unique(source[order], return_index=True)[1]]
        by_source = fresh_splits(
            target[rarest], n_classes, np.arange(len(names)), repeats=repeats, test_size=test_size, seed=seed
        )
        return [
            (np.flatnonzero(np.isin(source, train)), np.flatnonzero(np.isin(source, test))) for train, test in by_source
        ]
    maker: Any = GroupShuffleSplit
    if alone:
        maker = StratifiedShuffleSplit if n_classes and min(counts.values()) > 1 else ShuffleSplit
    splitter = maker(n_splits=repeats, test_size=test_size, random_state=seed)
    rows = np.zeros((len(target), 1))
    try:
        return list(splitter.split(rows, target, None if alone else groups))
    except ValueError:
        n_groups = len(np.unique(groups))
        raise TrainingError(
            f"{n_groups} rows (or sources) cannot be split with {test_size:.0%} for testing; rate more sentences"
        ) from None

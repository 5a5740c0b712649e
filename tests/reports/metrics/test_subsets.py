"""Subsets of the rated texts: bands of ratings, values of columns, numbers of references."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import TableError
from naturalness.reports.metrics.subsets import by_band, by_column, make_subsets


def test_bands_by_hand() -> None:
    """Equal ratings stay in one band, and a missing rating is in none."""
    parts = by_band(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, math.nan]), 3)
    assert [part.rows.tolist() for part in parts] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert parts[0].name == "band 1/3 (1 to 3)"
    tied = by_band(np.array([1.0, 5, 5, 5, 5, 5]), 3)
    assert [part.name for part in tied] == ["band 1/2 (1)", "band 2/2 (5)"]
    assert tied[0].note == "all have the same rating: no correlation"
    assert by_band(np.ones(5), 3) == []
    assert by_band(np.arange(5.0), 1) == []


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(1, 6))
def test_bands_share_out_all_rows(ratings: list[int], bands: int) -> None:
    """Each row is in one band, no band is empty, and bands do not overlap."""
    y = np.array(ratings, dtype=np.float64)
    parts = by_band(y, bands)
    if not parts:
        assert bands == 1 or len(set(ratings)) == 1
        return
    assert sorted(np.concatenate([part.rows for part in parts])) == list(range(len(y)))
    assert len(parts) <= bands
    for low, high in itertools.pairwise(parts):
        assert y[low.rows].max() < y[high.rows].min()


def test_columns_and_small_parts() -> None:
    """A subset of fewer than ten rows has a note instead of figures."""
    values = ["a"] * 12 + ["b"] * 3
    names = [part.name for part in by_column("domain", values)]
    assert names == ["domain=a", "domain=b"]
    parts = make_subsets(np.arange(15.0), values, {"domain": values}, 1)
    assert [part.name for part in parts] == ["all", "given length", "system=a", "system=b", "domain=a", "domain=b"]
    assert parts[3].note == "3 rows, fewer than 10: no figures"
    assert parts[2].note == ""
    several = by_column("system", ["a", None, "several", None])
    assert [part.name for part in several] == ["system=a", "system=several"]
    twice = make_subsets(np.arange(15.0), values, {"system": values}, 1)
    assert [part.name for part in twice][2:] == ["system=a", "system=b"]


def test_a_column_of_ids_is_refused() -> None:
    """A grouping column with many values is an error; a column of systems with many values is ignored."""
    ids = [str(i) for i in range(70)]
    with pytest.raises(TableError, match="column 'id' has 70 different values"):
        make_subsets(np.arange(70.0), None, {"id": ids}, 3)
    assert len(make_subsets(np.arange(70.0), ids, {}, 1)) == 2

"""Scores in columns of a table."""

from __future__ import annotations

import numpy as np

from naturalness.reports.metrics.scoring import score_columns


def test_columns_are_turned_where_lower_is_better() -> None:
    """Infinite scores are undefined."""
    higher, lower = score_columns({"a": [1.0, float("inf")]}, {"b": [2.0, 3.0]})
    np.testing.assert_array_equal(higher.scores, [1.0, np.nan])
    assert lower.scores.tolist() == [-2.0, -3.0] and not lower.higher_is_better

"""Results as data frames."""

from __future__ import annotations

import math
import sys

import pytest

from naturalness.data.frames import frame_of, frame_of_rows
from naturalness.errors import MissingPackage


def test_columns_and_rows_become_frames() -> None:
    """Frames keep the order of columns; a missing value is undefined."""
    pytest.importorskip("pandas")
    frame = frame_of({"text": ("a", "b"), "score": [0.5, math.nan]})
    assert list(frame.columns) == ["text", "score"] and frame["score"].isna().tolist() == [False, True]
    frame = frame_of_rows([{"b": 1, "a": 2}, {"c": 3, "b": 4}])
    assert list(frame.columns) == ["b", "a", "c"] and frame["b"].tolist() == [1, 4]
    assert frame["c"].isna().tolist() == [True, False]
    assert len(frame_of_rows([])) == 0


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error about a missing package says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match=r"to_pandas needs package 'pandas'; run: pip install '\.\[pandas\]'"):
        frame_of({})

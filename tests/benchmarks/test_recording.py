"""Recordings of the command line: which differences count as numbers, and which as words."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.recording.comparison import differences, holds_numbers

OLD: dict[str, Any] = {
    "score": {"status": 0, "output": {"naturalness": [0.75, None], "label": ["natural", "unnatural"]}},
    "message": "a word seems to be missing",
    "table": {"sha256": "0f" * 32, "bytes": 12},
}


def numeric(old: Any, new: Any) -> list[bool]:
    """Return, for each difference, whether it is numeric."""
    return [change.numeric for change in differences(old, new)]


def test_the_same_has_no_differences() -> None:
    """Equal recordings, and floats that agree to nine digits, have no differences."""
    assert numeric(OLD, OLD) == []
    assert numeric({"x": [0.123456789012, 3]}, {"x": [0.123456789013, 3.0]}) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (0.75, 0.750001),
        (0, 1),
        (1, True),
        (None, 0.0),
        (0.5, "0.5"),
        ({"label": "natural"}, {"label": "unnatural"}),
        ({"sha256": "0f" * 32}, {"sha256": "0e" * 32}),
        ("3 below 0.5", "4 below 0.5"),
    ],
)
def test_numbers(old: Any, new: Any) -> None:
    """Non-string values, strings that are results, and figures in sentences count as numbers."""
    assert numeric({"entry": old}, {"entry": new}) == [True]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"message": "a word is missing"}, {"message": "a word seems to be missing"}),
        ("3 below 0.5", "3 are below 0.5"),
        ({"naturalness": "0.1.0"}, {"naturalness": "0.2.0"}),
        ({"assets": {"rules": "ea663e51ee65"}}, {"assets": {"rules": "ea663e51ee66"}}),
        ({"signature": "slor|v:1"}, {"signature": "slor|v:2"}),
        ({}, {"note": "read as a table"}),
    ],
)
def test_words(old: Any, new: Any) -> None:
    """Prose, versions, checksums of the package's files, and added sentences count as words."""
    assert numeric(old, new) == [False]


def test_missing_branches() -> None:
    """A missing branch or row counts as numeric if it contains numbers."""
    assert numeric(OLD, {key: OLD[key] for key in ("message", "table")}) == [True]
    assert numeric({}, {"score": OLD["score"]}) == [True]
    assert numeric([1, 2, 3], [1, 2]) == [True]
    assert numeric(["a", "b"], ["a"]) == [False]
    assert holds_numbers({"a": {"b": ["c", 1]}})
    assert not holds_numbers({"a": {"b": ["c", "d"]}})

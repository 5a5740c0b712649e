"""Texts with columns that name things."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.data.formats import location
from naturalness.data.reading import read_named
from naturalness.errors import TableError


def test_columns_as_text(tmp_path: Path) -> None:
    """Existing columns are read as text; a row without a value is empty."""
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "One.", "id": 1, "system": "a"}\n{"text": "Two.", "id": 2.0}\nnot JSON\n'
        '{"text": 5, "id": null, "system": " b "}\n'
    )
    table = read_named(location(str(path)), text_column=None, required=["system"], optional=["id", "mr"])
    assert table.texts == ["One.", "Two.", "", ""]
    assert [bool(problem) for problem in table.problems] == [False, False, True, True]
    assert table.columns == {"system": ["a", "", "", "b"], "id": ["1", "2", "", ""]}


def test_a_missing_column(tmp_path: Path) -> None:
    """The error suggests the nearest name."""
    path = tmp_path / "a.csv"
    path.write_text("text,system\nOne.,a\n")
    with pytest.raises(TableError, match=r"no column 'sistem'; did you mean 'system'\?"):
        read_named(location(str(path)), text_column=None, required=["sistem"])

"""Fixtures for tests of tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from naturalness.data.formats import location
from naturalness.data.rated import RatedTexts, read_rated


@pytest.fixture
def rated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that reads a rated table: JSON lines, or lines of cells with ``/`` between them."""
    monkeypatch.chdir(tmp_path)

    def read(table: str, **options: Any) -> RatedTexts:
        name = "t.jsonl" if table.startswith("{") else "t.tsv"
        Path(name).write_text(table.replace("/", "\t") if name == "t.tsv" else table)
        return read_rated(location(name), **options)

    return read

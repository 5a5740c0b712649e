"""Fixtures for tests of tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from naturalness.data.formats import location
from naturalness.data.rated import RatedTexts, read_rated


@pytest.fixture
def rated(tmp_path: Path) -> Any:
    """Return a function that reads rows, given as dicts, from JSON lines."""

    def read(*rows: dict[str, Any], **options: Any) -> RatedTexts:
        path = tmp_path / "t.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return read_rated(location(str(path)), **options)

    return read

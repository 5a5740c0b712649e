"""The package of the large model, as if it were installed: from its folder in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.files import resources

FOLDER = Path(__file__).parents[2] / "large"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of its assets; `tests/conftest.py` hides it from other tests."""
    assets = FOLDER / resources.LARGE / "assets"
    monkeypatch.setattr(resources, "large_folder", lambda: assets)
    return assets

"""The package of the large model, as if it were installed: from its folder in the repository."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.files import resources

FOLDER = Path(__file__).parents[2] / "large"


def forget() -> None:
    """Look for the package anew."""
    importlib.invalidate_caches()
    resources.large_folder.cache_clear()


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of its assets."""
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setenv("PYTHONPATH", str(FOLDER), prepend=os.pathsep)  # of commands in processes of their own
    forget()
    yield FOLDER / resources.LARGE / "assets"
    monkeypatch.undo()
    forget()

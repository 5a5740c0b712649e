"""A machine with a fake Java and a fake LanguageTool, and nothing of the tests left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.models.checkers.languagetool import VARIABLE, close
from tests.support import fake_languagetool as fake


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No server before a test, and none after it."""
    close()
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder; Java and LanguageTool in it are found."""
    for name, value in fake.install(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path

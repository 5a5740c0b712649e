"""What the tests of benepar share; without the package they are skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.tiny_benepar import write_file


@pytest.fixture(scope="session")
def benepar() -> Any:
    """The package, with torch."""
    return pytest.importorskip("benepar", reason="needs the extra 'benepar'")


@pytest.fixture(scope="session")
def tiny(benepar: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model over characters."""
    return write_file(tmp_path_factory.mktemp("benepar") / "tiny.pt")

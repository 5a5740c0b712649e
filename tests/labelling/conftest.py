"""Fixtures that the tests of labelling share."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness import Scorer
from tests.support.labelling import small_model


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a model that reads only fast feature groups."""
    return str(small_model(tmp_path_factory.mktemp("labelling") / "model"))


@pytest.fixture
def scorer(small: str) -> Scorer:
    """Return a scorer with default options and the small model."""
    return Scorer(small)


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make workers die while they label certain texts."""
    from tests.support.labelling import deadly_environment

    monkeypatch.setenv("PYTHONPATH", deadly_environment(tmp_path / "site")["PYTHONPATH"])

"""Fixtures that the tests of labelling share."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.labelling.job import Job
from tests.support.labelling import small_model


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a model that reads only fast feature groups."""
    return str(small_model(tmp_path_factory.mktemp("labelling") / "model"))


@pytest.fixture
def job(small: str) -> Job:
    """Return a job with default options for the small model."""
    return Job(model=small)


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make workers die while they label certain texts."""
    from tests.support.labelling import deadly_environment

    monkeypatch.setenv("PYTHONPATH", deadly_environment(tmp_path / "site")["PYTHONPATH"])

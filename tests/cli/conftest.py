"""Fixtures that the tests of commands share."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from _pytest.capture import CaptureResult

from naturalness.labelling import pool
from tests.support.commands import Cli, run_line
from tests.support.labelling import LocalWorker, small_model


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a model that reads only fast feature groups."""
    return str(small_model(tmp_path_factory.mktemp("small") / "model"))


@pytest.fixture
def local_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `label` work in this process: a worker takes a second to start."""
    monkeypatch.setattr(pool, "Worker", LocalWorker)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail as if the disk were full when a file is written."""

    def full(file: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("naturalness.files.storage.sync_file", full)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Return a function that runs a command, checks its exit code, and returns what was printed."""

    def command(code: int, line: str | Sequence[str], *more: object) -> CaptureResult[str]:
        assert run_line(line, *more) == code
        return capsys.readouterr()

    return command

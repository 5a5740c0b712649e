"""What the tests of commands share."""

from __future__ import annotations

import pytest

from tests.support.labelling import small_model


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of quick groups."""
    return str(small_model(tmp_path_factory.mktemp("small") / "model"))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No room for a file that is written whole."""

    def full(file: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("naturalness.files.storage.sync_file", full)

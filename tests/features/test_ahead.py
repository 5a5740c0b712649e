"""Models are opened in a background thread, and errors are raised only when the models are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import AssetError
from naturalness.features import GROUPS, resolve
from naturalness.features import detector as detector_features
from naturalness.features.ahead import prepare_ahead
from naturalness.files.resources import ASSETS_VARIABLE, assets_folder
from naturalness.models import detector as detector_module
from naturalness.models.detector import Network, open_network


@pytest.fixture
def openings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Record the folders of detectors that are opened, with assets in a new place."""
    folders: list[Path] = []

    def opened(folder: Path) -> Network:
        folders.append(folder)
        return open_network(folder)

    (tmp_path / "assets").symlink_to(assets_folder())
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path / "assets"))
    monkeypatch.setattr(detector_module, "open_network", opened)
    return folders


def test_only_groups_with_models_start_a_thread(openings: list[Path]) -> None:
    """A thread is started only if a group has a model."""
    assert prepare_ahead(resolve(["surface", "pos"])) is None
    thread = prepare_ahead(resolve(["surface", "damage"]))
    assert thread is not None and thread.daemon
    thread.join(60)
    assert len(openings) == 1


def test_errors_are_raised_at_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the thread is raised at the first use of the model."""

    def missing(name: str = "detector") -> None:
        raise AssetError("asset 'detector' is damaged")

    monkeypatch.setattr(detector_features, "detector", missing)
    thread = prepare_ahead([GROUPS["damage"]])
    assert thread is not None
    thread.join(60)
    with pytest.raises(AssetError):
        detector_features.detector()

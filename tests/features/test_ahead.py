"""Models opened ahead of time in another thread: once, and silently if that fails."""

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


def test_only_models_are_opened_ahead(openings: list[Path]) -> None:
    """Without a model there is no thread."""
    assert prepare_ahead(resolve(["surface", "pos"])) is None
    thread = prepare_ahead(resolve(["surface", "damage"]))
    assert thread is not None and thread.daemon
    thread.join(60)
    assert len(openings) == 1


def test_what_fails_fails_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error appears at the first use and not in the thread."""

    def missing(name: str = "detector") -> None:
        raise AssetError("asset 'detector' is damaged")

    monkeypatch.setattr(detector_features, "detector", missing)
    thread = prepare_ahead([GROUPS["damage"]])
    assert thread is not None
    thread.join(60)
    with pytest.raises(AssetError):
        detector_features.detector()

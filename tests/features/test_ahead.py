"""Models opened ahead: in another thread, once, and without a word where that fails."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from naturalness.errors import AssetError
from naturalness.features import GROUPS, damage, resolve
from naturalness.features.ahead import prepare_ahead
from naturalness.models import detector as detector_module
from naturalness.models.detector import detector


def test_only_models_are_opened_ahead() -> None:
    """Where there is none, there is no thread."""
    assert prepare_ahead(resolve(["surface", "pos"])) is None
    thread = prepare_ahead(resolve(["surface", "damage"]))
    assert thread is not None and thread.daemon
    thread.join(60)
    assert detector_module._open.cache_info().currsize


def test_what_fails_fails_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a thread that nobody looks at."""

    def missing() -> None:
        raise AssetError("asset 'detector' is damaged")

    monkeypatch.setattr(damage, "detector", missing)
    thread = prepare_ahead([GROUPS["damage"]])
    assert thread is not None
    thread.join(60)
    with pytest.raises(AssetError):
        damage.detector()


def test_threads_that_ask_together_get_the_same() -> None:
    """It is opened once."""
    detector_module._open.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: detector(), range(4)))
    assert len({id(one) for one in found}) == 1

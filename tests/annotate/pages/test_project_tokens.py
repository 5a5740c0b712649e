"""Tokens that stay the same for a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.web.tokens import MIN_TOKEN_CHARACTERS, SECRET, project_token


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's programs keep what lasts."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_it_stays_the_same(state: Path) -> None:
    """So that a page that is open goes on after a restart; another project has another."""
    first = project_token(Path("hotel.project"))
    assert project_token(Path("hotel.project")) == first
    assert project_token(Path("other.project")) != first
    assert len(first) >= MIN_TOKEN_CHARACTERS


def test_the_secret_is_the_users_own(state: Path) -> None:
    """Nobody else can read it, and another user's tokens are others."""
    first = project_token(Path("hotel.project"))
    path = state / SECRET
    assert path.stat().st_mode & 0o077 == 0
    path.unlink()
    assert project_token(Path("hotel.project")) != first


@pytest.mark.parametrize("damage", ["open", "short"])
def test_a_secret_that_is_none_is_not_used(state: Path, damage: str) -> None:
    """One that others can read, or that is too short to be one, gives no token twice."""
    project_token(Path("hotel.project"))
    if damage == "open":
        (state / SECRET).chmod(0o644)
    else:
        (state / SECRET).write_bytes(b"short")
    found = {project_token(Path("hotel.project")) for _ in range(2)}
    assert len(found) == 2


def test_without_a_place_for_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is made all the same, a new one each time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert project_token(Path("a")) != project_token(Path("a"))

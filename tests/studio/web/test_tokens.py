"""Tokens are read from where only their owner can look, and have to be long."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import NaturalnessError
from naturalness.studio.web.tokens import (
    MIN_TOKEN_CHARACTERS,
    SECRET,
    VARIABLE,
    Access,
    make_token,
    project_token,
    read_token,
)


def test_a_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file first; nothing where neither is."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_token(None) == ""
    monkeypatch.setenv(VARIABLE, "from-the-environment")
    assert read_token(None) == "from-the-environment"
    file = tmp_path / "token"
    file.write_text("from-a-file-of-mine\n")
    file.chmod(0o600)
    assert read_token(str(file)) == "from-a-file-of-mine"


@pytest.mark.parametrize("text", ["", "short", "two words in it, and long", "ümlaute-sind-lang-ja"])
def test_what_is_no_token_is_refused(tmp_path: Path, text: str) -> None:
    """In words that do not tell it."""
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(NaturalnessError) as refusal:
        read_token(str(file))
    assert not text or text not in str(refusal.value)


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """It says how to mend that; a missing one is told too."""
    file = tmp_path / "token"
    file.write_text(make_token())
    file.chmod(0o644)
    with pytest.raises(NaturalnessError, match="chmod 600"):
        read_token(str(file))
    with pytest.raises(NaturalnessError, match="cannot read the token"):
        read_token(str(tmp_path / "none"))


def test_without_a_token_nothing_is_one() -> None:
    """Not even the empty one."""
    assert not Access().is_token("")
    assert Access("x" * 20).is_token("x" * 20)
    assert not Access("x" * 20).is_token("x" * 19)


def test_tickets_are_bounded() -> None:
    """The oldest is forgotten."""
    access = Access(make_token())
    tickets = [access.ticket() for _ in range(20)]
    assert not access.opens(tickets[0])
    assert access.opens(tickets[-1])


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
    tokens = {project_token(Path("hotel.project")) for _ in range(2)}
    assert len(tokens) == 2


def test_without_a_place_for_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is made all the same, a new one each time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert project_token(Path("a")) != project_token(Path("a"))

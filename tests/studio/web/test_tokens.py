"""Tokens, and the secret from which a project's token is derived."""

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


def test_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token file overrides the environment; without either, the token is empty."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_token(None) == ""
    monkeypatch.setenv(VARIABLE, "from-the-environment")
    assert read_token(None) == "from-the-environment"
    file = tmp_path / "token"
    file.write_text("from-a-file-of-mine\n")
    file.chmod(0o600)
    assert read_token(str(file)) == "from-a-file-of-mine"


@pytest.mark.parametrize("text", ["", "short", "two words in it, and long", "ümlaute-sind-lang-ja"])
def test_invalid_token_is_refused(tmp_path: Path, text: str) -> None:
    """The error message does not contain the invalid token."""
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(NaturalnessError) as refusal:
        read_token(str(file))
    assert not text or text not in str(refusal.value)


def test_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """A token file that others can read is refused with advice; a missing file is refused, too."""
    file = tmp_path / "token"
    file.write_text(make_token())
    file.chmod(0o644)
    with pytest.raises(NaturalnessError, match="chmod 600"):
        read_token(str(file))
    with pytest.raises(NaturalnessError, match="cannot read the token"):
        read_token(str(tmp_path / "none"))


def test_empty_token_is_never_valid() -> None:
    """An empty token is invalid even if the server has none."""
    assert not Access().is_token("")
    assert Access("x" * 20).is_token("x" * 20)
    assert not Access("x" * 20).is_token("x" * 19)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_project_keeps_its_token(state: Path) -> None:
    """A project has the same token after a restart; different projects have different tokens."""
    first = project_token(Path("hotel.project"))
    assert project_token(Path("hotel.project")) == first
    assert project_token(Path("other.project")) != first
    assert len(first) >= MIN_TOKEN_CHARACTERS


def test_only_its_owner_can_read_the_secret(state: Path) -> None:
    """The secret has mode 600; a new secret gives new tokens."""
    first = project_token(Path("hotel.project"))
    path = state / SECRET
    assert path.stat().st_mode & 0o077 == 0
    path.unlink()
    assert project_token(Path("hotel.project")) != first


@pytest.mark.parametrize("damage", ["open", "short"])
def test_invalid_secret_is_not_used(state: Path, damage: str) -> None:
    """If the secret is too short or readable by others, each token is new."""
    project_token(Path("hotel.project"))
    if damage == "open":
        (state / SECRET).chmod(0o644)
    else:
        (state / SECRET).write_bytes(b"short")
    tokens = {project_token(Path("hotel.project")) for _ in range(2)}
    assert len(tokens) == 2


def test_token_is_new_if_no_secret_can_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the state folder cannot be written, each token is new."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert project_token(Path("a")) != project_token(Path("a"))

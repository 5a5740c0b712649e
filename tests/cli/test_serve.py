"""Errors of `naturalness serve`, reported before the model is opened."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from naturalness.cli import run
from naturalness.studio.web.tokens import VARIABLE

Captured = pytest.CaptureFixture[str]


def error(capsys: Captured, *arguments: str) -> str:
    """Return the error message of a server that cannot start."""
    assert run(["serve", "--fast", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    return captured.err


def test_the_extra_is_named_where_it_is_missing(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error gives the command that installs the missing extra."""
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert "pip install 'naturalness[web]'" in error(capsys)


def test_a_taken_port_and_a_foreign_host(capsys: Captured) -> None:
    """A port in use and a foreign host are errors, reported before the model is opened."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert f"port {port} of 127.0.0.1 is in use" in error(capsys, "--port", port)
    assert "expected a number" in error(capsys, "--port", "70000")
    assert "--host" in error(capsys, "--host", "203.0.113.7")


def test_invalid_tokens(capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An unreadable token file and an invalid variable are errors, and the token is not printed."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    assert "cannot read the token" in error(capsys, "--token-file", str(tmp_path / "none"))
    monkeypatch.setenv(VARIABLE, "hunter2")
    message = error(capsys)
    assert VARIABLE in message and "hunter2" not in message


def test_missing_model(capsys: Captured) -> None:
    """The error for a missing model is that of the other commands."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    assert run(["serve", "--model", "no-such-model", "--port", "0"]) == 2
    assert "no-such-model" in capsys.readouterr().err

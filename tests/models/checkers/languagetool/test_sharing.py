"""One server for a tree of processes; a user's own server is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from naturalness.errors import NaturalnessError
from naturalness.models.checkers import languagetool
from naturalness.models.checkers.languagetool import VARIABLE, client, sharing
from tests.support.fake_languagetool import FakeServer

CHILD = "from naturalness.models.checkers.languagetool import address; print(address())"


def asked_by_a_child() -> str:
    """The address that a child process uses."""
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def kill() -> str:
    """Kill the server of this process; returns where it was."""
    server = sharing._state.server
    assert server is not None
    server.watcher.terminate()
    server.watcher.wait(10)
    return server.address


def test_one_server_serves_all_calls_and_children(machine: Path) -> None:
    """Its address is in the environment, and a child leaves it running."""
    here = languagetool.address()
    assert os.environ[VARIABLE] == f"{here}#{os.getpid()}"
    assert languagetool.address() == here
    assert asked_by_a_child() == here
    assert client.answers(here, 5)
    assert languagetool.version() == "6.8"
    languagetool.close()
    assert VARIABLE not in os.environ and not client.answers(here, 1)


@pytest.mark.slow
def test_a_server_that_died_is_started_again(machine: Path) -> None:
    """At the next call, and on being told that it no longer answers; the old port may differ."""
    languagetool.address()
    dead = kill()
    again = languagetool.address()
    assert client.answers(again, 5)
    assert sharing.renew(dead) == again or dead == again
    dead = kill()
    assert client.answers(sharing.renew(dead), 5)


def test_a_server_that_lives_is_not_started_again(machine: Path) -> None:
    """One connection that broke is no death."""
    here = languagetool.address()
    server = sharing._state.server
    assert sharing.renew(here) == here and sharing._state.server is server


@pytest.mark.slow
def test_a_worker_whose_shared_server_died_starts_its_own(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And leaves the parent's to the parent."""
    languagetool.address()
    dead = kill()
    assert asked_by_a_child() != dead
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9#1")  # of a parent that is no more
    here = languagetool.address()
    assert os.environ[VARIABLE] == f"{here}#{os.getpid()}"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_uses_the_server_and_does_not_end_it(machine: Path) -> None:
    """What it inherits is the parent's."""
    here = languagetool.address()
    child = os.fork()
    if child == 0:
        same = languagetool.address() == here
        languagetool.close()
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert client.answers(here, 5)


def test_a_server_by_address_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Java is needed, and closing leaves it."""
    monkeypatch.setenv("PATH", "/nowhere")
    with FakeServer() as server:
        monkeypatch.setenv(VARIABLE, f"{server.address}/")
        assert languagetool.available() == ""
        assert languagetool.address() == server.address
        assert languagetool.version() == "6.8"
        languagetool.close()
        assert os.environ[VARIABLE] == f"{server.address}/"
        assert client.answers(server.address, 5)


def test_a_named_server_that_is_not_there_is_an_error(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is started in its place: the user asked for that one."""
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9")
    for ask in (languagetool.address, languagetool.version):
        with pytest.raises(NaturalnessError, match=r"names, http://127.0.0.1:9, cannot be used"):
            ask()
    assert "it does not answer" in languagetool.available()
    monkeypatch.setenv(VARIABLE, "localhost")
    assert "'localhost' is not the address" in languagetool.available()


def test_a_named_server_that_ends_is_an_error_and_stays_ended(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says whose it is."""
    with FakeServer() as server:
        monkeypatch.setenv(VARIABLE, server.address)
        here = languagetool.address()
    with pytest.raises(NaturalnessError, match="no longer answers; start it again, or unset"):
        sharing.renew(here)


def test_another_program_at_the_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it said begins the reason."""

    class Other(FakeServer):
        """Answers all checks with an error."""

    with Other() as server:
        monkeypatch.setattr(client, "PROBE", "refuse")
        monkeypatch.setenv(VARIABLE, server.address)
        assert "cannot be used (500 Error: no.)" in languagetool.available()

"""Many texts to a server that is slow, refuses, or dies: all are answered, in their order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool import VARIABLE, asking, sharing
from naturalness.models.checkers.languagetool.asking import Answer, ask_all
from naturalness.models.checkers.languagetool.server import CHECK_SECONDS
from naturalness.text.parsing import MAX_CHARACTERS
from tests.support import fake_languagetool as fake
from tests.support.fake_languagetool import FakeServer, matches

TEXTS = [f"This is teh text number {i}." + " They say they is." * (i % 3) for i in range(40)]
EXPECTED = [Answer(tuple(matches(text))) for text in TEXTS]


def ask(texts: list[str]) -> list[Answer]:
    """The answers."""
    return ask_all(texts, language="en-US")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A server of the user's, in this process."""
    with FakeServer() as running:
        monkeypatch.setenv(VARIABLE, running.address)
        yield running


def test_every_text_is_a_request_of_its_own(server: FakeServer) -> None:
    """So no rule sees a neighbour; answers stand in the order of the texts."""
    assert ask(TEXTS) == EXPECTED
    assert sorted(server.texts[1:]) == sorted(TEXTS)  # behind the first check of all
    assert ask([]) == []


def test_killing_the_server_half_way_loses_nothing(machine: Path) -> None:
    """It is started again, and what it was asked is asked again."""
    texts = [*TEXTS[:20], f"It will trip {machine / 'once'}", *TEXTS[20:]]
    first = sharing.address()
    answers = ask(texts)
    assert (machine / "once").exists() and sharing.address() != first
    assert answers == [*EXPECTED[:20], Answer(), *EXPECTED[20:]]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_text_that_always_kills_the_server_takes_no_other_with_it(
    machine: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """It is left out with a reason, however many are asked at a time."""
    monkeypatch.setattr(asking, "MAX_THREADS", threads)
    monkeypatch.setattr(asking.os, "cpu_count", lambda: threads)
    killers = [f"kill it {i}" for i in range(asking.FRUITLESS + 2)]
    answers = ask([*TEXTS[:5], *killers, *TEXTS[5:15]])
    reason = "LanguageTool crashed each time it checked this text"
    assert [answer.problem for answer in answers[5 : 5 + len(killers)]] == [reason] * len(killers)
    assert [answer for answer in answers if not answer.problem] == EXPECTED[:15]


def test_a_server_that_always_dies_is_an_error(machine: Path) -> None:
    """After a few tries, not one for each text."""
    with pytest.raises(NaturalnessError, match="crashes at every request"):
        ask([f"kill it {i}" for i in range(50)])


@pytest.mark.slow
def test_a_slow_text_is_left_out(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are answered; it is asked alone once more; the reason says how long it had."""
    monkeypatch.setattr(asking, "SECONDS", 1.0)
    started = time.monotonic()
    answers = ask([*TEXTS[:3], "a slow text", *TEXTS[3:6]])
    assert time.monotonic() - started < 10
    assert answers.pop(3) == Answer(problem="LanguageTool took longer than 1 seconds")
    assert server.texts.count("a slow text") == 2 and server.texts[-1] == "a slow text"
    assert answers == EXPECTED[:6]


def test_a_refused_text_is_left_out(server: FakeServer) -> None:
    """With what the server said of it."""
    answers = ask([*TEXTS[:3], "refuse", *TEXTS[3:6]])
    assert answers.pop(3) == Answer(problem="LanguageTool returned 500 Error: no.")
    assert answers == EXPECTED[:6]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_server_that_hangs_is_started_again(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process runs, but it tells nobody that it lives."""
    monkeypatch.setattr(asking, "SECONDS", 1.0)
    monkeypatch.setattr(sharing, "ALIVE_SECONDS", 0.7)
    first = sharing.address()
    local_server = sharing._state.server
    assert local_server is not None
    stop_java(local_server.watcher.pid)
    assert ask(TEXTS[:6]) == EXPECTED[:6]
    assert sharing.address() != first


def stop_java(watcher: int) -> None:
    """Halt the child of the watcher."""
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(watcher)], capture_output=True, text=True, check=True)
    os.kill(int(done.stdout), signal.SIGSTOP)


def test_a_named_server_that_dies_half_way_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """We cannot start it again; what to do is told."""
    with FakeServer() as running:
        monkeypatch.setenv(VARIABLE, running.address)
        assert ask(TEXTS[:1]) == EXPECTED[:1]
    with pytest.raises(NaturalnessError, match="no longer answers"):
        ask(TEXTS)


def test_a_worker_whose_parent_lost_its_server_goes_on(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one of its own, from then on."""
    with FakeServer() as parents:
        monkeypatch.setenv(VARIABLE, f"{parents.address}#1")
        assert ask(TEXTS[:5]) == EXPECTED[:5] and len(parents.texts) == 6
    assert ask(TEXTS) == EXPECTED
    assert os.environ[VARIABLE] == f"{sharing.address()}#{os.getpid()}"


def test_long_texts_are_given_longer() -> None:
    """Half a minute, and less for the longest that is read than the server gives it."""
    assert asking.limit("") == 30
    assert asking.limit("x" * MAX_CHARACTERS) == 80 < CHECK_SECONDS


def test_a_text_that_was_slow_in_company_is_asked_again_alone(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may have kept the server busy."""
    monkeypatch.setattr(asking, "SECONDS", 1.0)
    busy = iter([True])

    def answer(text: str) -> list[dict[str, Any]]:
        if text == TEXTS[0] and next(busy, False):
            time.sleep(2)
        return matches(text)

    monkeypatch.setattr(fake, "matches", answer)
    assert ask(TEXTS[:4]) == EXPECTED[:4]
    assert len(server.texts) == 1 + 4 + 1

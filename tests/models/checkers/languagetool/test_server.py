"""The life of a server: how it starts, why it does not, and that nothing of it stays behind."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from naturalness.errors import MissingPackage, NaturalnessError
from naturalness.models.checkers.languagetool import client, server, sharing
from naturalness.models.checkers.languagetool.server import start
from tests.support import fake_languagetool as fake

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
HOLD = """
import os, signal, sys, time
from naturalness.models.checkers.languagetool import address
# A shell starts what it runs in the background with interrupts ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
print(address(), flush=True)
{then}
"""
# In naps: a signal between the call and the sleep itself is noticed only at its end.
SLEEP = "while True: time.sleep(0.05)"
ENDS = {
    "exit": "",
    "exception": "raise ValueError('a mistake')",
    "SIGINT": SLEEP,
    "SIGTERM": SLEEP,
    "SIGKILL": SLEEP,
    "SIGKILL, a forked child lives on": "os.fork() or os.closerange(0, 3)\ntime.sleep(4)",
    "exit without clearing up": "os._exit(0)",
}


def gone(address: str, seconds: float = 10) -> bool:
    """Whether it does not answer there any more, now or soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not client.answers(address, 1):
            return True
        time.sleep(0.05)
    return False


def hold(then: str, before: str = "") -> tuple[subprocess.Popen[str], str]:
    """A process that has a server, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD.format(then=then, before=before)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@posix
@pytest.mark.parametrize("way", ENDS)
def test_no_server_outlives_its_process(way: str, machine: Path) -> None:
    """However the process ends."""
    process, address = hold(ENDS[way])
    assert address.startswith("http://127.0.0.1:")
    if way.startswith("SIG"):
        assert client.answers(address, 5)
        time.sleep(0.3 if "forked" in way else 0)
        process.send_signal(getattr(signal, way.partition(",")[0]))
    process.wait(30)
    assert gone(address)


@posix
def test_interrupting_the_group_leaves_the_server_to_us(machine: Path) -> None:
    """Ctrl-C reaches all processes of a terminal's group; ours ends the server when it is done."""
    before = "signal.signal(signal.SIGINT, lambda *_: None)"
    then = "time.sleep(0.1)\nsys.stdin.readline()"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD.format(then=then, before=before)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.6)
    assert client.answers(address, 5)
    process.communicate("\n", 30)
    assert gone(address)


def test_a_server_is_started_with_bounded_memory(machine: Path) -> None:
    """And with rules kept between requests; the file that says so is not left behind."""
    command = server.command(4711, machine / "c.properties")
    assert "-Xmx1024m" in command and command[0] == str(machine / "bin" / "java")
    assert command[-4:] == ["--port", "4711", "--config", str(machine / "c.properties")]
    assert "pipelineCaching=true" in server.CONFIGURATION.splitlines()


def test_a_server_that_is_stopped_is_gone_at_once(machine: Path) -> None:
    """Stopping waits for it; a second time does nothing."""
    running = start()
    assert running.alive() and client.answers(running.address, 5)
    running.stop()
    assert not running.alive() and not client.answers(running.address, 1)
    running.stop()


@posix
def test_java_ends_though_its_watcher_was_killed(machine: Path) -> None:
    """Their group is ended."""
    running = start()
    running.watcher.kill()
    running.watcher.wait()
    assert client.answers(running.address, 5)
    running.stop()
    assert gone(running.address)


@posix
def test_telling_the_watcher_to_stop_stops_the_server(machine: Path) -> None:
    """A supervisor may do so."""
    running = start()
    running.watcher.send_signal(signal.SIGTERM)
    assert gone(running.address)
    running.stop()


@pytest.mark.slow
def test_why_java_ended_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exception, not the stack of calls."""
    early = "echo 'Exception in thread main: no room' >&2; echo '  at Main.java:7' >&2; exit 1"
    for name, value in fake.install(tmp_path, early=early).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(NaturalnessError, match=r"crashed at its start: Exception .* no room"):
        sharing.address()


def test_a_java_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a time; it does not stay."""
    pid = tmp_path / "pid"
    for name, value in fake.install(tmp_path, early=f"echo $$ > {pid}; exec sleep 60").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(server, "START_SECONDS", 1)
    started = time.monotonic()
    with pytest.raises(NaturalnessError, match="did not answer within 1 seconds"):
        start()
    assert time.monotonic() - started < 10
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.slow
def test_a_port_that_was_taken_meanwhile_is_no_harm(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program opened it first: Java ends, and another port is tried."""
    free = server._free_port
    with socket.create_server(("127.0.0.1", 0)) as other:
        ports = iter([other.getsockname()[1], free()])
        monkeypatch.setattr(server, "_free_port", lambda: next(ports))
        running = start()
    assert next(ports, None) is None and client.answers(running.address, 5)
    running.stop()


@pytest.mark.parametrize(
    ("version", "message"),
    [("11.0.2", "newer, found Java 11 at"), ("1.8.0_292", "found Java 8"), ("", "printed no version but")],
)
def test_an_old_java_is_refused(version: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is started; the error says which is needed."""
    for name, value in fake.install(tmp_path, version=version).items():
        monkeypatch.setenv(name, value)
    assert message in sharing.available()
    with pytest.raises(NaturalnessError, match=message):
        sharing.address()


def test_what_is_missing_is_told(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java; LanguageTool; and how to get them."""
    assert sharing.available() == ""
    monkeypatch.setenv("PATH", "/nowhere")
    assert "no `java` on the PATH; install it" in sharing.available()
    monkeypatch.setenv("PATH", str(machine / "bin"))
    shutil.rmtree(machine / "lt" / "LanguageTool-6.8")
    message = sharing.available()
    assert f"no LanguageTool in {machine / 'lt'}; run: python -m naturalness.models" in message
    (machine / "lt" / "LanguageTool-6.8").mkdir()  # of a download that broke off
    assert sharing.available() == message


def test_a_missing_package_is_told(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that installs it; a server that runs elsewhere does without."""
    monkeypatch.setitem(sys.modules, "language_tool_python", None)
    message = sharing.available()
    assert message.startswith("LanguageTool needs package 'language_tool_python'; run: pip install '.[languagetool]'")
    with pytest.raises(MissingPackage):
        server.download()
    with fake.FakeServer() as running:
        monkeypatch.setenv(sharing.VARIABLE, running.address)
        assert sharing.available() == ""


def test_a_download_without_network_says_so(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of the network, and what else to do."""
    monkeypatch.setenv("LTP_PATH", str(machine / "empty"))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(NaturalnessError, match=r"cannot be downloaded \(.*LTP_PATH to"):
        server.download()

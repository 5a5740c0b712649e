"""The life of one LanguageTool server of ours: started, found sound, ended with all it started."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool import client, installed

WATCHER = Path(__file__).with_name("watcher.py")
START_SECONDS = 30
"""Until a server answers; one to three seconds on a free machine."""
TRIES = 3
"""Ports that are tried: between finding a free one and opening it another program may take it."""
BETWEEN_LOOKS = 0.1
STOP_SECONDS = 5


class Server:
    """A running server and the watcher that will end it."""

    def __init__(self, watcher: subprocess.Popen[bytes], port: int) -> None:
        self.watcher = watcher
        self.address = f"http://127.0.0.1:{port}"
        self.told = ""
        """What it said at its end, where that was not ours."""

    def alive(self) -> bool:
        """Whether the process runs; it may hang all the same."""
        return self.watcher.poll() is None

    def stop(self) -> None:
        """End Java and watcher, and wait until they have ended."""
        if self.watcher.stdin is not None:
            with contextlib.suppress(OSError):
                self.watcher.stdin.close()  # on which the watcher ends Java, and then itself
        try:
            self.watcher.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.watcher.kill()
            self.watcher.wait()
        if sys.platform != "win32":
            # Where the watcher was killed, Java is left of its group.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.watcher.pid, signal.SIGKILL)
        if self.watcher.stderr is not None and not self.watcher.stderr.closed:
            self.told = self.watcher.stderr.read().decode("utf-8", "replace")
            self.watcher.stderr.close()

    def last_words(self) -> str:
        """Why it ended, in its own words."""
        lines = [line.strip() for line in self.told.splitlines()]
        # A stack of calls says least in its last line, and the last cause most.
        causes = [line for line in lines if line.startswith("Caused by:")]
        errors = [line for line in lines if "Exception" in line or "Error" in line]
        return (causes[-1:] or errors[:1] or lines[-1:] or ["without a word"])[0][:300]


def start() -> Server:
    """Start a server on a free port of the loopback address, within `START_SECONDS`."""
    end = time.monotonic() + START_SECONDS
    reason = ""
    with tempfile.TemporaryDirectory(prefix="naturalness-") as folder:
        configuration = Path(folder) / "server.properties"
        configuration.write_text(installed.CONFIGURATION, encoding="utf-8")
        for _ in range(TRIES):
            port = _free_port()
            server = Server(_launch(installed.command(port, configuration)), port)
            try:
                if _comes_up(server, end):
                    return server
                still_runs = server.alive()
            except BaseException:
                server.stop()
                raise
            server.stop()
            if still_runs:
                raise NaturalnessError(
                    f"LanguageTool did not answer within {START_SECONDS} seconds of its start; try "
                    "again when the machine is less busy"
                )
            reason = server.last_words()
    raise NaturalnessError(
        f"LanguageTool ended as soon as it was started: {reason}; check that Java and LanguageTool "
        "are installed whole: naturalness doctor"
    )


def _comes_up(server: Server, end: float) -> bool:
    """Wait until a server answers; False where it ended or time is up."""
    while server.alive() and (left := end - time.monotonic()) > 0:
        if client.answers(server.address, min(left, 2.0)):
            # Should it be another server of ours that took the port meanwhile, no answer is wrong;
            # this one ends for want of a port, and `sharing.address` starts another.
            return True
        time.sleep(BETWEEN_LOOKS)
    return False


def _launch(command: list[str]) -> subprocess.Popen[bytes]:
    """Start the watcher, which starts the command.

    Away from our session, so that Ctrl-C at the terminal does not end it before we are done.
    """
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(WATCHER), str(os.getpid()), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

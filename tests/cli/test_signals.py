"""Commands that are stopped or fail."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MAIN = "from naturalness.cli import main; main()"


@pytest.mark.skipif(sys.platform == "win32", reason="a process there is ended without a word")
def test_sigterm_removes_temporary_folders(tmp_path: Path) -> None:
    """SIGTERM removes temporary folders, and the exit code is that of the signal."""
    command = [sys.executable, "-c", MAIN, "lm", "train", "-", "--input-format", "txt", "-o", "m"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "tokenise\n"
        (unfinished,) = tmp_path.iterdir()
        time.sleep(1)  # A signal just before the process waits for its input would be noticed only with the next line.
        assert unfinished.name.startswith(".m.")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
        assert process.stderr.read() == ""
    assert list(tmp_path.iterdir()) == []


def test_an_internal_error_exits_with_2() -> None:
    """An internal error exits with 2 rather than 1, and its traceback contains no control characters."""
    broken = "from naturalness import cli; cli.run = lambda **named: {}['\\x1b[2J']; cli.main()"
    ended = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("Traceback") and "KeyError" in ended.stderr and "\x1b" not in ended.stderr

"""Helpers that run commands as a user would type them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import Protocol

import pytest
from _pytest.capture import CaptureResult

from naturalness.cli import run

Captured = pytest.CaptureFixture[str]


class Cli(Protocol):
    """The fixture ``cli``."""

    def __call__(self, code: int, line: str | Sequence[str], *more: object) -> CaptureResult[str]:
        """Run a command, check its exit code, and return what was printed."""


def run_line(line: str | Sequence[str], *more: object) -> int:
    """Run a command line, with further arguments that are passed unchanged, and return its exit code."""
    return run([*(shlex.split(line) if isinstance(line, str) else line), *map(str, more)])


def printed(code: str, *arguments: object) -> str:
    """Return what Python code prints in a process of its own."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout

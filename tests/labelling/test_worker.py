"""The worker's own doings; what it answers is tested with the pool."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

from naturalness.labelling import worker

HELD = """
from pathlib import Path
from naturalness.labelling.worker import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

pieces = [bytes(1000) for _ in range(100_000)]
last = bytes(1000)  # above them, so that the heap cannot shrink from its end
del pieces
before = resident()
give_back()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="memory is given back by glibc")
def test_memory_that_is_free_is_given_back() -> None:
    """A hundred million bytes under one that is still held."""
    done = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 50_000_000


def test_a_library_without_the_call_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as musl, or that of macOS."""
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    worker.give_back()

"""Memory of a worker; `test_pool.py` tests its results."""

from __future__ import annotations

import ctypes
import platform

import pytest

from naturalness.labelling import worker
from tests.support.commands import printed

HELD = """
from pathlib import Path
from naturalness.labelling.worker import give_back
from tests.support.commands import printed

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
    """Memory below a block that is still in use is returned to the system."""
    assert int(printed(HELD)) > 50_000_000


def test_a_library_without_the_call_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the C library lacks the function, nothing happens."""
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    worker.give_back()

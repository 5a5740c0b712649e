"""Stand between us and Java: end Java when we are gone, however we ended.

It runs as a script, ``python watcher.py PARENT COMMAND...``, and ends the command when

- its standard input ends: we closed it, or died, even by ``kill -9``;
- its parent is no longer PARENT: we died, and a child that we forked still holds that pipe;
- it is stopped itself.

When the command ends first, its last words go to standard error and its exit code becomes ours.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import IO

SECONDS_BETWEEN_LOOKS = 0.25
LAST_LINES = 20


def watch(parent: int, command: Sequence[str]) -> int:
    """Run a command for as long as the parent lives; return its exit code."""
    gone = threading.Event()
    words: deque[bytes] = deque(maxlen=LAST_LINES)
    for number in (signal.SIGTERM, signal.SIGINT, *_hangup()):
        signal.signal(number, lambda *_: gone.set())
    threading.Thread(target=_wait_for_end, args=(sys.stdin.buffer, gone), daemon=True).start()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    # Always read, or the child would stop at a full pipe; its log is long.
    reader = threading.Thread(target=words.extend, args=(child.stderr,), daemon=True)
    reader.start()
    while child.poll() is None and os.getppid() == parent:
        if gone.wait(SECONDS_BETWEEN_LOOKS):
            break
    ended_here = child.poll() is None
    child.kill()
    code = child.wait()
    reader.join(1)
    if not ended_here:
        sys.stderr.buffer.write(b"".join(words))
    return 0 if ended_here else code & 0xFF or 1


def _hangup() -> tuple[signal.Signals, ...]:
    return (signal.SIGHUP,) if sys.platform != "win32" else ()


def _wait_for_end(pipe: IO[bytes], gone: threading.Event) -> None:
    while pipe.read(4096):
        pass
    gone.set()


if __name__ == "__main__":
    sys.exit(watch(int(sys.argv[1]), sys.argv[2:]))

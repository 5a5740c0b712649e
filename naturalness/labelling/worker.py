"""A worker process that reads texts from standard input and writes columns, or verdicts, to standard output.

It is run as ``python -m naturalness.labelling.worker``. A message is a pickle, preceded by its length in eight
bytes. Both ends are our own processes, and no pickle is read from a file. The worker exits when its parent process
does, however the parent ends.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import struct
import sys
import warnings
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

LENGTH = struct.Struct("<Q")
READY, DONE, FAILED = "ready", "done", "failed"


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Return the next message; raise `EOFError` at the end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def give_back() -> None:
    """Return free memory to the system; otherwise, glibc keeps the memory that the longest texts needed.

    Called once per list of texts, this costs next to nothing. Lowering glibc's own threshold
    (``MALLOC_TRIM_THRESHOLD_``) would have the same effect, but would slow down every array allocation.
    """
    with suppress(AttributeError, OSError, TypeError):  # only glibc has this function
        ctypes.CDLL(None).malloc_trim(0)


def main() -> None:
    """Open a job, then return the result for each list of items until the input ends."""
    requests, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the messages
    waiting: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                waiting.put(receive(requests))
        finally:
            os._exit(0)  # the parent process is gone

    Thread(target=listen, name="naturalness-listen", daemon=True).start()
    from naturalness.errors import NaturalnessError, NaturalnessWarning

    warnings.simplefilter("ignore", NaturalnessWarning)  # the parent process has shown the warnings
    try:
        work = waiting.get().open()
        send(out, (READY, None))
        while True:
            items = waiting.get()
            send(out, (DONE, work(items)))
            give_back()
    except (NaturalnessError, ImportError, OSError) as error:
        try:
            send(out, (FAILED, error))
        except (pickle.PicklingError, TypeError, AttributeError):
            send(out, (FAILED, NaturalnessError(str(error))))
        sys.exit(1)


if __name__ == "__main__":
    main()

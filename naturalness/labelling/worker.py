"""A worker process: texts come in on standard input, columns go out on standard output.

``python -m naturalness.labelling.worker``. A message is its length in eight bytes and its pickle; both ends are ours,
and nothing is read from a file. When the other end goes, however it ends, so does the worker.
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
    """Return the next message; `EOFError` where none comes any more."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def give_back() -> None:
    """Return free memory to the system: glibc keeps what the longest texts once took.

    Once for many texts it costs next to nothing; glibc's own thresholds, low enough to do the same
    (``MALLOC_TRIM_THRESHOLD_``), slow down every array.
    """
    with suppress(AttributeError, OSError, TypeError):  # other libraries have no such call
        ctypes.CDLL(None).malloc_trim(0)


def main() -> None:
    """Open a job, then answer lists of texts until nobody asks any more."""
    requests, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand between the messages
    waiting: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                waiting.put(receive(requests))
        finally:
            os._exit(0)  # nobody asks any more, or will read what is being worked on

    Thread(target=listen, name="naturalness-listen", daemon=True).start()
    from naturalness.errors import NaturalnessError, NaturalnessWarning
    from naturalness.labelling.job import Labeller

    warnings.simplefilter("ignore", NaturalnessWarning)  # who started it opened the same model and was warned
    try:
        label = Labeller(waiting.get())
        label.warm()
        send(out, (READY, label.columns))
        while True:
            texts = waiting.get()
            send(out, (DONE, label(texts)))
            give_back()
    except (NaturalnessError, ImportError, OSError) as error:
        try:
            send(out, (FAILED, error))
        except (pickle.PicklingError, TypeError, AttributeError):
            send(out, (FAILED, NaturalnessError(str(error))))
        sys.exit(1)


if __name__ == "__main__":
    main()

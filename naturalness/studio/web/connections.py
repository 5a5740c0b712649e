"""Limits on connections to a server: how many at a time, and how long one may stay silent.

uvicorn's own limit refuses every request while there are too many connections, so a client that merely holds
connections open locks out all others. Here, a new connection beyond the limit closes the connection that has been idle
longest; `security.Guard` limits the number of requests in progress.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # the module exists only on Unix
    resource = None  # type: ignore[assignment]

MAX_CONNECTIONS = 4096
"""Maximum number of open connections, if the system lets a process open that many files."""
RESERVED_FILES = 256
"""File descriptors reserved for everything other than connections."""
MAX_SILENCE = 20.0
"""Seconds within which the head of a request has to arrive."""


def max_connections() -> int:
    """Raise the process's limit on open files if needed, and return how many connections it can hold."""
    if resource is None:
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    files = MAX_CONNECTIONS + RESERVED_FILES
    if hard != resource.RLIM_INFINITY:
        files = min(files, hard)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(1, min(MAX_CONNECTIONS, max(soft, files) - RESERVED_FILES))


class Connection(H11Protocol):  # type: ignore[misc]  # mypy does not check uvicorn
    """A connection that is closed unless requests arrive in time."""

    timeout_keep_alive_task: asyncio.TimerHandle | None

    def __init__(self, *arguments: Any, max_connections: int, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.max_connections = max_connections
        self.idle_since = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether the connection is open and no request is in progress."""
        return not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start waiting for a request; close an idle connection if there are too many."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        self._limit()
        if len(self.connections) > self.max_connections:
            idle = [other for other in self.connections if other.is_idle]
            min(idle, key=lambda other: other.idle_since).timeout_keep_alive_handler()

    def data_received(self, data: bytes) -> None:
        """Read data; a partial request head does not extend the time limit."""
        super().data_received(data)
        if self.is_idle:
            self._limit()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.idle_since = self.loop.time()
        super().on_response_complete()

    def _limit(self) -> None:
        """Schedule the connection to be closed unless the head of a request arrives in time."""
        if self.timeout_keep_alive_task is None:
            left = self.idle_since + MAX_SILENCE - self.loop.time()
            self.timeout_keep_alive_task = self.loop.call_later(max(0.0, left), self.timeout_keep_alive_handler)

"""Idle connections keep nobody out, and are closed in time."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import uvicorn

from naturalness.studio.web import connections
from naturalness.studio.web.connections import MAX_CONNECTIONS, RESERVED_FILES, Connection, max_connections
from naturalness.studio.web.running import listen
from naturalness.studio.web.security import Guard
from tests.support.asking import ask

in_hand = threading.Semaphore(0)
"""Released when a slow request arrives."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer at once, and under /slow after a second."""
    if scope["path"] == "/slow":
        in_hand.release()
        await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@pytest.fixture
def serve() -> Iterator[Callable[..., int]]:
    """Run a server with a maximum number of connections, and return its port."""
    while in_hand.acquire(blocking=False):
        pass
    running: list[tuple[Any, threading.Thread]] = []

    def start(most: int, requests: int = 100) -> int:
        endpoint = listen("127.0.0.1", 0)
        guard = Guard(app, hosts={"127.0.0.1"}, requests=requests)
        config = uvicorn.Config(
            guard, log_level="error", http=partial(Connection, max_connections=most), ws="none", lifespan="off"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([endpoint.socket],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        running.append((server, thread))
        return endpoint.port

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(10)


@contextlib.contextmanager
def opened(port: int, number: int, say: bytes = b"") -> Iterator[list[socket.socket]]:
    """Open connections, and send some bytes over each."""
    lines = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(number)]
    try:
        for line in lines:
            line.sendall(say)
        yield lines
    finally:
        for line in lines:
            line.close()


def get(port: int, path: str = "") -> bytes:
    """Return the body of the response."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=20) as answer:
        return bytes(answer.read())


@pytest.mark.parametrize("say", [b"", b"GET / HT"])
def test_thousand_silent_connections_keep_nobody_out(serve: Callable[..., int], say: bytes) -> None:
    """Whether or not they have sent a part of a request."""
    port = serve(MAX_CONNECTIONS)
    number = min(1000, max_connections() - 100)
    with opened(port, number, say):
        assert [get(port) for _ in range(5)] == [b"here"] * 5


def test_longest_idle_connection_is_closed(serve: Callable[..., int]) -> None:
    """If there are too many; connections with a request in progress stay."""
    port = serve(10)
    request = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with opened(port, 1, request) as (busy,):
        assert in_hand.acquire(timeout=20)
        with opened(port, 30) as lines:
            assert get(port) == b"here"
            assert busy.recv(100).startswith(b"HTTP/1.1 200")
            assert lines[0].recv(1) == b""
            lines[-1].settimeout(0.2)
            with pytest.raises(TimeoutError):
                lines[-1].recv(1)


@pytest.mark.slow
@pytest.mark.parametrize("say", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
def test_silent_connection_is_closed(serve: Callable[..., int], monkeypatch: pytest.MonkeyPatch, say: bytes) -> None:
    """Before, during and after a request, but not while a request is answered."""
    monkeypatch.setattr(connections, "MAX_SILENCE", 0.4)
    port = serve(10)
    with opened(port, 1, say) as (line,):
        if say.endswith(b"\r\n\r\n"):
            answer = b""
            while b"here" not in answer:
                answer += line.recv(1000)
            line.sendall(b"GET / HT")
        for _ in range(20):  # a request that arrives byte by byte gets no more time
            with contextlib.suppress(OSError):
                line.sendall(b"T")
            time.sleep(0.05)
        with contextlib.suppress(ConnectionError):
            assert b"200" not in line.recv(100)
    assert get(port, "slow") == b"here"


def test_too_many_requests_are_refused(serve: Callable[..., int]) -> None:
    """The reply says when to ask again; finished requests do not count."""
    port = serve(100, requests=3)
    request = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with opened(port, 3, request) as lines:
        assert all(in_hand.acquire(timeout=20) for _ in lines)
        with pytest.raises(urllib.error.HTTPError) as refused:
            get(port)
        assert (refused.value.code, refused.value.headers["retry-after"]) == (503, "1")
        assert b"3 requests are being answered" in refused.value.read()
        assert all(line.recv(100).startswith(b"HTTP/1.1 200") for line in lines)
    assert get(port) == b"here"
    guard = Guard(app, hosts={"127.0.0.1"}, requests=1)
    assert [ask(guard).status for _ in range(3)] == [200] * 3


def test_limit_on_open_files_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the system allows; the number of connections fits the limit."""
    limits = pytest.importorskip("resource")
    granted: list[tuple[int, int]] = []
    monkeypatch.setattr(limits, "setrlimit", lambda what, pair: granted.append(pair))
    for soft, hard, most, raised in (
        (1024, 1_000_000, MAX_CONNECTIONS, [(MAX_CONNECTIONS + RESERVED_FILES, 1_000_000)]),
        (1024, 2048, 2048 - RESERVED_FILES, [(2048, 2048)]),
        (1024, 1024, 1024 - RESERVED_FILES, []),
        (100_000, 100_000, MAX_CONNECTIONS, []),
        (limits.RLIM_INFINITY, limits.RLIM_INFINITY, MAX_CONNECTIONS, []),
        (1024, limits.RLIM_INFINITY, MAX_CONNECTIONS, [(MAX_CONNECTIONS + RESERVED_FILES, limits.RLIM_INFINITY)]),
    ):
        granted.clear()
        monkeypatch.setattr(limits, "getrlimit", lambda what, pair=(soft, hard): pair)
        assert (max_connections(), granted) == (most, raised)

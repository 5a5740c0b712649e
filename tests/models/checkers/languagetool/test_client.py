"""Requests: what is read of an answer, and what is no answer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool import client
from tests.support.fake_languagetool import FakeServer, Handler


@contextmanager
def answering(body: bytes, status: int = 200) -> Iterator[str]:
    """The address of a server that gives every check the same answer."""

    class Same(Handler):
        """The same answer to all."""

        def do_POST(self) -> None:
            """Read, then answer."""
            self.rfile.read(int(self.headers["Content-Length"]))
            self.tell(status, body)

    with FakeServer(handler=Same) as server:
        yield server.address


def ask(address: str, text: str = "teh", seconds: float = 5) -> list[dict[str, object]]:
    """One check."""
    return client.check(address, text, language="en-US", seconds=seconds)


def test_a_text_arrives_whole() -> None:
    """Accents, emoji, marks of forms and quotes; half of a character as a question mark."""
    text = 'Ünïc😀de & a=b+c % "quoted"\n\nteh'
    with FakeServer() as server:
        (match,) = ask(server.address, text)
        ask(server.address, "half \ud83d")
        assert server.texts == [text, "half ?"]
    assert match["offset"] == 29 and match["rule"]["id"] == "FAKE_SPELLER"  # type: ignore[index]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"[1]",
        b"null",
        b'{"software": {"name": "Other"}}',
        b'{"software": {"name": "LanguageTool", "version": "6.8"}, "matches": [{"offset": 1}]}',
    ],
)
def test_what_is_not_languagetool_is_refused(body: bytes) -> None:
    """Other programs may listen there, or something between."""
    with answering(body) as address, pytest.raises(client.Refused, match="not from LanguageTool"):
        ask(address)


def test_an_error_is_told_by_status_and_first_line() -> None:
    """Of a text too long for that server, say."""
    with (
        answering(b"Error: too long\nat Server.java", 413) as address,
        pytest.raises(client.Refused, match=r"^413 Error: too long$"),
    ):
        ask(address)


def test_a_closed_port_is_unreachable_at_once() -> None:
    """No waiting."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    started = time.monotonic()
    with pytest.raises(client.Unreachable, match="refused"):
        ask(address, seconds=20)
    assert time.monotonic() - started < 5
    assert not client.answers(address, 5)


def test_a_slow_server_is_given_up_in_time() -> None:
    """One that answers nothing, and one that sends a byte now and then."""

    class Drip(Handler):
        """A byte every tenth of a second."""

        def do_POST(self) -> None:
            """Promise much, send little."""
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            for _ in range(20):
                self.wfile.write(b" ")
                time.sleep(0.1)

    handlers: list[type[BaseHTTPRequestHandler]] = [Handler, Drip]
    for handler in handlers:
        with FakeServer(handler=handler) as server:
            started = time.monotonic()
            with pytest.raises(client.TooSlow):
                ask(server.address, "slow", seconds=0.4)
            assert time.monotonic() - started < 5


def test_an_answer_that_breaks_off_is_no_answer() -> None:
    """The server died while it told."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}")
            connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(client.Unreachable):
            ask(f"http://127.0.0.1:{server.getsockname()[1]}")
        thread.join()


def test_addresses_may_end_as_people_write_them() -> None:
    """With a slash, or with the version of the interface; without a scheme they are refused."""
    assert client.check_address("http://host:8081/v2/") == "http://host:8081"
    assert client.check_address("https://host/lt/") == "https://host/lt"
    for wrong in ("host:8081", "8081", "http://", "ftp://host", "http://host:port"):
        with pytest.raises(NaturalnessError, match="not the address of a LanguageTool server"):
            client.check_address(wrong)

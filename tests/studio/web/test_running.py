"""A server finds its port, prints its address, and stops on a signal."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from naturalness.errors import MissingPackage, NaturalnessError
from naturalness.studio.web.running import check_installed, is_local, listen, names_of

CODE = """
import sys
from naturalness.cli import run as _  # the signals of the command line
from naturalness.studio.web.running import listen, names_of, run
from naturalness.studio.web.security import Guard
from naturalness.studio.web.tokens import Access

async def app(scope, receive, send):
    assert scope["type"] == "http", "no lifespan here"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["client"][0].encode()})

access = Access(TOKEN)
place = listen("127.0.0.1", 0)
guard = Guard(app, hosts=names_of("127.0.0.1"), access=access, max_body=1000)
sys.exit(run(guard, place, announce="ready at {}".format, access=access))
"""


@pytest.fixture
def start() -> Iterator[Callable[[str], tuple[subprocess.Popen[str], str]]]:
    """Start a small server, and return the process and its address."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    running: list[subprocess.Popen[str]] = []

    def begin(token: str = "") -> tuple[subprocess.Popen[str], str]:
        code = textwrap.dedent(CODE).replace("TOKEN", repr(token))
        process = subprocess.Popen(
            [sys.executable, "-c", code], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        running.append(process)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("ready at "), line
        return process, line.removeprefix("ready at ").strip()

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def get(address: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Return the status and the body of a response."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {})) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_port_in_use() -> None:
    """A port in use is an error if it was named; otherwise, a free port is used."""
    first = listen("127.0.0.1", None)
    with pytest.raises(NaturalnessError, match=f"port {first.port} of 127.0.0.1 is in use"):
        listen("127.0.0.1", first.port)
    other = listen("127.0.0.1", None, usual=first.port)
    assert other.port != first.port
    for endpoint in (first, other):
        endpoint.socket.close()


def test_invalid_hosts_and_ports_are_refused() -> None:
    """Unknown names, addresses of other machines and impossible ports are refused."""
    for host, port in (("no such host", 0), ("203.0.113.7", 0), ("127.0.0.1", 99_999)):
        with pytest.raises(NaturalnessError, match=r"--host|--port|0\.0\.0\.0"):
            listen(host, port)


def test_printed_address_opens_in_a_browser() -> None:
    """The printed address is local, and contains the token."""
    endpoint = listen("0.0.0.0", 0)
    try:
        assert endpoint.socket.proto == socket.IPPROTO_TCP  # or each response takes 40 ms longer
        assert endpoint.address() == f"http://127.0.0.1:{endpoint.port}/"
        assert endpoint.address("a b") == f"http://127.0.0.1:{endpoint.port}/?token=a+b"
    finally:
        endpoint.socket.close()


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("127.8.8.8", True),
        ("0.0.0.0", False),
        ("", False),
        ("127.evil.example", False),
        ("10.0.0.5", False),
    ],
)
def test_local_hosts(host: str, local: bool) -> None:
    """Only loopback addresses are local; other hosts need a token."""
    assert is_local(host) is local


def test_host_names_that_requests_may_use() -> None:
    """Only local names are valid unless the server listens to other machines or the user adds names."""
    assert names_of("127.0.0.1") == {"127.0.0.1", "localhost", "::1"}
    assert {socket.gethostname().lower(), "box.example"} <= names_of("0.0.0.0", ("Box.Example",))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_the_server(start: Any, number: int) -> None:
    """Ctrl-C and SIGTERM stop the server with exit code 0, and free the port."""
    process, address = start()
    assert get(address) == (200, b"127.0.0.1")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "stopped\n")
    endpoint = listen("127.0.0.1", int(address.rsplit(":")[-1].strip("/")))
    endpoint.socket.close()


def test_proxy_headers_are_ignored(start: Any) -> None:
    """X-Forwarded-For does not change the client's address."""
    _, address = start()
    assert get(address, {"X-Forwarded-For": "10.9.9.9"})[1] == b"127.0.0.1"


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package raises an error that names the extra that installs it."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingPackage, match=r"naturalness\[web\]"):
        check_installed("serve")

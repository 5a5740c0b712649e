"""Run a server on this machine: find a port, print the address, run until stopped.

Ctrl-C and SIGTERM are the intended ways to stop a server, so both give exit code 0 once it runs: requests in progress
are answered, new ones are not accepted. Messages go to standard error.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlencode

from naturalness.errors import NaturalnessError
from naturalness.files.resources import require_package
from naturalness.studio.web.tokens import Access

if TYPE_CHECKING:
    from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
"""Host names under which a server can be reached only from this machine."""
EVERYWHERE = ("0.0.0.0", "::", "")
MAX_CONNECTIONS = 512
"""Maximum number of connections, and of requests in progress, over all clients; further requests are refused."""
SHUTDOWN_SECONDS = 10
"""Seconds allowed after Ctrl-C to finish requests in progress."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The socket on which a server listens, and its host."""

    socket: socket.socket
    host: str
    """The host as given on the command line."""

    @property
    def port(self) -> int:
        """The port in use."""
        port: int = self.socket.getsockname()[1]
        return port

    def address(self, token: str = "") -> str:
        """Return the address to open in a browser on this machine."""
        name = LOOPBACK if self.host in EVERYWHERE else self.host
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{self.port}/" + (f"?{urlencode({'token': token})}" if token else "")


def host_name(header: str) -> str:
    """Return the name in a Host header, without its port; empty if the header is malformed."""
    header = header.strip().lower()
    name, colon, port = header.rpartition(":")
    if not colon or "]" in port:
        name, port = header, ""
    if port and not (port.isascii() and port.isdecimal()):
        return ""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def is_address(name: str) -> bool:
    """Return whether a name is a numeric address, which DNS cannot redirect."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_local(host: str) -> bool:
    """Return whether only this machine can reach a server at this host."""
    return host.lower() in LOCAL_NAMES or (is_address(host) and host.startswith("127."))


def names_of(host: str, also: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the host names, including ``also``, that requests to a server may use; see `security.Guard`."""
    names = {*LOCAL_NAMES, *also}
    if not is_local(host):
        names |= {socket.gethostname(), socket.getfqdn()}
    return frozenset(name.lower() for name in {*names, host} if name)


def listen(host: str, port: int | None, *, usual: int = 0) -> Endpoint:
    """Listen on ``port``; if it is None, on the ``usual`` port or, if that is in use, on any free port."""
    if port is None:
        with suppress(_Taken):
            return Endpoint(_bind(host, usual), host)
    try:
        return Endpoint(_bind(host, port or 0), host)
    except _Taken:
        raise NaturalnessError(
            f"port {port} of {host} is in use, perhaps by a server that is still running; name another "
            "with --port, or leave it out to use a free one"
        ) from None


class _Taken(Exception):
    """Raised if another server listens at the port."""


def _bind(host: str, port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:
        raise NaturalnessError(f"--port {port}: expected a number from 0 to 65535")
    try:
        addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, where = addresses[0]
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NaturalnessError(
            f"no host {host!r} on this machine ({reason}); use 127.0.0.1, or 0.0.0.0 for all networks"
        ) from None
    # asyncio turns off Nagle's algorithm only if the protocol is named; with it, each response takes 40 ms longer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            # Allows reusing the port of a server that has just stopped; on other systems this option
            # would let two servers share a port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise _Taken from None
        raise NaturalnessError(
            f"cannot listen on port {port} of {host} ({error.strerror}); name another --port or --host"
        ) from None
    return listening


def check_installed(command: str) -> None:
    """Raise `MissingPackage` if a package that the servers need is not installed."""
    for package in ("starlette", "uvicorn"):
        require_package(package, user=command, extra="web")


def run(
    app: ASGIApp,
    endpoint: Endpoint,
    *,
    announce: Callable[[str], str],
    access: Access,
    show_token: bool = True,
    browser: bool = False,
) -> int:
    """Run until Ctrl-C or SIGTERM; return the exit code.

    ``announce`` turns the address into the message that is printed once the server accepts requests. The address
    includes the token if ``show_token`` is true; a token that the user chose need not be printed.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="error",
        access_log=False,
        http="h11",
        loop="asyncio",
        ws="none",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )

    class Server(uvicorn.Server):  # type: ignore[misc]  # mypy does not check uvicorn
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            shown = access.token if show_token else ""
            sys.stderr.write(announce(endpoint.address(shown)) + "\n")
            sys.stderr.flush()
            if browser:
                # Other users can see the arguments of a process; a ticket is valid only once.
                _open(endpoint.address(access.ticket() if access.token else ""))

    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after it has stopped
            Server(config).run(sockets=[endpoint.socket])
    finally:
        signal.signal(signal.SIGTERM, before)
        endpoint.socket.close()
    sys.stderr.write("stopped\n")
    return 0


def _interrupt(number: int, frame: Any) -> NoReturn:
    raise KeyboardInterrupt


def _open(address: str) -> None:
    """Open a browser in a thread, because some browsers block until they are closed."""
    Thread(target=webbrowser.open, args=(address,), daemon=True).start()

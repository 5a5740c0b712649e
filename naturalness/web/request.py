"""What a guard looks at in a request: method, path, headers, cookies, and by which name it came."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import parse_qsl

FIELDS = 50
"""Fields that a query may have."""
PREFIX = re.compile(r"(/[\w.~-]+)*", re.ASCII)
"""The path under which a proxy may have put a server."""


class Request:
    """The beginning of an ASGI request."""

    def __init__(self, scope: MutableMapping[str, Any]) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            told = self._headers.setdefault(name.decode("latin-1").lower(), [])
            told.append(value.decode("latin-1").strip())
        query = scope.get("query_string", b"").decode("latin-1")
        try:
            self.pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            self.pairs = []
        self.query = dict(self.pairs)

    def one(self, name: str) -> str:
        """A header that stands once; empty where it is missing, or stands twice."""
        found = self._headers.get(name, ())
        return found[0] if len(found) == 1 else ""

    @property
    def host(self) -> str:
        """Name and port by which it was asked for, in small letters."""
        return self.one("host").lower()

    @property
    def address(self) -> str:
        """Where the client found the server, with a slash at its end.

        A proxy may have been asked by https and under a path, which it says in
        ``X-Forwarded-Proto`` and ``X-Forwarded-Prefix``. Whoever sends these headers only changes
        the address that is shown to herself.
        """
        scheme = self.one("x-forwarded-proto").partition(",")[0].strip().lower()
        prefix = self.one("x-forwarded-prefix").rstrip("/")
        if not PREFIX.fullmatch(prefix):
            prefix = ""
        return f"{'https' if scheme == 'https' else 'http'}://{self.host}{prefix}/"

    @property
    def bearer(self) -> str:
        """The token of a program; empty where there is none."""
        kind, _, value = self.one("authorization").partition(" ")
        return value.strip() if kind.lower() == "bearer" else ""

    @property
    def cookies(self) -> dict[str, str]:
        """Values by name."""
        parts = [part for line in self._headers.get("cookie", ()) for part in line.split(";")]
        pairs = (part.strip().partition("=") for part in parts)
        return {name: value for name, _, value in pairs}

    @property
    def wants_page(self) -> bool:
        """Whether a browser asks for something to show."""
        return self.method in ("GET", "HEAD") and "text/html" in self.one("accept")


def host_name(header: str) -> str:
    """The name in a Host header, without its port; empty where it is none."""
    header = header.strip().lower()
    name, colon, port = header.rpartition(":")
    if not colon or "]" in port:
        name, port = header, ""
    if port and not (port.isascii() and port.isdecimal()):
        return ""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def is_address(name: str) -> bool:
    """Whether it is a number and no name: nobody can make that point elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

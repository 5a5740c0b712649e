"""Requests to an ASGI app without a server, byte by byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

HOST = "127.0.0.1:8000"


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes
    read: int
    """Bytes of the request that were read."""

    @property
    def error(self) -> str:
        """Return the error message."""
        message: str = json.loads(self.body)["error"]
        return message


def ask(
    app: Any,
    method: str = "GET",
    path: str = "/",
    *,
    query: str = "",
    headers: dict[str, str] | None = None,
    body: Iterable[bytes] = (b"",),
    wait: float = 0.0,
) -> Answer:
    """Send a request; a Host header is added if none is given.

    ``wait`` is the pause between the parts of the body, in seconds.
    """
    named = {"host": HOST} | (headers or {})
    raw = [(k.encode(), v.encode("latin-1")) for k, v in named.items() if v is not None]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": raw,
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 5),
        "root_path": "",
    }
    parts = list(body)
    sent: list[dict[str, Any]] = []
    read = 0

    async def receive() -> dict[str, Any]:
        nonlocal read
        if not parts:
            await asyncio.sleep(3600)
        await asyncio.sleep(wait)
        part = parts.pop(0)
        read += len(part)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    response_headers = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return Answer(sent[0]["status"], response_headers, b"".join(m.get("body", b"") for m in sent[1:]), read)

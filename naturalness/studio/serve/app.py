"""The routes of `naturalness serve`, as a Starlette app; it is run behind `security.Guard`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from naturalness.studio.serve.openapi import describe
from naturalness.studio.serve.page import front_page, style, template_file
from naturalness.studio.serve.reading import Limits
from naturalness.studio.serve.service import Answer, Service, as_bytes, while_connected
from naturalness.studio.serve.worker import Judge
from naturalness.studio.web.refusals import Refusal, as_json
from naturalness.studio.web.security import Guard
from naturalness.studio.web.tokens import Access

JSON = "application/json"
GONE = 400
"""Status of the response to a client that has disconnected; nobody reads it."""


def make_app(service: Service) -> Starlette:
    """Return the app, which starts the worker on startup and stops it on shutdown."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        service.worker.start()
        yield
        service.worker.close()

    fixed: dict[str, tuple[str | bytes, str]] = {
        "/": (front_page(service.judge.name, service.limits, service.judge.model.unit), "text/html; charset=utf-8"),
        "/style.css": (style(), "text/css; charset=utf-8"),
        "/page.js": (template_file("serve.js"), "text/javascript; charset=utf-8"),
        "/icon.svg": (template_file("icon.svg"), "image/svg+xml"),
        "/openapi.json": (as_bytes(describe(service.limits)), JSON),
    }

    async def health(request: Request) -> Response:
        return Response(as_bytes(service.health()), media_type=JSON)

    return Starlette(
        routes=[
            *(Route(path, _fixed(*what)) for path, what in fixed.items()),
            Route("/score", _answering(service.score), methods=["POST"]),
            Route("/explain", _answering(service.explain), methods=["POST"]),
            Route("/health", health),
        ],
        exception_handlers={Refusal: _refused, HTTPException: _failed, Exception: _broken},
        lifespan=life,
    )


def guarded(judge: Judge, hosts: Collection[str], access: Access) -> Guard:
    """Return the app behind its guard; ``hosts`` are the names by which clients may address the server."""
    limits = Limits()
    app = make_app(Service(judge, limits))
    return Guard(app, hosts=hosts, access=access, max_body=limits.body, seconds=limits.seconds)


def _fixed(content: str | bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return Response(content, media_type=kind)

    return answer


def _answering(find: Callable[[bytes], Awaitable[Answer]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body = await request.body()

        async def gone() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        reply = await while_connected(find(body), gone())
        return Response(status_code=GONE) if reply is None else Response(as_bytes(reply), media_type=JSON)

    return answer


async def _refused(request: Request, error: Any) -> Response:
    return as_json(error)


async def _failed(request: Request, error: Any) -> Response:
    words = f"{error.detail.lower()}: {request.method} {request.url.path[:100]}"
    return as_json(Refusal(error.status_code, words, error.headers))


async def _broken(request: Request, error: Exception) -> Response:
    return as_json(Refusal(500, "something broke; the server's own messages say what"))

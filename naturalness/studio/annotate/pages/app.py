"""The web application: routes, cookies, and error responses. The work is done in `desk`."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from naturalness.errors import NaturalnessError, ProjectError
from naturalness.studio.annotate.pages import pages, views
from naturalness.studio.annotate.project.file import ProjectUnavailable
from naturalness.studio.annotate.project.settings import check_rater
from naturalness.studio.web.refusals import Refusal, as_json, as_page

if TYPE_CHECKING:
    from naturalness.studio.annotate.pages.desk import Desk

Endpoint = Callable[[Request], Awaitable[Response]]
View = Callable[["Desk", Mapping[str, Any]], Any]
"""The function behind an API route: it takes the arguments of a request, and returns the value of the JSON response."""
COOKIE_SECONDS = 365 * 24 * 3600
LOG = logging.getLogger("naturalness")


def build_app(desk: Desk) -> Starlette:
    """Return the application of a project; run it behind a `web.security.Guard`."""

    page_views: Mapping[str, Callable[[Desk, str], str]] = {
        "/": pages.rating_page,
        "/rater": pages.rater_page,
        "/learned": pages.learned_page,
        "/learned/part": pages.learned_part,
    }
    readers: Mapping[str, View] = {"/api/turn": views.turn, "/api/live": views.live}
    writers: Mapping[str, View] = {"/api/answer": views.answer, "/api/undo": views.undo}
    routes = [
        *(Route(at, _page(desk, make), methods=["GET"]) for at, make in page_views.items()),
        *(Route(at, _reply(desk, tell), methods=["GET"]) for at, tell in readers.items()),
        *(Route(at, _reply(desk, do), methods=["POST"]) for at, do in writers.items()),
        Route("/api/rater", _enter(desk), methods=["POST"]),
        Route("/static/{name}", _file, methods=["GET"]),
    ]
    handlers: Any = {Refusal: _refused, NaturalnessError: _refused, HTTPException: _refused}
    return Starlette(routes=routes, exception_handlers=handlers)


def cookie_of(desk: Desk) -> str:
    """Return the name of the cookie that holds the rater's name; it differs between projects, since browsers send
    cookies to all ports of a host."""
    return f"naturalness_rater_{desk.identity[:12]}"


def _rater(desk: Desk, request: Request) -> str:
    """Return the rater's name from the cookie; empty if there is no valid one."""
    try:
        return check_rater(unquote(request.cookies.get(cookie_of(desk), "")))
    except ProjectError:
        return ""


def _page(desk: Desk, make: Callable[[Desk, str], str]) -> Endpoint:
    """Return the endpoint of a page; if the rater's name is unknown, it redirects to the page that asks for it."""

    async def page(request: Request) -> Response:

        rater = _rater(desk, request)
        if not rater and request.url.path == "/":
            return RedirectResponse("/rater", status_code=303)
        return HTMLResponse(await run_in_threadpool(make, desk, rater))

    return page


def _reply(desk: Desk, view: View) -> Endpoint:
    """Return the endpoint of an API view, which takes its arguments from the query or from a JSON body."""

    async def reply(request: Request) -> Response:

        body = request.method == "POST"
        arguments = await _body(request) if body else dict(request.query_params)
        if arguments.get("project") != desk.identity:
            # Pages of another project may still be open at the same address.
            raise Refusal(421, f"another project is open here now: {desk.project.path.name}")
        return _json(await run_in_threadpool(view, desk, arguments))

    return reply


def _enter(desk: Desk) -> Endpoint:
    """Return an endpoint that stores the rater in a cookie."""

    async def enter(request: Request) -> Response:
        rater = check_rater((await _body(request)).get("name"))
        response = _json({"rater": rater})
        response.set_cookie(
            cookie_of(desk), quote(rater, safe=""), max_age=COOKIE_SECONDS, httponly=True, samesite="strict"
        )
        return response

    return enter


async def _file(request: Request) -> Response:
    """Return a file that the pages load."""

    content = pages.files().get(request.path_params["name"])
    if content is None:
        raise Refusal(404, "no such file")
    return Response(content[0], media_type=content[1])


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object sent by a page."""
    try:
        fields = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refusal(400, "expected JSON") from None
    if not isinstance(fields, dict):
        raise Refusal(400, f"expected a JSON object, found {type(fields).__name__}")
    return fields


def _json(value: Any) -> Response:

    # ASCII, because lone surrogates in texts cannot be encoded as UTF-8.
    return Response(json.dumps(value, allow_nan=False), media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    """Return an error as a page, or as JSON for the script of a page."""

    if isinstance(error, HTTPException):
        said = "there is nothing" if error.status_code == 404 else f"{request.method} is not possible"
        error = Refusal(error.status_code, f"{said} at {request.url.path!r:.100}")
    if isinstance(error, ProjectUnavailable):
        LOG.warning("%s", error)
        error = Refusal(507, str(error))
    # 409 tells the script not to retry: the project would refuse again.
    refusal = error if isinstance(error, Refusal) else Refusal(409, str(error))
    page = not request.url.path.startswith(("/api/", "/static/"))
    return as_page(refusal) if page else as_json(refusal)

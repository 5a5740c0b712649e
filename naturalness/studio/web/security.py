"""A guard in front of a local server: checks of hosts, origins and access, and limits on the size and time of requests.

Pages of other sites run in the same browser and reach ``127.0.0.1`` as easily as our own pages do. The guard therefore
checks the Host header (a foreign name may point here: DNS rebinding), requires JSON and one of our own origins for a
request that changes something (a form on another site can send neither), and restricts what pages may load and run and
where they may be framed. It wraps any ASGI app.

Starlette's `TrustedHostMiddleware` does not suffice: if a token is required, any numeric address is a valid host, and a
refusal has to list the valid names.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from naturalness.studio.web.refusals import STYLE_HASH, Refusal, as_json, as_page, small_page
from naturalness.studio.web.running import host_name, is_address
from naturalness.studio.web.tokens import Access

MAX_BODY = 2_000_000
"""Maximum number of bytes in the body of a request."""
MAX_SECONDS = 60.0
"""Maximum number of seconds from the first byte of a request to the first byte of its response."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods without side effects."""
BODY_METHODS = ("POST", "PUT", "PATCH")
LOG = logging.getLogger("naturalness")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Default headers of every response."""
CLOSE = {"connection": "close"}
"""Header of a response that is sent before the whole request has been read."""
GUARD_PAGE_POLICY = {"content-security-policy": POLICY.replace("style-src 'self'", f"style-src 'self' '{STYLE_HASH}'")}
"""Content security policy of the guard's own pages, whose style is inline."""


def single_header(request: Request, name: str) -> str:
    """Return the value of a header: empty if it is missing; if it is repeated, a list, which is no valid value."""
    return ", ".join(request.headers.getlist(name)).strip()


def host_of(request: Request) -> str:
    """Return the requested host name and port in lower case."""
    return single_header(request, "host").lower()


def bearer_of(request: Request) -> str:
    """Return the bearer token of a request; empty if there is none."""
    kind, _, token = single_header(request, "authorization").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def wants_page(request: Request) -> bool:
    """Return whether a browser requests a page."""
    return request.method in ("GET", "HEAD") and "text/html" in single_header(request, "accept")


class Guard:
    """ASGI middleware that checks requests before an app sees them."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        access: Access | None = None,
        max_body: int = MAX_BODY,
        seconds: float = MAX_SECONDS,
    ) -> None:
        """``hosts`` are the host names, without a port, that requests may use."""
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.access = access or Access()
        self.max_body = max_body
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on to the app."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no page uses web sockets
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope, receive)
        started = reading = False

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        async def send_in_time(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                limit.reschedule(None)
            await send_on(message)

        limit = asyncio.timeout(self.seconds)
        try:
            async with limit:
                welcome = self._enter(request)
                if welcome is not None:
                    await welcome(scope, receive, send_in_time)
                    return
                reading = True
                body = await self._read(request)
                reading = False
                await self.app(scope, _replay(body, receive), send_in_time)
                return
        except Refusal as error:
            refusal = error
        except TimeoutError:
            if started:
                raise
            refusal = self._too_late(reading)
        except Exception:
            if started:
                raise
            LOG.exception("a request failed")
            refusal = Refusal(500, "something broke; the server's own messages say what")
        await _response(request, refusal)(scope, receive, send_on)

    def _too_late(self, reading: bool) -> Refusal:
        if reading:
            return Refusal(408, "the request did not arrive in time", CLOSE)
        return Refusal(504, f"no answer within {self.seconds:.0f} seconds; ask for less at a time")

    def _enter(self, request: Request) -> Response | None:
        """Refuse a client that has no access; return the response if the token is in the address, otherwise None."""
        self._check_host(request)
        known = not self.access.token or self.access.is_token(bearer_of(request))
        if not known and request.method in ("GET", "HEAD") and "token" in request.query_params:
            if self.access.opens(request.query_params["token"]):
                return self._let_in(request)
        elif not known:
            known = self.access.is_pass(request.cookies.get(self.access.cookie, ""))
        if not known:
            words = (
                "this server needs its token: open the address that was printed when it started, "
                "or send the header Authorization: Bearer TOKEN"
            )
            raise Refusal(401, words, {"www-authenticate": "Bearer"})
        if request.method not in SAFE_METHODS:
            self._check_origin(request)
        return None

    def _check_host(self, request: Request) -> None:
        """Refuse a foreign host name, as sent by a browser after DNS rebinding."""
        name = host_name(host_of(request))
        if name in self.hosts or (self.access.token and is_address(name)):
            return
        words = (
            f"this server does not answer to the name {name or '(none)'!r:.100}; use "
            f"{', '.join(sorted(self.hosts))} (--allow-host adds a name)"
        )
        raise Refusal(421, words)

    def _check_origin(self, request: Request) -> None:
        """Refuse requests with side effects unless they come from our own pages or from programs."""
        origin, site = single_header(request, "origin"), single_header(request, "sec-fetch-site")
        if origin:
            # An https origin comes from a proxy with the same host name.
            allowed = origin.lower() in (f"http://{host_of(request)}", f"https://{host_of(request)}")
        elif site:
            # "same-site" is not enough: it includes every other port of this machine.
            allowed = site in ("same-origin", "none")
        else:
            # Recent browsers send one of the two headers. A client that sends only our cookie is an old browser.
            allowed = not self.access.token or self.access.is_token(bearer_of(request))
        if not allowed:
            raise Refusal(
                403, "another site sent this request; only this server's own pages and programs with a token may"
            )
        if request.method in BODY_METHODS:
            kind = single_header(request, "content-type").partition(";")[0].strip().lower()
            if kind != "application/json":
                # A form on another site cannot send JSON, at most text/plain.
                raise Refusal(415, f"expected Content-Type: application/json, found {kind or 'none'!r:.100}")

    def _let_in(self, request: Request) -> Response:
        """Return a response that sets the cookie and leads to the same address without the token."""
        rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "token"])
        # Exactly one leading slash: "//name" would be the address of another host.
        target = "/" + quote(request.scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
        response: Response = RedirectResponse(target, 303)
        if wants_page(request) and single_header(request, "sec-fetch-site") not in ("none", "same-origin"):
            # A browser that follows a link on another site would not send the cookie after a redirect; it sends the
            # cookie if one of our own pages leads on.
            at = target.replace("&", "&amp;").replace('"', "%22")
            page = small_page(
                "Welcome", f'<p><a href="{at}">Go on</a></p>', f'<meta http-equiv="refresh" content="0; url={at}">'
            )
            response = HTMLResponse(page, headers=GUARD_PAGE_POLICY)
        response.set_cookie(self.access.cookie, self.access.stamp, httponly=True, samesite="strict")
        return response

    async def _read(self, request: Request) -> bytes:
        """Return the body; refuse one that is too large before it is read, or while it arrives."""
        header = single_header(request, "content-length")
        size = int(header) if header.isdecimal() and len(header) < 20 else 0
        body = bytearray()
        try:
            if size <= self.max_body:
                async for part in request.stream():
                    body += part
                    if len(body) > self.max_body:
                        break
        except ClientDisconnect:
            raise Refusal(400, "the request was cut off", CLOSE) from None
        if max(size, len(body)) > self.max_body:
            raise Refusal(413, f"expected at most {self.max_body:,} bytes; send less at a time", CLOSE)
        return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that replays the body, then passes on messages such as a disconnect."""
    replayed = False

    async def again() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _response(request: Request, refusal: Refusal) -> Response:
    """Return a refusal as a page for browsers and as JSON for programs."""
    if not wants_page(request):
        return as_json(refusal)
    page = as_page(refusal)
    page.headers.update(GUARD_PAGE_POLICY)
    return page

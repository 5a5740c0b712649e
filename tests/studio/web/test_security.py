"""The guard admits only its own pages, and programs with the token."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from naturalness.studio.web.refusals import STYLE, STYLE_HASH
from naturalness.studio.web.running import host_name
from naturalness.studio.web.security import Guard, single_header
from naturalness.studio.web.tokens import Access
from tests.support.asking import HOST, Answer, ask

TOKEN = "a-token-of-enough-letters"
ORIGIN = f"http://{HOST}"
JSON = {"content-type": "application/json"}
BEARER = {"authorization": f"Bearer {TOKEN}"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reply with the number of bytes of the body."""
    message = await receive()
    assert not message["more_body"]
    body = json.dumps({"bytes": len(message["body"]), "path": scope["path"]}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def guarded(token: str = "", app: Any = echo, **settings: Any) -> Guard:
    """Return a guarded app."""
    settings = {"hosts": {"127.0.0.1", "localhost"}, "access": Access(token), **settings}
    return Guard(app, **settings)


def post(guard: Guard, headers: dict[str, str], **more: Any) -> Answer:
    """Send a request with side effects."""
    return ask(guard, "POST", "/do", headers=headers, **more)


def test_every_response_has_protective_headers() -> None:
    """The headers forbid foreign scripts, frames, referrers, guessed types and caching."""
    for answer in (ask(guarded()), ask(guarded(TOKEN)), post(guarded(), {})):
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (HOST, 200),
        ("localhost:9000", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost:8000@evil.example", 421),
        ("localhost.", 421),
        ("", 421),
        (None, 421),
        ("192.168.1.5:8000", 421),
    ],
)
def test_only_known_host_names_are_accepted(host: str, status: int) -> None:
    """A foreign name that DNS redirects here is refused."""
    answer = ask(guarded(), headers={"host": host})
    assert answer.status == status
    if status == 421:
        assert "127.0.0.1, localhost" in answer.error


def test_numeric_addresses_are_accepted_with_a_token() -> None:
    """Numeric addresses, which DNS cannot redirect, are valid hosts, but need the token."""
    assert ask(guarded(TOKEN), headers={"host": "192.168.1.5:8000"}).status == 401
    assert ask(guarded(TOKEN), headers={"host": "[fe80::1]:8000"}).status == 401
    assert ask(guarded(TOKEN), headers={"host": "evil.example"}).status == 421


@pytest.mark.parametrize(
    ("header", "name"), [("[::1]:80", "::1"), ("[::1]", "::1"), ("a.example:1", "a.example"), ("a:b", ""), ("", "")]
)
def test_host_name_of_a_header(header: str, name: str) -> None:
    """The name has no port or brackets, and is empty if the port is invalid."""
    assert host_name(header) == name


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN},
        {"authorization": "Bearer "},
        {"cookie": f"token={TOKEN}"},
        {"cookie": f"{Access(TOKEN).cookie}={TOKEN}"},
        {"cookie": f"{Access(TOKEN).cookie}="},
    ],
)
def test_requests_without_the_token_are_refused(headers: dict[str, str]) -> None:
    """A missing, wrong or misplaced token is refused with advice."""
    for answer in (ask(guarded(TOKEN), headers=headers), post(guarded(TOKEN), headers | JSON)):
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer" in answer.error
        assert TOKEN not in answer.body.decode()


def test_program_sends_the_token_as_a_header() -> None:
    """A program with the token needs no cookie and no origin."""
    assert ask(guarded(TOKEN), headers=BEARER).status == 200
    assert post(guarded(TOKEN), BEARER | JSON).status == 200


def test_address_with_the_token_sets_a_cookie() -> None:
    """The server redirects to the address without the token; scripts cannot read the cookie."""
    guard = guarded(TOKEN)
    answer = ask(guard, path="/a b", query=f"x=1&token={TOKEN}&y=%26")
    assert (answer.status, answer.headers["location"]) == (303, "/a%20b?x=1&y=%26")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    headers = {"cookie": "other=1; bad[=2; " + cookie.partition(";")[0]}
    assert ask(guard, headers=headers).status == 200
    assert post(guard, headers | JSON | {"origin": ORIGIN}).status == 200
    assert ask(guarded(TOKEN + "2"), headers=headers).status == 401


def test_link_on_another_site_leads_to_a_forwarding_page() -> None:
    """One of our own pages forwards to the target, since browsers send no cookie after a redirect from another site."""
    headers = {"accept": "text/html", "sec-fetch-site": "cross-site"}
    answer = ask(guarded(TOKEN), query=f"token={TOKEN}&a=%22%3E%3Cb&c", headers=headers)
    assert answer.status == 200 and "set-cookie" in answer.headers
    assert b'content="0; url=/?a=%22%3E%3Cb&amp;c="' in answer.body


def test_redirect_stays_on_this_host() -> None:
    """A path with two slashes does not lead to another host."""
    for path in ("//evil.example/", "/\\evil.example"):
        location = ask(guarded(TOKEN), path=path, query=f"token={TOKEN}").headers["location"]
        assert location.startswith("/") and location[1] not in "/\\"


def test_wrong_token_in_the_address_is_refused() -> None:
    """In requests with side effects, a token in the address does not count."""
    assert ask(guarded(TOKEN), query="token=wrong").status == 401
    assert post(guarded(TOKEN), JSON, query=f"token={TOKEN}").status == 401


def test_ticket_is_valid_once() -> None:
    """An address with a used ticket is refused."""
    guard = guarded(TOKEN)
    ticket = guard.access.ticket()
    assert ask(guard, query=f"token={ticket}").status == 303
    assert ask(guard, query=f"token={ticket}").status == 401


def test_browser_without_the_token_gets_a_form() -> None:
    """The content security policy allows the style of the form."""
    answer = ask(guarded(TOKEN), headers={"accept": "text/html,*/*"})
    assert answer.status == 401 and b'name="token"' in answer.body
    assert STYLE_HASH in answer.headers["content-security-policy"]
    assert f"<style>{STYLE}</style>".encode() in answer.body


def test_refusal_page_escapes_the_request() -> None:
    """A host name in the refusal is escaped."""
    headers = {"accept": "text/html", "host": "<script>alert(1)</script>"}
    answer = ask(guarded(), headers=headers)
    assert answer.status == 421
    assert b"<script" not in answer.body and b"&lt;script&gt;" in answer.body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": ORIGIN}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://evil.example", "sec-fetch-site": "same-origin"}, 403),
        ({}, 200),
    ],
)
def test_only_own_pages_and_programs_may_cause_side_effects(headers: dict[str, str], status: int) -> None:
    """Other sites, other ports of this machine, and pages without an origin are refused."""
    assert post(guarded(), headers | JSON).status == status
    assert ask(guarded(), "DELETE", "/do", headers=headers).status == status


def test_repeated_header_is_invalid() -> None:
    """A repeated header counts as invalid, since a proxy may have read the other value."""
    headers = [(b"host", b"localhost"), (b"host", b"127.0.0.1")]
    repeated = single_header(Request({"type": "http", "headers": headers}), "host")
    assert host_name(repeated) not in guarded().hosts


def test_cookie_or_token_does_not_admit_another_site() -> None:
    """A cookie needs the origin of our own pages."""
    guard = guarded(TOKEN)
    cookie = {"cookie": f"{guard.access.cookie}={guard.access.stamp}"}
    assert post(guard, cookie | JSON | {"origin": "http://evil.example"}).status == 403
    assert post(guard, BEARER | JSON | {"origin": "http://evil.example"}).status == 403
    assert post(guard, cookie | JSON).status == 403
    assert post(guard, cookie | JSON | {"sec-fetch-site": "same-origin"}).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None])
def test_form_data_is_not_read(kind: str | None) -> None:
    """Only JSON is read, which forms on other sites cannot send."""
    headers = {} if kind is None else {"content-type": kind}
    answer = post(guarded(), headers, body=[b'{"text": "x"}'])
    assert (answer.status, answer.read) == (415, 0)
    assert "application/json" in answer.error


def test_large_body_is_refused_before_it_is_read() -> None:
    """A body is not read if its announced length is too large."""
    headers = JSON | {"content-length": "10000000"}
    answer = post(guarded(), headers, body=[b"x" * 1000] * 10_000)
    assert (answer.status, answer.read) == (413, 0)
    assert "2,000,000 bytes" in answer.error
    assert answer.headers["connection"] == "close"


def test_large_body_in_chunks_is_refused_while_it_arrives() -> None:
    """A body in chunks is not read beyond the limit."""
    answer = post(guarded(max_body=5000), JSON, body=[b"x" * 1000] * 10_000)
    assert (answer.status, answer.read) == (413, 6000)


def test_slow_requests_and_slow_responses_time_out() -> None:
    """Time limits apply until the first byte of the response."""

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        if scope["path"] != "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    assert ask(guarded(app=slow, seconds=0.05)).status == 504
    assert ask(guarded(app=slow, seconds=0.05), path="/stream").body == b"done"
    late = post(guarded(seconds=0.05), JSON, body=[b"1"] * 100, wait=0.01)
    assert late.status == 408 and "did not arrive" in late.error


def test_error_of_the_app_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The error is logged, and the client gets a message without the traceback."""

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("a secret path")

    answer = ask(guarded(app=broken))
    assert answer.status == 500 and b"secret" not in answer.body
    assert "a secret path" in caplog.text


def test_web_sockets_are_refused() -> None:
    """A web socket is closed at once."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guarded()({"type": "websocket"}, None, send))  # type: ignore[arg-type]
    assert sent == [{"type": "websocket.close", "code": 1008}]

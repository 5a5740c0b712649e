"""The guard lets in whom it should, and nobody else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from naturalness.studio.web import security
from naturalness.studio.web.refusals import STYLE, STYLE_HASH
from naturalness.studio.web.running import host_name
from naturalness.studio.web.security import Guard
from naturalness.studio.web.tokens import Access
from tests.support.asking import HOST, Answer, ask

TOKEN = "a-token-of-enough-letters"
ORIGIN = f"http://{HOST}"
JSON = {"content-type": "application/json"}
BEARER = {"authorization": f"Bearer {TOKEN}"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Tells how many bytes it was given."""
    message = await receive()
    assert not message["more_body"]
    body = json.dumps({"bytes": len(message["body"]), "path": scope["path"]}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def guarded(token: str = "", app: Any = echo, **settings: Any) -> Guard:
    """The guard before an app."""
    settings = {"hosts": {"127.0.0.1", "localhost"}, "access": Access(token), **settings}
    return Guard(app, **settings)


def post(guard: Guard, headers: dict[str, str], **more: Any) -> Answer:
    """A request that does something."""
    return ask(guard, "POST", "/do", headers=headers, **more)


def test_every_answer_forbids_what_no_page_needs() -> None:
    """Scripts, frames, referrers, guesses at types, uses by other sites, copies in a cache."""
    for answer in (ask(guarded()), ask(guarded(TOKEN)), post(guarded(), {})):
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


def test_an_app_may_bring_a_policy_of_its_own() -> None:
    """A header that is there is not sent twice."""

    async def own(scope: Any, receive: Any, send: Any) -> None:
        policy = (b"content-security-policy", b"default-src 'self'")
        await send({"type": "http.response.start", "status": 200, "headers": [policy]})
        await send({"type": "http.response.body", "body": b""})

    assert ask(guarded(app=own)).headers["content-security-policy"] == "default-src 'self'"


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
def test_only_known_names_are_answered(host: str, status: int) -> None:
    """A foreign name that was made to point here is turned away."""
    answer = ask(guarded(), headers={"host": host})
    assert answer.status == status
    if status == 421:
        assert "127.0.0.1, localhost" in answer.error


def test_with_a_token_numbers_are_answered_too() -> None:
    """No name can be made to point at a number's page, and the token is asked for all the same."""
    assert ask(guarded(TOKEN), headers={"host": "192.168.1.5:8000"}).status == 401
    assert ask(guarded(TOKEN), headers={"host": "[fe80::1]:8000"}).status == 401
    assert ask(guarded(TOKEN), headers={"host": "evil.example"}).status == 421


@pytest.mark.parametrize(
    ("header", "name"), [("[::1]:80", "::1"), ("[::1]", "::1"), ("a.example:1", "a.example"), ("a:b", ""), ("", "")]
)
def test_names_of_host_headers(header: str, name: str) -> None:
    """Ports go, brackets of addresses too; what is no port makes it no name."""
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
def test_without_the_token_nobody_comes_in(headers: dict[str, str]) -> None:
    """None, a wrong one, one in the wrong place; and the words say what to do."""
    for answer in (ask(guarded(TOKEN), headers=headers), post(guarded(TOKEN), headers | JSON)):
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer" in answer.error
        assert TOKEN not in answer.body.decode()


def test_a_program_sends_the_token_as_a_header() -> None:
    """It needs neither cookie nor origin."""
    assert ask(guarded(TOKEN), headers=BEARER).status == 200
    assert post(guarded(TOKEN), BEARER | JSON).status == 200


def test_the_address_with_the_token_sets_a_cookie_and_becomes_clean() -> None:
    """The cookie is for this server alone, out of reach of scripts and other sites."""
    guard = guarded(TOKEN)
    answer = ask(guard, path="/a b", query=f"x=1&token={TOKEN}&y=%26")
    assert (answer.status, answer.headers["location"]) == (303, "/a%20b?x=1&y=%26")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    headers = {"cookie": "other=1; bad[=2; " + cookie.partition(";")[0]}
    assert ask(guard, headers=headers).status == 200
    assert post(guard, headers | JSON | {"origin": ORIGIN}).status == 200
    assert ask(guarded(TOKEN + "2"), headers=headers).status == 401


def test_a_link_of_another_site_leads_in_by_a_step_of_our_own() -> None:
    """After a redirect from there a browser would not send the cookie."""
    headers = {"accept": "text/html", "sec-fetch-site": "cross-site"}
    answer = ask(guarded(TOKEN), query=f"token={TOKEN}&a=%22%3E%3Cb&c", headers=headers)
    assert answer.status == 200 and "set-cookie" in answer.headers
    assert b'content="0; url=/?a=%22%3E%3Cb&amp;c="' in answer.body


def test_the_clean_address_is_never_that_of_another_host() -> None:
    """A path of two slashes would be one."""
    for path in ("//evil.example/", "/\\evil.example"):
        location = ask(guarded(TOKEN), path=path, query=f"token={TOKEN}").headers["location"]
        assert location.startswith("/") and location[1] not in "/\\"


def test_a_wrong_token_in_the_address_is_refused() -> None:
    """Also where it is sent with a request that does something."""
    assert ask(guarded(TOKEN), query="token=wrong").status == 401
    assert post(guarded(TOKEN), JSON, query=f"token={TOKEN}").status == 401


def test_a_ticket_opens_once() -> None:
    """Whoever reads the address later finds it used."""
    guard = guarded(TOKEN)
    ticket = guard.access.ticket()
    assert ask(guard, query=f"token={ticket}").status == 303
    assert ask(guard, query=f"token={ticket}").status == 401


def test_a_browser_without_the_token_sees_a_page_that_asks_for_it() -> None:
    """Its style is the one that the policy names."""
    answer = ask(guarded(TOKEN), headers={"accept": "text/html,*/*"})
    assert answer.status == 401 and b'name="token"' in answer.body
    assert STYLE_HASH in answer.headers["content-security-policy"]
    assert f"<style>{STYLE}</style>".encode() in answer.body


def test_words_of_a_request_are_escaped_on_a_page() -> None:
    """A name from a header is text."""
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
def test_only_own_pages_and_programs_have_work_done(headers: dict[str, str], status: int) -> None:
    """Not another site, nor another port of this machine, nor a page without an origin."""
    assert post(guarded(), headers | JSON).status == status
    assert ask(guarded(), "DELETE", "/do", headers=headers).status == status


@pytest.mark.parametrize("name", ["origin", "sec-fetch-site", "host", "authorization", "content-type"])
def test_a_header_that_is_repeated_counts_for_nothing(name: str) -> None:
    """Another program on the way may have read the other one."""
    headers = {"host": HOST, "origin": ORIGIN, "sec-fetch-site": "none"} | BEARER | JSON
    if name == "sec-fetch-site":
        del headers["origin"]

    async def status() -> int:
        codes: list[int] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            codes.append(message.get("status", 0))

        pairs = [(key.encode(), value.encode()) for key, value in headers.items()]
        pairs.append((name.encode(), headers[name].encode()))
        scope = {"type": "http", "method": "POST", "path": "/do", "query_string": b"", "headers": pairs}
        await guarded(TOKEN)(scope, receive, send)
        return codes[0]

    assert post(guarded(TOKEN), headers).status == 200
    assert asyncio.run(status()) in (401, 403, 415, 421)


def test_another_site_gains_nothing_by_the_cookie_or_the_token() -> None:
    """A cookie alone, without a word on where the request is from, is not enough either."""
    guard = guarded(TOKEN)
    cookie = {"cookie": f"{guard.access.cookie}={guard.access.stamp}"}
    assert post(guard, cookie | JSON | {"origin": "http://evil.example"}).status == 403
    assert post(guard, BEARER | JSON | {"origin": "http://evil.example"}).status == 403
    assert post(guard, cookie | JSON).status == 403
    assert post(guard, cookie | JSON | {"sec-fetch-site": "same-origin"}).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None])
def test_what_a_form_can_send_is_not_read(kind: str | None) -> None:
    """Only JSON, which another site cannot send without being asked first."""
    headers = {} if kind is None else {"content-type": kind}
    answer = post(guarded(), headers, body=[b'{"text": "x"}'])
    assert (answer.status, answer.read) == (415, 0)
    assert "application/json" in answer.error


def test_a_large_body_is_refused_before_it_is_read() -> None:
    """Its length is told ahead."""
    headers = JSON | {"content-length": "10000000"}
    answer = post(guarded(), headers, body=[b"x" * 1000] * 10_000)
    assert (answer.status, answer.read) == (413, 0)
    assert "2,000,000 bytes" in answer.error
    assert answer.headers["connection"] == "close"


def test_a_large_body_in_chunks_is_refused_while_it_comes() -> None:
    """Its length is not told; what is beyond the limit is not read."""
    answer = post(guarded(max_body=5000), JSON, body=[b"x" * 1000] * 10_000)
    assert (answer.status, answer.read) == (413, 6000)


def test_a_slow_request_and_a_slow_answer_come_to_an_end() -> None:
    """With words; an answer that has begun may take its time."""

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


def test_an_error_of_the_app_is_told_without_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    """The client reads words; the trace is in the server's own messages."""

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("a secret path")

    answer = ask(guarded(app=broken))
    assert answer.status == 500 and b"secret" not in answer.body
    assert "a secret path" in caplog.text


def test_web_sockets_are_closed() -> None:
    """No page of ours uses any."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guarded()({"type": "websocket"}, None, send))  # type: ignore[arg-type]
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_slow_bodies_of_one_address_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest of the address that has most of them is given up; a request whose body is there is answered."""
    monkeypatch.setattr(security, "MAX_ARRIVING", 3)
    guard = guarded()
    codes: list[tuple[str, int]] = []

    async def request(address: str, *, slow: bool) -> None:
        async def receive() -> Any:
            if slow:
                await asyncio.sleep(60)
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            if "status" in message:
                codes.append((address, message["status"]))

        headers = [(key.encode(), value.encode()) for key, value in {"host": HOST, **JSON}.items()]
        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
        await guard(scope | {"client": (address, 1)}, receive, send)

    async def attack() -> None:
        slow = [asyncio.create_task(request("10.0.0.2", slow=True))]
        slow += [asyncio.create_task(request("10.0.0.1", slow=True)) for _ in range(512)]
        await asyncio.sleep(0.1)
        assert codes == [("10.0.0.1", 408)] * 510
        await request("10.0.0.3", slow=False)
        await request("10.0.0.1", slow=False)
        await asyncio.sleep(0.1)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(attack())
    assert sorted(codes) == sorted([("10.0.0.1", 408)] * 511 + [("10.0.0.3", 200), ("10.0.0.1", 200)])

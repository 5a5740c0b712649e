"""Failures of the server lose no rating and store none twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.annotation_pages import OpenRater, Rater, eventually

pytestmark = pytest.mark.slow


def says(status: int, words: str = "", kind: str = "application/json") -> Callable[[Any], None]:
    """Return a handler that replies in place of the project."""
    body = json.dumps({"error": words}) if kind == "application/json" else "<p>Bad gateway</p>"
    return lambda route: route.fulfill(status=status, content_type=kind, body=body)


def reply_lost(route: Any) -> None:
    """Deliver the request, and lose the reply."""
    route.fetch()
    route.abort("connectionreset")


NO_ROOM = "there is no room on the disk"
WAYS: dict[str, tuple[Callable[[Any], None], str]] = {
    "refused": (lambda route: route.abort("connectionrefused"), "does not answer"),
    "reply lost": (reply_lost, "does not answer"),
    "full disk": (says(507, NO_ROOM), NO_ROOM),
    "failed": (says(500, "something broke"), "something broke"),
    "a proxy": (says(502, kind="text/html"), "does not answer"),
    "a page": (says(200, kind="text/html"), "does not answer"),
    "another project": (says(421, "another project is open here now"), "another project"),
    "another server": (says(404, "nothing at /api/answer"), "nothing at"),
    "another token": (says(401, "a token is needed"), "open the address"),
}
"""How a request fails, and what the page says about it."""


def fail(rater: Rater, path: str, way: Callable[[Any], None], times: int = 1) -> None:
    """Make the next requests to an address fail."""
    rater.page.route(f"**{path}*", way, times=times)
    # A busy browser may let a request pass just after the route was set.
    rater.page.route("**/probe", lambda route: route.abort())
    eventually(lambda: bool(rater.page.evaluate("fetch('/probe').then(() => false, () => true)")))


def watch(rater: Rater) -> None:
    """Record the notices of the page."""
    rater.page.evaluate(
        """() => {
          const box = document.getElementById("notice");
          window.notices = [];
          new MutationObserver(() => window.notices.push(box.textContent))
            .observe(box, { childList: true });
        }"""
    )


def notices(rater: Rater) -> str:
    """Return the notices since the last call."""
    messages: list[str] = rater.page.evaluate("window.notices.splice(0)")
    return " ".join(messages)


def test_rating_is_sent_until_it_is_stored(rate_here: OpenRater) -> None:
    """A rating is stored once, after any failure; until then, the page shows the failure."""
    ann = rate_here()
    watch(ann)
    for number, (name, (way, words)) in enumerate(WAYS.items()):
        fail(ann, "/api/answer", way)
        ann.press(str(number % 3 + 1))
        assert words in (said := notices(ann)), name
        assert "is kept in this browser" in said
        assert ann.notice == ""
        assert ann.values == [float(n % 3) for n in range(number + 1)], name


def test_undo_is_sent_until_it_is_done(rate_here: OpenRater) -> None:
    """An undo takes back one answer, even if its reply is lost."""
    ann = rate_here()
    watch(ann)
    for name in ("refused", "reply lost", "full disk"):
        way, words = WAYS[name]
        ann.press("1")
        ann.press("1")
        fail(ann, "/api/undo", way)
        ann.press("u")
        assert words in notices(ann), name
        ann.press("3")
    assert ann.values == [0.0, 2.0] * 3


def test_next_question_may_come_late(rate_here: OpenRater, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only the next question fails to load, the stored answer is not sent again."""
    ann = rate_here()
    watch(ann)
    desk = ann.desk
    ask, fails = desk.next, [True, True]

    def broken(rater: str) -> Any:
        if fails:
            fails.pop()
            raise RuntimeError("no next question")
        return ask(rater)

    monkeypatch.setattr(desk, "next", broken)
    ann.press("1")
    assert "is stored" in notices(ann)
    fails.append(True)
    ann.press("u")
    ann.press("2")
    assert ann.values == [1.0]


def test_answer_survives_its_page(rate_here: OpenRater) -> None:
    """An unsent answer stays in the browser, and any page of the project sends it."""
    ann = rate_here()
    for way in (WAYS["full disk"], WAYS["another project"], WAYS["another server"]):
        fail(ann, "/api/answer", way[0], times=99)
        before = len(ann.values)
        ann.page.keyboard.press("1")
        eventually(lambda words=way[1]: words in ann.notice)  # type: ignore[misc]
        ann.page.unroute_all()
        ann.page.goto(f"{ann.server.base}/rater")
        ann.page.goto(f"{ann.server.base}/")
        ann.wait_for_sentence()
        ann.wait_until_free()
        assert len(ann.values) == before + 1
    assert ann.page.evaluate("Object.keys(localStorage).filter(k => k.includes('answer'))") == []


def test_refused_answer_is_reported(rate_here: OpenRater) -> None:
    """An answer to a question that was answered in another window is not sent again."""
    ann = rate_here()
    two = rate_here(beside=ann)
    assert two.text == ann.text
    two.page.route("**/api/live*", lambda route: route.abort())
    ann.press("1")
    two.press("3")
    eventually(lambda: "another window" in two.notice)
    assert two.text == ann.text
    assert two.page.evaluate("Object.keys(localStorage).filter(k => k.includes('answer'))") == []
    two.press("2")
    assert ann.values == [0.0, 1.0]

"""The page of the server in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.annotation_pages import eventually
from tests.support.servers import Server, serving

TEXT = "He go to the school yesterday and she were happy."
TAGS = 'He go home <script>alert(1)</script> <img src=x onerror=alert(2)> & she were "happy".'

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A running server."""
    with serving() as running:
        yield running


on_screens = pytest.mark.parametrize("page", [(1280, "light"), (390, "dark")], ids=["wide", "narrow"], indirect=True)


@pytest.fixture
def page(request: Any, browser: Any, server: Server) -> Iterator[Any]:
    """Open the page, on a wide light screen unless the test says otherwise, and require an empty console."""
    width, scheme = getattr(request, "param", (1280, "light"))
    said: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(server.address)
    yield page
    context.close()
    # What the browser itself says of a server that is gone is no fault of the page.
    assert [message for message in said if not message.startswith("Failed to load")] == []


def judge(page: Any, text: str) -> None:
    """Paste a text and wait for the complete result."""
    page.fill("#text", text)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#raising h3", timeout=60_000)


@on_screens
def test_pasted_text_gets_a_result(page: Any) -> None:
    """The result has score, marks, findings, edits and causes, and fits the screen."""
    judge(page, TEXT)
    assert "unnatural" in page.inner_text("#result h2")
    assert page.inner_text("#status").startswith("0.")
    assert "places marked" in page.inner_text("#status")
    assert page.inner_text("p.said") == TEXT
    assert page.locator("p.said a.s").first.inner_text() == "go"
    assert page.locator("ol.found li").count() >= 2
    assert page.locator("table.causes tbody tr").count() > 5
    edges = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(edges)


def test_an_edit_is_applied_by_keyboard(page: Any) -> None:
    """An edit that is applied by keyboard changes the text, which is scored at once and scores higher."""
    judge(page, TEXT)
    before = float(page.inner_text("#result h2 b"))
    suggestion = page.inner_text("ul.changes li:first-child p").partition("): ")[2]
    page.locator("ul.changes button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("t => document.querySelector('p.said')?.innerText === t", arg=suggestion)
    assert page.input_value("#text") == suggestion
    assert float(page.inner_text("#result h2 b")) > before
    page.wait_for_selector("#raising h3", timeout=60_000)


def test_markup_in_a_text_is_text(page: Any) -> None:
    """Markup in a text is displayed as typed, and scripts do not run."""
    judge(page, TAGS)
    assert page.inner_text("p.said") == TAGS
    assert page.locator("#result script, #result img").count() == 0


def test_missing_scores_and_failures_are_announced(page: Any, server: Server) -> None:
    """The page announces missing scores and failures, to screen readers too."""
    page.fill("#text", "…")
    page.click("button.main")
    page.wait_for_selector("#result article")
    assert page.inner_text("#status") == "No score: no words."
    page.route("**/explain", lambda route: route.fulfill(status=200, content_type="application/json", body="{"))
    page.fill("#text", "Another text.")
    page.click("button.main")
    page.wait_for_selector("#problem:not(:empty)")
    assert "as expected (status 200)" in page.inner_text("#problem")
    page.unroute("**/explain")
    page.route("**/explain", lambda route: route.abort("connectionrefused"))
    page.click("button.main")
    eventually(lambda: "does it still run" in page.inner_text("#problem"))
    page.unroute("**/explain")
    page.click("button.main")
    page.wait_for_selector("#raising h3", timeout=60_000)
    assert page.inner_text("#problem") == ""
    assert page.get_attribute("#problem", "role") == "alert"
    assert page.get_attribute("#status", "role") == "status"


@on_screens
def test_page_is_accessible(page: Any, axe: Any) -> None:
    """axe-core finds no violation."""
    judge(page, TEXT)
    violations = axe.run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in violations] == []

"""Projects, servers of their pages, and raters in a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from naturalness.studio.annotate.pages.app import build_app
from naturalness.studio.annotate.pages.desk import Desk, Learning
from naturalness.studio.annotate.project import Project, Scale
from naturalness.studio.web.running import listen
from naturalness.studio.web.security import Guard
from naturalness.studio.web.tokens import Access
from tests.support.annotation_pages import NATURAL, TOKEN, MakeDesk, OpenRater, Rater, Server
from tests.support.rated import sentences


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[MakeDesk]:
    """Create projects of texts with one rater each; nothing is measured or learned unless it is started."""
    desks: list[Desk] = []

    def make(
        texts: Sequence[str] = (),
        scale: Scale = NATURAL,
        *,
        name: str = "hotel.project",
        cells: Callable[[int], dict[str, Any]] = lambda number: {},
        **options: Any,
    ) -> Desk:
        raw_texts = list(texts) or [text for text, _, _ in sentences(24)]
        rows = [(text, {"text": text, "n": i, **cells(i)}) for i, text in enumerate(raw_texts)]
        project = Project.create(tmp_path / name, rows, scale, **{"overlap": 1, **options})
        desks.append(Desk(project, Learning(project, ["surface"])))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()


@pytest.fixture
def run_desk() -> Iterator[Callable[[Desk], str]]:
    """Run the pages of a desk in this process, and return their address with the token."""
    import uvicorn

    running: list[tuple[Any, threading.Thread]] = []

    def run(desk: Desk) -> str:
        endpoint = listen("127.0.0.1", 0)
        app = Guard(build_app(desk), hosts={"127.0.0.1"}, access=Access(TOKEN))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", http="h11", ws="none"))
        thread = threading.Thread(target=server.run, args=([endpoint.socket],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        running.append((server, thread))
        return endpoint.address(TOKEN)

    yield run
    for server, thread in running:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server on a new project of some sentences; it is killed after the test."""
    servers: list[Server] = []

    def start(texts: Sequence[str], *options: str) -> Server:
        table = tmp_path / "texts.txt"
        table.write_text("\n".join(dict.fromkeys(texts)) + "\n", encoding="utf-8")
        server = Server(tmp_path / "hotel.project", tmp_path)
        servers.append(server)
        server.start(str(table), "-o", str(server.project), *options)
        return server

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def new_rater(browser: Any) -> Iterator[OpenRater]:
    """Open a browser for a rater; the test fails if its console shows a message."""
    sessions: list[tuple[Rater, Any]] = []

    def open_one(server: Any, name: str = "Ann", **options: Any) -> Rater:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        rater = Rater(context.new_page(), server, name)
        sessions.append((rater, context))
        rater.enter()
        return rater

    yield open_one
    said = [message for rater, _ in sessions for message in rater.said]
    for _, context in sessions:
        context.close()
    # The browser itself reports requests that failed or were refused.
    assert [one for one in said if not one.startswith("Failed to load resource")] == []


@pytest.fixture
def rate_here(make_desk: MakeDesk, run_desk: Callable[[Desk], str], new_rater: OpenRater) -> OpenRater:
    """Open a browser for a rater on pages that run in this process, which is quicker than a server of its own.

    ``beside`` is a rater of the same project in another browser; ``view`` holds options of the browser's window.
    """

    def open_one(
        texts: Sequence[str] = (),
        scale: Scale = NATURAL,
        *,
        name: str = "Ann",
        beside: Rater | None = None,
        view: dict[str, Any] | None = None,
        **options: Any,
    ) -> Rater:
        if beside is None:
            desk = make_desk(texts, scale, **options)
            url = run_desk(desk)
            server: Any = SimpleNamespace(url=url, base=url.partition("/?")[0])
        else:
            desk, server = beside.desk, beside.server
        rater = new_rater(server, name, **(view or {}))
        rater.desk = desk
        return rater

    return open_one

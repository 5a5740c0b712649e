"""Annotation pages opened by a test client, and servers with a browser."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from naturalness.studio.annotate.pages.app import build_app
from naturalness.studio.annotate.pages.desk import Desk
from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Scale
from naturalness.studio.web.security import Guard
from naturalness.studio.web.tokens import Access

NATURAL = Scale(LABELS, 0.0, 2.0, ("unnatural", "not sure", "natural"))
SCALES = {"natural": NATURAL, "points": Scale(POINTS, 1.0, 6.0), "slider": Scale(SLIDER, 0.0, 100.0)}
TOKEN = "of-the-tests-and-no-secret"
HOST = "http://127.0.0.1:8710"
MakeDesk = Callable[..., Desk]


class Pages:
    """The pages of a desk, requested with the token."""

    def __init__(self, desk: Desk, rater: str = "Ann") -> None:
        self.desk, self.rater = desk, rater
        app = Guard(build_app(desk), hosts={"127.0.0.1"}, access=Access(TOKEN))
        self.client = TestClient(app, base_url=HOST, follow_redirects=False)
        self.client.headers["authorization"] = f"Bearer {TOKEN}"

    def get(self, path: str, **params: str) -> Any:
        """Return a page, or the JSON that the page's scripts request."""
        common = {"project": self.desk.identity, "rater": self.rater}
        return self.client.get(path, params={**common, **params} if "/api/" in path else params)

    def post(self, path: str, **body: Any) -> Any:
        """Send an action as the page's scripts do."""
        common = {"project": self.desk.identity, "rater": self.rater}
        return self.client.post(path, json={**common, **body}, headers={"origin": HOST})

    def turn(self) -> Any:
        """Return the rater's current turn."""
        response = self.get("/api/turn")
        assert response.status_code == 200, response.text
        return response.json()["turn"]

    def rate(self, value: float | None, **extra: Any) -> Any:
        """Answer the open question; return the reply."""
        number = self.turn()["question"]["number"]
        response = self.post("/api/answer", question=number, value=value, **extra)
        assert response.status_code == 200, response.text
        return response.json()


class Server:
    """`naturalness annotate` in a separate process, on a fixed port."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project, self.home = project, home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self, *arguments: str) -> str:
        """Start the process; return the address that it prints."""
        command = [
            sys.executable,
            "-c",
            "from naturalness.cli import main; main()",
            "annotate",
            *(arguments or [str(self.project)]),
            "--port",
            str(self.port),
            "--model",
            "fast",
            "--no-browser",
        ]
        folders = {"XDG_STATE_HOME": "state", "NATURALNESS_STORE": "features"}
        variables = {"HOME": str(self.home), **{name: str(self.home / path) for name, path in folders.items()}}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables})
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            if match := re.search(r"http://\S+", line):
                self.url = match.group()
                return self.url
        raise AssertionError(f"it did not start: {said}")

    @property
    def base(self) -> str:
        """Return the address without its token."""
        return self.url.partition("/?")[0]

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop the process as Ctrl-C does; return its exit code."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        self.process = None
        return code


class Rater:
    """A rater with a page in a browser."""

    desk: Desk
    """What is behind the page, where it runs in this process."""

    def __init__(self, page: Any, server: Any, name: str) -> None:
        """``server`` has a ``url`` with the token and a ``base`` without it."""
        self.page, self.server, self.name = page, server, name
        self.said: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))

    def enter(self) -> None:
        """Open the printed address and enter a name."""
        self.page.goto(self.server.url)
        self.page.fill("#name", self.name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(f"{self.server.base}/")
        self.wait_for_sentence()

    def wait_for_sentence(self) -> None:
        """Wait until a sentence is shown."""
        self.page.wait_for_selector("#sentence .word", state="attached")

    @property
    def text(self) -> str:
        """Return the sentence on the page."""
        return str(self.page.inner_text("#sentence"))

    @property
    def done(self) -> int:
        """Return the number of rated texts that the page shows."""
        return int(self.page.inner_text("#done").split()[0])

    @property
    def notice(self) -> str:
        """Return the page's notice about its server or other windows."""
        return str(self.page.inner_text("#notice"))

    @property
    def is_cut_off(self) -> bool:
        """Return whether the page says that its server does not answer."""
        return "does not answer" in self.notice

    @property
    def values(self) -> list[float | None]:
        """Return the rater's stored values; None for a skipped text."""
        return [rating.answer.value for rating in self.desk.answered(self.name)]

    def press(self, key: str) -> None:
        """Press a key and wait until the page has moved on."""
        before = self.page.inner_text("#said")
        self.page.keyboard.press(key)
        self.wait_for_other(before)

    def wait_until_free(self) -> None:
        """Wait until no request is in progress."""
        self.page.wait_for_selector('.asked[aria-busy="false"]', state="attached")

    def wait_for_other(self, before: str) -> None:
        """Wait until the text for screen readers changes."""
        self.page.wait_for_function("before => document.getElementById('said').innerText !== before", arg=before)

    def is_open(self, selector: str) -> bool:
        """Return whether a part that can be folded is unfolded."""
        return self.page.locator(selector).get_attribute("open") is not None


PATIENCE = 90.0
"""Seconds that a busy machine is waited for."""


def eventually(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition did not become true"
        time.sleep(0.05)


OpenRater = Callable[..., Rater]

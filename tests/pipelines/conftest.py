"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def quiet_page(browser: Any, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Opens a page's source on a phone's screen; nothing may be said on the console."""
    said: list[str] = []
    opened: list[Any] = []

    def open_page(source: str) -> Any:
        target = tmp_path / "page.html"
        target.write_text(source, encoding="utf-8")
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto(target.as_uri())
        opened.append(page)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert said == []

"""Documents made by hand, so that no value depends on a trained parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from tests.support.browser import chromium, package

Build = Callable[[str], Doc]

# How long an example takes says something of the machine and what else runs on it; tests of time
# (tests/test_growth.py) say so themselves.
hypothesis.settings.register_profile("any-machine", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("any-machine")


@pytest.fixture(scope="session", autouse=True)
def no_store() -> Iterator[None]:
    """Commands measure each time, and leave the user's cache folder alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NATURALNESS_STORE", "none")
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium; of a module, as no loop of asyncio can run beside it in its thread."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def axe() -> Any:
    """axe-core, which finds what stands in the way of people who read otherwise."""
    return package("axe_playwright_python.sync_playwright", "axe-playwright-python").Axe()


def build_doc(vocab: Vocab, table: str) -> Doc:
    """A Doc from lines ``text lemma POS TAG head relation``; ``text_`` has no space behind.

    Heads are numbers of lines, from 0; an empty line starts a new sentence.
    """
    rows: list[list[str]] = []
    starts: list[bool] = []
    fresh = True
    for line in table.strip().split("\n"):
        if line.strip():
            rows.append(line.split())
            starts.append(fresh)
        fresh = not line.strip()
    columns: dict[str, Any] = {
        "words": [r[0].rstrip("_") for r in rows],
        "spaces": [not r[0].endswith("_") for r in rows],
        "lemmas": [r[1] for r in rows],
        "pos": [r[2] for r in rows],
        "tags": [r[3] for r in rows],
        "heads": [int(r[4]) for r in rows],
        "deps": ["ROOT" if int(r[4]) == i else r[5] for i, r in enumerate(rows)],
        "sent_starts": starts,
    }
    columns["spaces"][-1] = False
    return Doc(vocab, **columns)


@pytest.fixture(scope="session")
def build() -> Build:
    """Builds a Doc from a table."""
    vocab = spacy.blank("en").vocab
    return lambda table: build_doc(vocab, table)


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

"""Fixtures for all tests, and Docs made by hand so that no value depends on a trained parser."""

from __future__ import annotations

import os

# As many workers as cores: threads of NumPy and others would wait for each other. Read when NumPy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import spacy

from tests.support.browser import chromium, package
from tests.support.documents import Build, build_doc

# How long an example takes says something of the machine and what else runs on it; tests of time
# (tests/test_growth.py) say so themselves.
hypothesis.settings.register_profile("any-machine", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("any-machine")


NEEDS = {
    "mcp_types": ("integrations/test_mcp.py",),
    "sacrebleu": ("metrics/test_bleu.py", "metrics/test_metrics.py"),
    "polars": ("integrations/test_frames.py",),
    "starlette": ("studio/annotate/pages", "studio/web/test_security.py"),
    "onnx": (
        "features/test_impression.py",
        "models/language/neural",
        "models/parsers/chart",
        "models/test_detector.py",
        "training/constituency/test_tensors.py",
        "training/detector/test_shipped.py",
    ),
    "pygls": ("integrations/test_lsp.py",),
    "uvicorn": ("cli/test_annotate.py",),
}
"""What only the extra `test` brings, and the tests that do without no line of it; left out where it is missing."""
collect_ignore = [path for package, paths in NEEDS.items() if find_spec(package) is None for path in paths]


@pytest.fixture(scope="session", autouse=True)
def no_store() -> Iterator[None]:
    """Make commands measure every time and leave the user's cache folder alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NATURALNESS_STORE", "none")
        yield


@pytest.fixture(scope="session", autouse=True)
def one_core() -> Iterator[None]:
    """Run commands in one process unless a test names a number: pytest-xdist has a worker on each core."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Run headless Chromium for a module: no asyncio loop can run beside it in its thread."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def axe() -> Any:
    """Return the source of axe-core, which checks accessibility."""
    return package("axe_playwright_python.sync_playwright", "axe-playwright-python").Axe()


@pytest.fixture(scope="session")
def build() -> Build:
    """Return a function that builds a Doc from a table."""
    vocab = spacy.blank("en").vocab
    return lambda table: build_doc(vocab, table)


@pytest.fixture
def quiet_page(browser: Any, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Return a function that opens a page's source on a phone screen; the console must stay empty."""
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

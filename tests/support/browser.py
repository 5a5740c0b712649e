"""Headless Chromium for tests.

Tests need Playwright (`pip install playwright`) and Debian's Chromium; tests of accessibility need axe-core (`pip
install axe-playwright-python`). Where one is missing the tests skip, or fail if the environment says
``NATURALNESS_BROWSER=required``, as `.ci/run` does.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

VARIABLE = "NATURALNESS_BROWSER"
NAMES = ("chromium", "chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
)


def missing(what: str) -> NoReturn:
    """Skip a test, or fail it where browsers are required."""
    if os.environ.get(VARIABLE) == "required":
        pytest.fail(f"{what}, and {VARIABLE}=required", pytrace=False)
    pytest.skip(what)


def package(name: str, project: str) -> Any:
    """Import a package that only browser tests need."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing(f"needs {name}: pip install {project}")


@contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser that makes no requests of its own."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing("needs Chromium: apt-get install chromium")
    with package("playwright.sync_api", "playwright").sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield running
        running.close()

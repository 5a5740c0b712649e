"""Headless Chromium for tests, started in one way; and what stands where it cannot be had.

Playwright (`pip install playwright`), axe-core for the tests of accessibility
(`pip install axe-playwright-python`) and Debian's Chromium are needed. Where one is missing the
tests skip, unless the environment says ``NATURALNESS_BROWSER=required``, as `.ci/run` does: then
they fail.
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
    """A package that only these tests need."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing(f"needs {name}: pip install {project}")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser that loads nothing by itself."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing("needs Chromium: apt-get install chromium")
    with package("playwright.sync_api", "playwright").sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield running
        running.close()

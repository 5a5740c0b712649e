"""Documents made by hand, so that no value depends on a trained parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from tests.browser import chromium, package

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

"""Fixtures that the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra web")
pytest.importorskip("httpx", reason="needs httpx")

from naturalness.studio.serve.app import make_app
from naturalness.studio.serve.reading import Limits
from naturalness.studio.serve.service import Service
from naturalness.studio.serve.worker import Judge
from naturalness.studio.web.running import names_of
from naturalness.studio.web.security import Guard

LIMITS = Limits(texts=300, explained=5, characters=2000, body=200_000)


@pytest.fixture(scope="session")
def judge() -> Judge:
    """Return a judge with the fast model."""
    return Judge("fast")


@contextmanager
def asking(judge: Judge) -> Iterator[Any]:
    """Yield a client of the whole server, including its guard."""
    from starlette.testclient import TestClient

    app = Guard(make_app(Service(judge, LIMITS)), hosts=names_of("127.0.0.1"), max_body=LIMITS.body)
    with TestClient(app, base_url="http://127.0.0.1:8000") as test_client:
        yield test_client


@pytest.fixture
def client(judge: Judge) -> Iterator[Any]:
    """Yield a client of a server with the fast model."""
    with asking(judge) as test_client:
        yield test_client

"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra web")
pytest.importorskip("httpx", reason="needs httpx")

from naturalness.serve.app import make_app
from naturalness.serve.limits import Limits
from naturalness.serve.service import Service
from naturalness.serve.worker import Judge
from naturalness.web.running import names_of
from naturalness.web.security import Guard

LIMITS = Limits(texts=300, explained=5, characters=2000, body=200_000)


@pytest.fixture(scope="session")
def judge() -> Judge:
    """The fast model."""
    return Judge("fast")


@pytest.fixture
def client(judge: Judge) -> Iterator[Any]:
    """A client of the whole server, its guard included."""
    from starlette.testclient import TestClient

    app = Guard(make_app(Service(judge, LIMITS)), hosts=names_of("127.0.0.1"), max_body=LIMITS.body)
    with TestClient(app, base_url="http://127.0.0.1:8000") as test_client:
        yield test_client

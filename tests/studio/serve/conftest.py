"""Fixtures that the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="needs the extra web")
pytest.importorskip("httpx", reason="needs httpx")

from naturalness.judging.fields import ALWAYS, FIT, SOUND
from naturalness.judging.scores import Scores
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.studio.serve.app import make_app
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.service import Service
from naturalness.studio.serve.worker import Judge
from naturalness.studio.web.running import names_of
from naturalness.studio.web.security import Guard

LIMITS = Limits(texts=300, explained=5, characters=2000, body=200_000)


@pytest.fixture(scope="session")
def judge() -> Judge:
    """Return a judge with the fast model."""
    return Judge("fast")


@pytest.fixture
def two_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make models score as if adapted: soundness equals naturalness, and fit is constant."""
    score = NaturalnessModel.score

    def adapted(model: NaturalnessModel, texts: Sequence[str], **options: Any) -> Scores:
        scores = score(model, texts, **options)
        fits = np.where(np.isnan(scores.naturalness), np.nan, 0.25)
        return replace(scores, axes={SOUND: scores.naturalness, FIT: fits})

    monkeypatch.setattr(NaturalnessModel, "score", adapted)
    monkeypatch.setattr(NaturalnessModel, "fields", lambda model, register: (*ALWAYS, SOUND, FIT))


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

"""What the tests of the server share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra web")
pytest.importorskip("httpx", reason="needs httpx")

from naturalness import NaturalnessClassifier
from naturalness.features.columns import NumberedText
from naturalness.judging.scores import Scores
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.studio.serve.app import make_app
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.service import Service
from naturalness.studio.serve.worker import Judge
from naturalness.studio.web.running import names_of
from naturalness.studio.web.security import Guard
from tests.support.rated import sentences

LIMITS = Limits(texts=300, explained=5, characters=2000, body=200_000)


@pytest.fixture(scope="session")
def judge() -> Judge:
    """The fast model."""
    return Judge("fast")


@pytest.fixture
def two_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models score as if they were adapted: as sound as natural, and all fit alike."""
    score = NaturalnessModel.score

    def adapted(model: NaturalnessModel, texts: Sequence[str], **options: Any) -> Scores:
        scores = score(model, texts, **options)
        fits = [math.nan if math.isnan(value) else 0.25 for value in scores.naturalness]
        return replace(scores, axes={"sound": scores.naturalness, "fit": fits})

    monkeypatch.setattr(NaturalnessModel, "score", adapted)


@contextmanager
def asking(judge: Judge) -> Iterator[Any]:
    """A client of the whole server, its guard included."""
    from starlette.testclient import TestClient

    app = Guard(make_app(Service(judge, LIMITS)), hosts=names_of("127.0.0.1"), max_body=LIMITS.body)
    with TestClient(app, base_url="http://127.0.0.1:8000") as test_client:
        yield test_client


@pytest.fixture
def client(judge: Judge) -> Iterator[Any]:
    """A client of the fast model."""
    with asking(judge) as test_client:
        yield test_client


def judge_beside(folder: Path, group: str, numbers: Callable[[str, bool], dict[str, float | str]]) -> Judge:
    """A small model that reads ``group`` beside a text."""
    rows = [(text, rating >= 4) for text, rating, _ in sentences(60)]
    texts = [NumberedText(text, numbers(text, good)) for text, good in rows]
    classifier = NaturalnessClassifier(features=["surface", group], learner="logistic-l2", folds=3)
    save_estimator(classifier.fit(texts, [good for _, good in rows]), folder)
    return Judge(str(folder))


@pytest.fixture(scope="session")
def replies(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A model of replies, better ones of which say again what their context has."""
    folder = tmp_path_factory.mktemp("replies") / "replies"
    return judge_beside(folder, "reply:question", lambda text, good: {"question": text if good else "Who?"})


@pytest.fixture(scope="session")
def clicks(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A model of texts with a number of one's own, higher for better ones."""
    folder = tmp_path_factory.mktemp("clicks") / "clicks"
    return judge_beside(folder, "columns:clicks", lambda text, good: {"clicks": 10.0 * good + len(text) % 5})


@pytest.fixture
def replies_client(replies: Judge) -> Iterator[Any]:
    """A client of the model of replies."""
    with asking(replies) as test_client:
        yield test_client


@pytest.fixture
def clicks_client(clicks: Judge) -> Iterator[Any]:
    """A client of the model of numbers."""
    with asking(clicks) as test_client:
        yield test_client

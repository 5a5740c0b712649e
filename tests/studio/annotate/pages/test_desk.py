"""The background thread that measures texts and learns from the answers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import NaturalnessError
from naturalness.features import extract, resolve
from naturalness.files.store import MeasurementStore
from naturalness.studio.annotate.pages import desk as module
from naturalness.studio.annotate.pages.desk import Desk, Learning
from naturalness.studio.annotate.project import Answer, Project
from naturalness.text.parsing import parse
from tests.support.annotation_pages import NATURAL, MakeDesk, eventually
from tests.support.rated import sentences

GROUPS = ["surface", "lexical"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project of 90 texts, one of which has no words."""
    rows: list[tuple[str, dict[str, Any]]] = [(text, {}) for text, _, _ in sentences(89)]
    return Project.create(tmp_path / "p.project", [*rows, ("?!", {})], NATURAL)


def test_each_text_is_measured_once(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each text gets its own row in spite of the random order; a restarted server reads the store."""
    store = MeasurementStore(tmp_path / "features").check()
    first = Learning(project, GROUPS, store=store)
    before, n = first.pool, len(project.texts())
    first.start()
    eventually(lambda: first.pool.usable.sum() == n - 1)
    assert first.measured == n and not before.usable.any()
    expected = extract(parse([text.text for text in project.texts()[:5]]), resolve(GROUPS))
    np.testing.assert_allclose(first.pool.table[:5], expected)
    first.stop()

    def fail(*_: Any, **options: Any) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("naturalness.features.measuring.read_docs", fail)
    again = Learning(project, GROUPS, store=store)
    again.start()
    eventually(lambda: again.measured == n)
    again.stop()
    np.testing.assert_array_equal(again.pool.table, first.pool.table)
    assert again.trouble == ""


@pytest.mark.parametrize("step", ["measure", "teach"])
@pytest.mark.parametrize("error", [NaturalnessError("no disk"), RuntimeError("broken")])
def test_rating_continues_after_an_error(
    make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    """The page shows the error; an error of training disappears when training succeeds."""
    works = getattr(module, step)

    def fail(*_: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr(module, step, fail)
    desk: Desk = make_desk()
    desk.learning.start()
    eventually(lambda: str(error) in desk.learning.trouble)
    question = desk.next("Ann")
    assert question is not None
    monkeypatch.setattr(module, step, works)
    desk.answer(question.number, Answer(1))
    if step == "teach":
        eventually(lambda: desk.learning.trouble == "")
        assert desk.learning.taught is not None and "a model needs 20" in desk.learning.taught.advice


def test_thread_stops_within_a_batch(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread stops within a batch, whose features are not published."""
    begun, go = threading.Event(), threading.Event()

    def wait(texts: Sequence[str], *_: Any, advance: Any, **options: Any) -> Any:
        begun.set()
        go.wait(10)
        advance(16)
        raise AssertionError("not stopped")

    monkeypatch.setattr(module, "measure", wait)
    learning = Learning(project, GROUPS)
    learning.start()
    begun.wait(10)
    learning.stop(0.0)
    go.set()
    learning.stop()
    assert (learning.measured, learning.trouble) == (0, "")


def test_model_is_trained_on_new_answers(make_desk: MakeDesk) -> None:
    """The model is trained at the start and after new answers."""
    desk = make_desk([text for text, _, _ in sentences(90)])
    desk.learning.start()
    eventually(lambda: desk.learning.measured == len(desk.project.texts()))
    for number in range(60):
        question = desk.next("Ann")
        assert question is not None
        desk.answer(question.number, Answer(float(number % 3)))
    eventually(lambda: desk.learning.taught is not None and desk.learning.taught.texts == 42)
    assert desk.learning.taught is not None and desk.learning.taught.known
    assert 2 <= desk.learning.version <= 64

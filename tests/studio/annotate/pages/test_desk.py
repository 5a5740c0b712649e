"""Measuring and teaching in the background: once, in the right rows, and whatever goes wrong."""

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
from naturalness.studio.annotate.asking.pool import Judgement, Pool
from naturalness.studio.annotate.pages import desk as module
from naturalness.studio.annotate.pages.desk import FIRST_BATCH, Measuring, Teaching, judgements_of
from naturalness.studio.annotate.project import Answer, Question, Rating, Scale
from naturalness.text.parsing import parse
from tests.support.annotation_pages import NATURAL
from tests.support.rated import sentences

GROUPS = ["surface", "lexical"]
TEXTS = list(dict.fromkeys(text for text, _, _ in sentences(90)))


def measuring(store: MeasurementStore | None = None, texts: Sequence[str] = TEXTS) -> Measuring:
    """Of two cheap groups."""
    return Measuring(texts, GROUPS, nlp="en", store=store, seed=3)


@pytest.mark.slow
def test_each_text_gets_its_own_row() -> None:
    """Although they are measured in another order, in batches."""
    measurer = measuring()
    counts = []
    measurer.on_change = lambda: counts.append(measurer.done)
    measurer.start()
    assert measurer.wait(120)
    assert measurer.pool.measured.all()
    expected = extract(parse(TEXTS[:5]), resolve(GROUPS))
    np.testing.assert_allclose(measurer.pool.table[:5], expected)
    assert counts[0] == FIRST_BATCH and counts[-1] == len(TEXTS)


def test_a_pool_does_not_change() -> None:
    """What was derived from it stays right; what is measured later is in a new one."""
    measurer = measuring()
    before = measurer.pool
    assert measurer.pool is before
    measurer.start()
    measurer.wait(120)
    assert not before.measured.any() and np.isnan(before.table).all()
    assert measurer.pool is not before


def test_nothing_is_measured_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is started again finds its features in the store."""
    store = MeasurementStore(tmp_path / "features").check()
    first = measuring(store)
    first.start()
    assert first.wait(120)

    def fail(*judgements: Any, **options: Any) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("naturalness.features.recalling.read_docs", fail)
    again = measuring(store)
    again.start()
    assert again.wait(60)
    assert again.trouble == ""
    np.testing.assert_array_equal(again.pool.table, first.pool.table)


def test_a_text_without_words_is_done_all_the_same() -> None:
    """It has no values, and is not waited for."""
    measurer = measuring(texts=["She came home.", "?!"])
    measurer.start()
    assert measurer.wait(60)
    assert measurer.done == 2


@pytest.mark.parametrize("error", [NaturalnessError("no disk"), RuntimeError("broken")])
def test_trouble_is_told(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Rating goes on without features."""

    def fail(*judgements: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr(module, "measure", fail)
    measurer = measuring()
    measurer.start()
    assert measurer.wait(10)
    assert str(error) in measurer.trouble


def test_measuring_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a batch; what was measured until then is told nobody, and kept by the store."""
    begun, go = threading.Event(), threading.Event()

    def wait(texts: Sequence[str], *judgements: Any, advance: Any, **options: Any) -> Any:
        begun.set()
        go.wait(10)
        advance(16)
        raise AssertionError("not stopped")

    monkeypatch.setattr(module, "measure", wait)
    measurer = measuring()
    measurer.start()
    begun.wait(10)
    measurer.stop(0.0)
    go.set()
    assert measurer.wait(10)
    assert (measurer.done, measurer.trouble) == (0, "")


def pool() -> Pool:
    """Sixty texts, of which the first column says how good they are."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 8))
    columns = tuple(f"surface__x{n}" for n in range(8))
    return Pool(tuple(f"Text number {n}." for n in range(60)), table, columns, np.ones(60, bool))


def test_what_is_learned_follows_the_answers() -> None:
    """Learned at the start, and again when there are more; the last state counts."""
    texts = pool()
    judgements: list[Judgement] = []
    points = Scale("points", 1.0, 6.0)
    teacher = Teaching(lambda: (texts, list(judgements)), points)
    teacher.start()
    assert teacher.wait(60)
    assert teacher.taught is not None and not teacher.taught.known
    for n in range(60):
        value = float(np.clip(round(3.5 + texts.table[n, 0]), 1, 6))
        judgements.append(Judgement(n, value, n % 3 == 2, False, "Ann"))
        teacher.wake()
    assert teacher.wait(60)
    assert teacher.taught.known and teacher.taught.ratings == 60
    assert teacher.taught.figure is not None and teacher.taught.figure.value > 0.5
    assert 2 <= teacher.version <= 61
    teacher.stop()


def test_trouble_with_teaching_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """And gone once it works again."""
    broken = [True]

    def state() -> Any:
        if broken.pop():
            raise RuntimeError("broken")
        return pool(), []

    broken = [False, True]
    teacher = Teaching(state, NATURAL)
    teacher.start()
    assert teacher.wait(10)
    assert "broken" in teacher.trouble
    teacher.wake()
    assert teacher.wait(30)
    assert teacher.trouble == ""
    teacher.stop()


def rating(value: float | None, *texts: int, cause: str = "") -> Rating:
    """An answer of Ann's."""
    question = Question(1, "Ann", texts, "test", "", test=True, again=True)
    return Rating(question, Answer(value, cause=cause), "2026-01-01T00:00:00.000+00:00")


def test_answers_as_teaching_knows_them() -> None:
    """Skipped questions tell nothing; of pairs both texts are told."""
    judgements = judgements_of([rating(2.0, 5, cause="order"), rating(None, 6), rating(-1.0, 7, 3)])
    assert judgements == [Judgement(5, 2.0, True, True, "Ann", "order"), Judgement(7, -1.0, True, True, "Ann", "", 3)]

"""Dead workers are replaced, no text is lost, and a text that kills workers is identified."""

from __future__ import annotations

import os
import pickle
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from naturalness import Scorer, load_model
from naturalness.errors import NaturalnessError, UnknownName, WorkerLost
from naturalness.judging.fields import ALWAYS
from naturalness.labelling import pool as module
from naturalness.labelling.parts import Parts
from naturalness.labelling.pool import Worker, WorkerPool, label_shards, label_texts
from naturalness.labelling.scorer import OpenedScorer
from tests.support.labelling import DEADLY, texts


@dataclass(frozen=True)
class Shard:
    """A shard with some texts."""

    texts: tuple[str, ...]


SHARDS = [Shard(tuple(texts(44)[i : i + 9])) for i in range(0, 44, 9)]


def children() -> set[str]:
    """Return the child processes of this process's threads; empty where /proc does not list them."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {number for task in tasks for number in task.read_text().split()}


@pytest.mark.slow
def test_shards_keep_their_order(scorer: Scorer) -> None:
    """Two workers return the shards in order, with the model's values."""
    labelled_shards = list(label_shards([*SHARDS, Shard(())], OpenedScorer(scorer), workers=2))
    assert [shard for shard, _ in labelled_shards] == [*SHARDS, Shard(())]
    together = [value for _, columns in labelled_shards for value in columns["naturalness"]]
    assert together == load_model(scorer.model).score(texts(44)).naturalness.tolist()


def test_a_lost_worker_can_be_reported_by_another_process() -> None:
    """The error can be pickled, so that a process can send it through a pipe."""
    assert str(pickle.loads(pickle.dumps(WorkerLost()))) == str(WorkerLost())


@pytest.mark.slow
def test_a_killed_worker_is_replaced(scorer: Scorer) -> None:
    """A worker that is killed between two shards is replaced, with the same results."""
    with WorkerPool(scorer, 1) as pool:
        (worker,) = pool.workers
        first = worker.work(["A plain sentence."])
        assert worker._process is not None
        before = worker._process.pid
        os.kill(before, signal.SIGKILL)
        assert str(worker.work(["A plain sentence."])) == str(first)
        assert worker._process.pid != before


@pytest.mark.slow
def test_a_worker_is_renewed(scorer: Scorer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """After a number of texts a worker is silently restarted, and values stay the same."""
    monkeypatch.setattr(module, "MAX_TEXTS_OF_PROCESS", 3)
    with WorkerPool(scorer, 1) as pool:
        (worker,) = pool.workers
        seen, answers = [], []
        for _ in range(5):
            answers.append(worker.work(["A plain sentence.", "Another one."]))
            assert worker._process is not None
            seen.append(worker._process.pid)
    assert seen[0] == seen[1] != seen[2] == seen[3] != seen[4]
    assert len({*map(str, answers)}) == 1
    assert not caplog.records


@pytest.mark.slow
@pytest.mark.usefixtures("deadly")
def test_repeated_deaths_stop_the_job(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several deaths in a row indicate a fault of the machine, so the job stops."""
    monkeypatch.setattr(module, "MAX_TRIES", 1)
    monkeypatch.setattr(module, "MAX_DEADLY_IN_A_ROW", 2)
    with WorkerPool(scorer, 1) as pool, pytest.raises(WorkerLost, match="a worker process was killed"):
        label_texts(pool.workers[0], [DEADLY] * 4, ALWAYS)


def test_a_scorer_that_cannot_be_opened_is_an_error() -> None:
    """The worker's error is raised in this process."""
    with pytest.raises(UnknownName, match="unknown metric 'no-metric'"):
        Worker(Scorer("fast", metrics=["no-metric"])).work(["A text."])


def test_a_worker_that_dies_while_it_opens(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies while it opens the model is an error that blames no text."""
    monkeypatch.setattr(module, "WORKER_MODULE", "naturalness.no_such_module")
    with pytest.raises(NaturalnessError, match="died while it opened the model"):
        Worker(scorer).work(["A text."])


def test_stored_shards_are_not_computed_again(scorer: Scorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If all shards are stored, no process is started, and progress counts them as stored."""
    opened, seen = OpenedScorer(scorer), []
    first = list(label_shards(SHARDS, opened, parts=Parts(tmp_path, opened.columns)))
    monkeypatch.setattr(module, "WORKER_MODULE", "naturalness.no_such_module")
    parts = Parts(tmp_path, opened.columns)
    again = list(label_shards(SHARDS, opened, 1, parts, lambda columns, stored: seen.append(stored)))
    assert str(again) == str(first)
    assert seen == [True] * len(SHARDS)


@pytest.mark.slow
def test_an_interruption_stops_the_workers(scorer: Scorer, tmp_path: Path) -> None:
    """After an interruption no worker is left running, and no partial shard is stored."""
    before, opened = children(), OpenedScorer(scorer)
    stream = label_shards(SHARDS * 20, opened, workers=2, parts=Parts(tmp_path, opened.columns))
    next(stream)
    stream.close()
    values = [columns for _, columns in label_shards(SHARDS, opened)]
    for number in range(len(SHARDS)):
        known = Parts(tmp_path, opened.columns).read(number, len(SHARDS[number].texts))
        assert known is None or str(known) == str(values[number])
    assert children() <= before

"""Dead workers are replaced, no text is lost, and a text that kills workers is identified."""

from __future__ import annotations

import math
import os
import pickle
import signal
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from naturalness import load_model
from naturalness.errors import ModelError, NaturalnessError, WorkerLost
from naturalness.judging.fields import NO_VOICE
from naturalness.labelling import pool as module
from naturalness.labelling.job import Job
from naturalness.labelling.parts import Parts
from naturalness.labelling.pool import DEADLY_REASON, Worker, WorkerPool, label_shards
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
def test_shards_keep_their_order(job: Job) -> None:
    """Two workers return the shards in order, with the model's values."""
    labelled_shards = list(label_shards([*SHARDS, Shard(())], job, workers=2))
    assert [shard for shard, _ in labelled_shards] == SHARDS
    together = [value for _, columns in labelled_shards for value in columns["naturalness"]]
    assert together == load_model(job.model).score(texts(44)).naturalness.tolist()


def test_a_lost_worker_can_be_reported_by_another_process() -> None:
    """The error survives pickling, so that a process can send it through a pipe."""
    assert str(pickle.loads(pickle.dumps(WorkerLost()))) == str(WorkerLost())


@pytest.mark.slow
def test_a_killed_worker_is_replaced(job: Job) -> None:
    """A worker that is killed between two shards is replaced, with the same results."""
    with WorkerPool(job, 1) as pool:
        (worker,) = pool.workers
        first = worker.label(["A plain sentence."])
        assert worker._process is not None
        before = worker._process.pid
        os.kill(before, signal.SIGKILL)
        assert str(worker.label(["A plain sentence."])) == str(first)
        assert worker._process.pid != before


@pytest.mark.slow
def test_a_worker_is_renewed(job: Job, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """After a number of texts a worker is silently restarted, and values stay the same."""
    monkeypatch.setattr(module, "MAX_TEXTS_OF_PROCESS", 3)
    with WorkerPool(job, 1) as pool:
        (worker,) = pool.workers
        seen, answers = [], []
        for _ in range(5):
            answers.append(worker.label(["A plain sentence.", "Another one."]))
            assert worker._process is not None
            seen.append(worker._process.pid)
    assert seen[0] == seen[1] != seen[2] == seen[3] != seen[4]
    assert len({*map(str, answers)}) == 1
    assert not caplog.records


@pytest.mark.slow
@pytest.mark.usefixtures("deadly")
def test_a_deadly_text_is_found(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the text that kills the worker has no score; its reason says so."""
    monkeypatch.setattr(module, "MAX_TRIES", 1)
    with WorkerPool(job, 1) as pool:
        columns = pool.workers[0].label(["One.", f"Two {DEADLY}.", "Three plain words."])
    assert columns["reason"] == [NO_VOICE, DEADLY_REASON, NO_VOICE]
    assert [math.isnan(value) for value in columns["naturalness"]] == [False, True, False]


@pytest.mark.slow
@pytest.mark.usefixtures("deadly")
def test_when_every_text_is_deadly_no_text_is(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several deaths in a row indicate a fault of the machine, so the job stops."""
    monkeypatch.setattr(module, "MAX_TRIES", 1)
    monkeypatch.setattr(module, "MAX_DEADLY_IN_A_ROW", 2)
    with WorkerPool(job, 1) as pool, pytest.raises(WorkerLost, match="a worker process was killed"):
        pool.workers[0].label([DEADLY] * 4)


def test_a_model_that_cannot_be_opened_is_an_error(job: Job) -> None:
    """The worker's error is raised in this process."""
    with pytest.raises(ModelError, match="no model at"):
        list(label_shards(SHARDS[:1], replace(job, model="nowhere")))


def test_a_worker_that_dies_while_it_opens(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """No text is blamed, and the number of attempts is limited."""
    monkeypatch.setattr(module, "START_PAUSE", 0.0)
    monkeypatch.setattr(module, "WORKER_MODULE", "naturalness.no_such_module")
    with pytest.raises(NaturalnessError, match="died 3 times while it opened the model"):
        Worker(job).label(["A text."])


def test_a_worker_that_dies_once_while_it_opens(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is started again."""
    monkeypatch.setattr(module, "START_PAUSE", 0.0)
    first = tmp_path / "first"
    first.touch()
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal\n"
        f"if os.path.exists({str(first)!r}):\n"
        f"    os.remove({str(first)!r})\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = Worker(job)
    try:
        assert worker.label(["A plain text."])["reason"] == [NO_VOICE]
    finally:
        worker.close()
    assert not first.exists()


def test_what_is_done_is_not_done_again(job: Job, tmp_path: Path) -> None:
    """If all shards are stored, no process is started."""
    parts = Parts(str(tmp_path / "p"))
    first = list(label_shards(SHARDS, job, parts=parts))
    assert len(parts) == len(SHARDS)
    monkey = replace(job, model="nowhere")  # would fail if it were opened
    again = list(label_shards(SHARDS, monkey, parts=Parts(str(tmp_path / "p"))))
    assert again == first


@pytest.mark.slow
def test_breaking_off_ends_the_workers(job: Job, tmp_path: Path) -> None:
    """After an interruption no worker is left running, and no partial shard is stored."""
    before = children()
    parts = Parts(str(tmp_path / "p"))
    stream = label_shards(SHARDS * 20, job, workers=2, parts=parts)
    next(stream)
    stream.close()
    values = {shard.texts: columns for shard, columns in label_shards(SHARDS, job)}
    for number in range(len(SHARDS)):
        known = Parts(str(tmp_path / "p")).read(number, SHARDS[number].texts)
        assert known is None or known == values[SHARDS[number].texts]
    assert children() <= before

"""The model's thread batches concurrent requests, and answers every one of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from naturalness.errors import AssetError
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.worker import BATCH_TEXTS, LONG_CHARACTERS, REQUEST_SHARE, ModelThread, Row
from naturalness.studio.web.refusals import Refusal


class Slow:
    """A judge that scores by length, records its batches, and waits at a gate."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()

    def score(self, texts: Sequence[str]) -> list[Row]:
        self.batches.append(list(texts))
        assert self.gate.wait(10)
        if "fire" in texts:
            raise RuntimeError("fire")
        if "no asset" in texts:
            raise AssetError("asset 'words' is missing; install the package again")
        return [{"naturalness": len(text) / 1000} for text in texts]

    def explain(self, text: str, edits: int) -> Explanation:
        self.batches.append([f"explain {text[:9]}"])
        assert self.gate.wait(10)
        return without_score(text, str(edits), unit="log-odds", threshold=0.5)

    def warm(self, *, edits: bool = False) -> None:
        """Do nothing: there is no model to open."""


@contextmanager
def working(limits: Limits | None = None) -> Iterator[tuple[Slow, ModelThread]]:
    """Yield a judge and its running worker."""
    judge = Slow()
    worker = ModelThread(judge, limits or Limits())
    worker.start()
    try:
        yield judge, worker
    finally:
        judge.gate.set()
        worker.close()
        assert not worker.alive


def run(scene: Callable[[Slow, ModelThread], Coroutine[Any, Any, None]], **limits: Any) -> Slow:
    """Run a scene with a worker, and return the judge."""
    with working(Limits(**limits)) as (judge, worker):
        asyncio.run(asyncio.wait_for(scene(judge, worker), 20))
    return judge


async def busy(judge: Slow, worker: ModelThread) -> asyncio.Task[list[Row]]:
    """Keep the thread busy with a text until the gate is opened; return the task that waits for it."""
    judge.gate.clear()
    first = asyncio.create_task(worker.score(["first"]))
    while not judge.batches:
        await asyncio.sleep(0.001)
    return first


def test_what_waits_is_scored_together() -> None:
    """Requests that arrive while a batch is scored form the next batch; equal texts are scored once."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await busy(judge, worker)
        others = [asyncio.create_task(worker.score([f"text {i}", "same"])) for i in range(20)]
        await asyncio.sleep(0.05)
        assert worker.waiting == 40
        judge.gate.set()
        assert await first == [{"naturalness": 0.005}]
        for i, other in enumerate(others):
            assert [one["naturalness"] for one in await other] == [len(f"text {i}") / 1000, 0.004]

    judge = run(scene)
    assert [len(batch) for batch in judge.batches] == [1, 21]


def test_a_large_request_lets_others_have_their_turn() -> None:
    """A small request that comes later is in the next batch."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        await busy(judge, worker)
        large = asyncio.create_task(worker.score([f"large {i}" for i in range(1000)]))
        await asyncio.sleep(0.01)
        small = asyncio.create_task(worker.score(["small"]))
        await asyncio.sleep(0.05)
        judge.gate.set()
        await small
        assert "small" in judge.batches[1]
        assert len(await large) == 1000

    judge = run(scene)
    assert max(map(len, judge.batches)) == BATCH_TEXTS > REQUEST_SHARE


def test_long_texts_and_explanations_go_one_at_a_time() -> None:
    """A batch of short texts runs between them."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await busy(judge, worker)
        long = asyncio.create_task(worker.score(["x" * LONG_CHARACTERS, "short", "y" * LONG_CHARACTERS]))
        explanations = asyncio.create_task(worker.explain(["one", "two"], 2))
        await asyncio.sleep(0.05)
        judge.gate.set()
        assert [one["naturalness"] for one in await long] == [LONG_CHARACTERS / 1000, 0.005, LONG_CHARACTERS / 1000]
        assert [(one.text, one.reason) for one in await explanations] == [("one", "2"), ("two", "2")]
        await first

    judge = run(scene)
    assert [len(batch) for batch in judge.batches] == [1] * 6


def test_too_much_is_sent_away_with_a_time_to_come_back() -> None:
    """If the queue is full, a request is refused with a retry time; queued texts stay."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await busy(judge, worker)
        waiting = asyncio.create_task(worker.score([f"{i}" for i in range(15)]))
        await asyncio.sleep(0.01)
        with pytest.raises(Refusal) as refusal:
            await worker.score(["one", "too many"])
        assert refusal.value.status == 503
        assert int(refusal.value.headers["retry-after"]) >= 1
        judge.gate.set()
        await asyncio.gather(first, waiting)

    run(scene, waiting=15)


def test_texts_of_a_cancelled_request_are_dropped() -> None:
    """They are not scored, and other texts are."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await busy(judge, worker)
        gone = asyncio.create_task(worker.score(["unwanted"] * 3))
        stays = asyncio.create_task(worker.score(["wanted"]))
        await asyncio.sleep(0.01)
        gone.cancel()
        await asyncio.sleep(0.01)
        assert worker.waiting == 1
        judge.gate.set()
        await asyncio.gather(first, stays)

    judge = run(scene)
    assert judge.batches == [["first"], ["wanted"]]


def test_an_error_is_told_to_those_it_meets_and_the_thread_goes_on() -> None:
    """An installation error is returned in its own words; other errors are raised unchanged."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        with pytest.raises(Refusal, match="install the package again"):
            await worker.score(["no asset"])
        with pytest.raises(RuntimeError):
            await worker.score(["fire"])
        assert (await worker.score(["fine"]))[0]["naturalness"] == 0.004

    run(scene)


def test_at_the_end_nobody_is_left_waiting() -> None:
    """The running batch is answered, and waiting requests are refused."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await busy(judge, worker)
        second = asyncio.create_task(worker.score(["second"]))
        await asyncio.sleep(0.01)
        closing = asyncio.create_task(asyncio.to_thread(worker.close))
        await asyncio.sleep(0.05)
        judge.gate.set()
        await closing
        assert (await first)[0]["naturalness"] == 0.005
        for late in (second, worker.score(["third"])):
            with pytest.raises(Refusal, match="shutting down"):
                await late

    run(scene)


def test_a_lone_client_never_waits_for_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is held back for others only where the last one had several requests in it."""
    monkeypatch.setattr("naturalness.studio.serve.worker.GATHER_SECONDS", 60)

    async def scene(judge: Slow, worker: ModelThread) -> None:
        for i in range(20):
            await worker.score([f"{i}"])

    run(scene)

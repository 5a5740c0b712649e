"""The model's thread batches concurrent requests, and answers every one of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from naturalness.errors import AssetError
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.studio.serve.reading import Limits
from naturalness.studio.serve.worker import BATCH_CHARACTERS, BATCH_TEXTS, Judge, ModelThread, Row
from naturalness.studio.web.refusals import Refusal


class Slow(Judge):
    """A judge that scores by length, records its batches, and waits at a gate."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.gate = threading.Event()

    def score(self, texts: Sequence[str]) -> list[Row]:
        self.batches.append(list(texts))
        assert self.gate.wait(10)
        if "fire" in texts:
            raise RuntimeError("fire")
        if "no asset" in texts:
            raise AssetError("asset 'words' is missing; install the package again")
        return [{"naturalness": len(text) / 1000} for text in texts]

    def explain(self, text: str, edits: int) -> Explanation:
        self.batches.append([f"explain {text}"])
        assert self.gate.wait(10)
        return without_score(text, str(edits), unit="log-odds", threshold=0.5)


def run(scene: Callable[[Slow, ModelThread], Coroutine[Any, Any, None]], **limits: Any) -> list[list[str]]:
    """Run a scenario on a thread whose gate is closed; return the batches."""

    async def play() -> Slow:
        judge = Slow()
        worker = ModelThread(judge, Limits(**limits))
        try:
            await scene(judge, worker)
        finally:
            judge.gate.set()
            worker.close()
        return judge

    return asyncio.run(play()).batches


async def queued(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Start a request, and wait until it is queued or runs."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0.02)
    return task


def test_waiting_texts_are_scored_together() -> None:
    """Requests that arrive while a batch is scored form the next batch; equal texts are scored once."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await queued(worker.score(["first"]))
        others = [await queued(worker.score([f"text {i}", "same"])) for i in range(20)]
        assert worker.waiting == 41
        judge.gate.set()
        assert await first == [{"naturalness": 0.005}]
        for i, other in enumerate(others):
            assert [one["naturalness"] for one in await other] == [len(f"text {i}") / 1000, 0.004]
        assert worker.waiting == 0

    assert [len(batch) for batch in run(scene)] == [1, 21]


def test_large_request_does_not_block_others() -> None:
    """A later request is in the batch after the next; long texts make smaller batches."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        large = await queued(worker.score([f"large {i}" for i in range(1000)]))
        explained = await queued(worker.explain(["one", "two"], 2))
        small = await queued(worker.score(["small", "x" * BATCH_CHARACTERS]))
        judge.gate.set()
        await small
        assert [(one.text, one.reason) for one in await explained] == [("one", "2"), ("two", "2")]
        assert len(await large) == 1000

    batches = run(scene)
    assert max(map(len, batches)) == BATCH_TEXTS
    assert batches[1] == ["explain one"] and "small" in batches[2]
    assert ["x" * BATCH_CHARACTERS] in batches[3:7] and ["explain two"] in batches[3:7]


def test_full_queue_refuses_requests() -> None:
    """The refusal says when to retry; queued texts stay in the queue."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await queued(worker.score(["first"]))
        waiting = await queued(worker.score([f"{i}" for i in range(14)]))
        with pytest.raises(Refusal) as refusal:
            await worker.score(["too many"])
        assert refusal.value.status == 503
        assert int(refusal.value.headers["retry-after"]) >= 1
        judge.gate.set()
        await asyncio.gather(first, waiting)

    run(scene, waiting=15)


@pytest.mark.parametrize("running", [False, True])
def test_cancelled_request_does_not_affect_others(running: bool) -> None:
    """Waiting texts of a cancelled request are not scored; other texts in its running batch get their scores."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        first = await queued(worker.score(["first"]))
        gone = await queued(worker.score(["unwanted"]))
        stays = await queued(worker.score(["wanted"]))
        (first if running else gone).cancel()
        await asyncio.sleep(0.02)
        judge.gate.set()
        assert await stays == [{"naturalness": 0.006}]

    assert run(scene) == [["first"], ["unwanted", "wanted"] if running else ["wanted"]]


def test_error_affects_only_its_batch() -> None:
    """The message of an installation error is returned unchanged; other errors are raised."""

    async def scene(judge: Slow, worker: ModelThread) -> None:
        judge.gate.set()
        with pytest.raises(Refusal, match="install the package again"):
            await worker.score(["no asset"])
        with pytest.raises(RuntimeError):
            await worker.score(["fire"])
        assert (await worker.score(["fine"]))[0]["naturalness"] == 0.004

    run(scene)

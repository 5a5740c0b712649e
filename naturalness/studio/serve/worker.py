"""The worker thread that owns the model; a text that fails does not affect the others.

Concurrent requests share two queues. Short texts are scored in batches that take a few texts of each request in turn;
long texts and explanations are processed one at a time. The queues alternate, so a request waits for at most a batch
and one slow text before its turn, however much other clients send. Cancelled requests are dropped.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Protocol

from naturalness.errors import NaturalnessError
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.judging.fields import LABEL
from naturalness.labelling.scorer import empty_row, robustly
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.studio.serve.limits import MAX_EDITED_CHARACTERS, Limits
from naturalness.studio.web.refusals import Refusal

BROKEN_REASON = "no score: something in this text broke the model"
LOG = logging.getLogger("naturalness")
WARMING_TEXT = "A sentence to begin with."
Row = dict[str, Any]
"""The fields of a text's score."""


class Judge:
    """A model that returns a result for every text; only one thread at a time may use it."""

    register: str | None = None
    """Register within which scores are judged."""
    min_score: float | None = None
    """Scores below this value are flagged; if it is None, no score is flagged."""

    def __init__(self, name: str, *, register: str | None = None) -> None:
        self.model: NaturalnessModel = load_model(name)
        self.name = self.model.name
        self.register = register
        self.checksum = self.model.saved.checksum

    def warm(self, *, edits: bool = False) -> None:
        """Load what scores need and, with ``edits``, what explanations need, before anyone waits for them."""
        if edits:
            self.model.explain([WARMING_TEXT], edits=1)
        else:
            self.model.score([WARMING_TEXT])

    def score(self, texts: Sequence[str]) -> list[Row]:
        """Return the score of each text; an error in one text does not affect the others."""

        def score(batch: Sequence[str]) -> list[Row]:
            scores = self.model.score(batch, batch_size=max(len(batch), 1), register=self.register)
            return scores.rows(self.model.fields(self.register))

        def failure(text: str, error: Exception) -> Row:
            LOG.warning("a text could not be scored", exc_info=error)
            return self.unscored(BROKEN_REASON)

        return robustly(texts, score, failure)

    def unscored(self, reason: str) -> Row:
        """Return the entry of a text that was not scored."""
        fields = self.model.fields(self.register)
        return dict(zip(fields, empty_row(fields, reason), strict=True)) | {LABEL: None}

    def explain(self, text: str, edits: int) -> Explanation:
        """Explain a text; if that fails, the explanation has no score. No edits are searched for in a long text."""

        def explain(batch: Sequence[str]) -> list[Explanation]:
            most = edits if len(text) <= MAX_EDITED_CHARACTERS else 0
            return self.model.explain(batch, edits=most, register=self.register)

        def failure(text: str, error: Exception) -> Explanation:
            LOG.warning("a text could not be explained", exc_info=error)
            return without_score(text, BROKEN_REASON, unit=self.model.unit, threshold=self.model.threshold)

        return robustly([text], explain, failure)[0]


BATCH_TEXTS = 64
"""Maximum number of texts scored in one batch."""
REQUEST_SHARE = 16
"""Maximum number of texts that one request adds to a batch before other requests have their turn."""
LONG_CHARACTERS = 1000
"""Minimum length, in characters, of a text that is scored on its own."""
GATHER_SECONDS = 0.004
"""Seconds that a batch waits for more texts if the previous batch held texts of several requests."""


class Judging(Protocol):
    """The interface of `Judge`."""

    def score(self, texts: Sequence[str]) -> list[Row]: ...
    def explain(self, text: str, edits: int) -> Explanation: ...
    def warm(self, *, edits: bool = False) -> None: ...


class Task:
    """The texts of one request, and the future for their results."""

    def __init__(self, texts: Sequence[str], edits: int | None) -> None:
        self.texts = list(texts)
        self.edits = edits
        """Number of edits to search for; None if only scores are requested."""
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[list[Any]] = self.loop.create_future()
        self.results: dict[int, Any] = {}
        self.taken = 0
        self.gone = False
        """Whether the request was cancelled."""

    @property
    def left(self) -> int:
        """Number of texts not yet taken into a batch."""
        return 0 if self.gone else len(self.texts) - self.taken

    def settle(self, error: BaseException | None = None) -> None:
        """Resolve the future; must be called in the thread of its event loop."""
        if self.answer.done():
            return
        if error is not None:
            self.answer.set_exception(error)
            self.answer.exception()  # mark the error as retrieved, in case nobody awaits the future
        else:
            self.answer.set_result([self.results[i] for i in range(len(self.texts))])

    def tell(self, error: BaseException | None = None) -> None:
        """Resolve the future from another thread."""
        with suppress(RuntimeError):  # raised if the event loop is closed; then nobody is waiting
            self.loop.call_soon_threadsafe(self.settle, error)


class ModelThread:
    """The worker thread and its queues."""

    def __init__(self, judge: Judging, limits: Limits) -> None:
        self.judge = judge
        self.limits = limits
        self.done = 0
        """Number of texts scored or explained so far."""
        self._short: deque[Task] = deque()
        self._slow: deque[Task] = deque()
        self._changed = Condition()
        self._closing = False
        self._company = False
        self._seconds = 0.02
        self._thread = Thread(target=self._work, name="naturalness-model", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """Number of texts in the queues."""
        with self._changed:
            return self._waiting()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self, patience: float = 5.0) -> None:
        """Stop after the current batch; refuse all waiting requests."""
        with self._changed:
            self._closing = True
            tasks = [*self._short, *self._slow]
            self._short.clear()
            self._slow.clear()
            self._changed.notify()
        for task in tasks:
            task.tell(_ending())
        self._thread.join(patience)

    async def score(self, texts: Sequence[str]) -> list[Row]:
        """Return the scores of texts, in order."""
        slow = [i for i, text in enumerate(texts) if len(text) >= LONG_CHARACTERS]
        short = [i for i, text in enumerate(texts) if len(text) < LONG_CHARACTERS]
        tasks = [Task([texts[i] for i in part], None) for part in (short, slow)]
        answers = await self._ask(tasks)
        scores = dict(zip([*short, *slow], [*answers[0], *answers[1]], strict=True))
        return [scores[i] for i in range(len(texts))]

    async def explain(self, texts: Sequence[str], edits: int) -> list[Explanation]:
        """Return the explanations of texts, in order."""
        return (await self._ask([Task([], None), Task(texts, edits)]))[1]

    async def _ask(self, tasks: list[Task]) -> list[list[Any]]:
        """Queue two tasks, the first in the short lane and the second in the slow one; return the results of both."""
        with self._changed:
            if self._closing:
                raise _ending()
            new, old = sum(task.left for task in tasks), self._waiting()
            if old and new + old > self.limits.waiting:
                raise self._busy(old)
            for task, lane in zip(tasks, (self._short, self._slow), strict=True):
                if task.left:
                    lane.append(task)
                else:
                    task.settle()
            self._changed.notify()
        try:
            return [await task.answer for task in tasks]
        finally:
            with self._changed:
                for task in tasks:
                    task.gone = True
                    task.answer.cancel()

    def _waiting(self) -> int:
        return sum(task.left for lane in (self._short, self._slow) for task in lane)

    def _busy(self, waiting: int) -> Refusal:
        seconds = min(60, max(1, round(waiting * self._seconds)))
        words = f"{waiting} texts are waiting already; ask again in {seconds} seconds"
        return Refusal(503, words, {"retry-after": str(seconds)})

    def _work(self) -> None:
        try:
            self.judge.warm(edits=True)
        except Exception:  # each request for explanations gets its own error
            LOG.warning("explanations could not be prepared", exc_info=True)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._short or self._slow)
                if self._closing:
                    return
                if self._company and self._short:
                    self._changed.wait_for(self._is_full, GATHER_SECONDS)
                batch = self._take(self._short, BATCH_TEXTS, REQUEST_SHARE)
                self._company = len({id(task) for task, _ in batch}) > 1
            self._do(batch)
            with self._changed:
                single = self._take(self._slow, 1, 1)
            self._do(single)

    def _is_full(self) -> bool:
        return self._closing or sum(task.left for task in self._short) >= BATCH_TEXTS

    def _take(self, lane: deque[Task], max_texts: int, share: int) -> list[tuple[Task, int]]:
        """Take up to ``max_texts`` texts from a lane, at most ``share`` per task and turn; return tasks and indices."""
        batch: list[tuple[Task, int]] = []
        while lane and len(batch) < max_texts:
            task = lane.popleft()
            n = min(task.left, share, max_texts - len(batch))
            batch += [(task, index) for index in range(task.taken, task.taken + n)]
            task.taken += n
            if task.left:
                lane.append(task)
        return batch

    def _do(self, batch: list[tuple[Task, int]]) -> None:
        """Process a batch, and resolve the tasks that are complete."""
        if not batch:
            return
        started = time.perf_counter()
        tasks = list(dict.fromkeys(task for task, _ in batch))
        error: Exception | None = None
        try:
            self._find(batch)
        except NaturalnessError as failure:
            error = Refusal(500, str(failure))
        except Exception as failure:
            LOG.exception("a batch failed")
            error = failure
        self.done += len(batch)
        self._seconds += 0.1 * ((time.perf_counter() - started) / len(batch) - self._seconds)
        for task in tasks:
            if error is not None or len(task.results) == len(task.texts):
                with self._changed:
                    task.gone = task.gone or error is not None
                task.tell(error)

    def _find(self, batch: list[tuple[Task, int]]) -> None:
        edits = batch[0][0].edits
        if edits is not None:
            ((task, index),) = batch
            task.results[index] = self.judge.explain(task.texts[index], edits)
            return
        texts = list(dict.fromkeys(task.texts[index] for task, index in batch))
        judged = dict(zip(texts, self.judge.score(texts), strict=True))
        for task, index in batch:
            task.results[index] = judged[task.texts[index]]


def _ending() -> Refusal:
    words = "the server is shutting down; ask again later"
    return Refusal(503, words, {"retry-after": "5"})

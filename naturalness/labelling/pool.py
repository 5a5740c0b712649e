"""A pool of worker processes; a process that dies is replaced, and no texts are lost.

Each process has a thread that knows its current shard. If the process dies, the shard is tried again. If that fails
too, its texts are tried one by one, and a text that kills the process again gets an empty row with a reason.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import naturalness
from naturalness.data.batch import Batch
from naturalness.errors import NaturalnessError, WorkerLost
from naturalness.labelling.parts import Parts
from naturalness.labelling.scorer import Columns, OpenedScorer, Row, empty_row
from naturalness.labelling.worker import FAILED, receive, send

SHARDS_AHEAD = 3
"""Maximum number of waiting or running shards per worker: enough to keep all workers busy with limited memory."""
MAX_TRIES = 2
"""The number of times that a shard, and then each of its texts, is tried before giving up."""
MAX_DEADLY_IN_A_ROW = 5
"""If this many texts in a row kill their process, the texts cannot be the cause, and `WorkerLost` is raised."""
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
"""Environment variables that limit a worker to one thread; workers with a thread per core would block each other."""
ALLOCATION_VARIABLES = {"MALLOC_ARENA_MAX": "1"}
"""Settings of glibc's allocator: with one busy thread, more arenas would only retain memory that is not in use."""
MAX_TEXTS_OF_PROCESS = 30_000
"""The number of texts after which a worker is replaced. The caches of libraries grow a little with every new word, and
only a new process frees them. Starting one takes seconds; labelling this many texts takes minutes.
"""
LOG = logging.getLogger("naturalness")
DEADLY_REASON = "no score: a worker process died over this text"
WORKER_MODULE = "naturalness.labelling.worker"
Item = TypeVar("Item")
Result = TypeVar("Result")


class Ended(Exception):
    """Raised if a worker is closed while it is labelling."""


class Worker:
    """A process that labels texts, or does other work. It is started on first use, and restarted after it has died.

    ``job.open()`` is called in the process, and its result with the items of each request.
    """

    def __init__(self, job: Any) -> None:
        self.job = job
        self.closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = 0

    def work(self, items: Sequence[Any]) -> Any:
        """Return the result for items; raise `WorkerLost` if the process dies each time."""
        for _ in range(MAX_TRIES):
            with suppress(WorkerLost):
                return self._ask(list(items))
        raise WorkerLost

    def close(self) -> None:
        """End the process; it will not be started again."""
        self.closed = True
        self._end()

    def _ask(self, texts: list[Any]) -> Any:
        if self._asked >= MAX_TEXTS_OF_PROCESS:
            self._end()
        process = self._running()
        self._asked += len(texts)
        try:
            return self._reply(process, texts)
        except WorkerLost:
            LOG.warning("a worker process died; its texts are tried again in a new one")
            raise

    def _reply(self, process: subprocess.Popen[bytes], message: Any) -> Any:
        """Send a message to a process, and return its reply; raise `WorkerLost` if the process dies."""
        assert process.stdin is not None and process.stdout is not None
        try:
            send(process.stdin, message)
            kind, payload = receive(process.stdout)
        except (EOFError, OSError, ValueError):  # the pipe broke or was closed
            if self.closed:
                raise Ended from None
            self._end()
            raise WorkerLost from None
        if kind == FAILED:
            self._end()
            raise payload
        return payload

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, starting it if necessary."""
        if self.closed:
            raise Ended
        if self._process is None:
            # In a new session, so that Ctrl-C reaches only this process, which then ends the worker.
            self._process = process = subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER_MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment(),
                start_new_session=True,
            )
            try:
                self._reply(process, self.job)
            except WorkerLost:  # no text is to blame, since none has been sent yet
                raise NaturalnessError(
                    "a worker process died while it opened the model, perhaps for lack of memory; use fewer workers "
                    "(`jobs`)"
                ) from None
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        self._asked = 0
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def environment() -> dict[str, str]:
    """Return the environment for workers: one thread each, and this package on the path."""
    package = str(Path(naturalness.__file__).parents[1])
    known = not sys.flags.ignore_environment and os.environ.get("PYTHONPATH")
    path = package if not known else os.pathsep.join([package, known])
    return {**ALLOCATION_VARIABLES, **os.environ, **dict.fromkeys(THREAD_VARIABLES, "1"), "PYTHONPATH": path}


class WorkerPool:
    """A pool of workers, each driven by a thread; results are returned in the order of the items."""

    def __init__(self, job: Any, size: int) -> None:
        self.size = size
        self.workers = [Worker(job) for _ in range(size)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self.workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="naturalness-pool")

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: Any) -> None:
        self._close()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._close()  # for workers that were starting meanwhile

    def _close(self) -> None:
        for worker in self.workers:
            worker.close()

    def map(self, work: Callable[[Worker, Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Yield each item with its result, in order, while the workers process a few items ahead."""
        waiting: deque[tuple[Item, Future[Result]]] = deque()

        def run(item: Item) -> Result:
            worker = self._idle.get()
            try:
                return work(worker, item)
            finally:
                self._idle.put(worker)

        for item in items:
            waiting.append((item, self._threads.submit(run, item)))
            if len(waiting) >= SHARDS_AHEAD * self.size:
                first, done = waiting.popleft()
                yield first, done.result()
        while waiting:
            first, done = waiting.popleft()
            yield first, done.result()


def label_shards(
    shards: Iterable[Batch],
    opened: OpenedScorer,
    workers: int = 1,
    parts: Parts | None = None,
    advance: Callable[[Columns, bool], None] = lambda columns, stored: None,
) -> Iterator[tuple[Batch, Columns]]:
    """Yield each shard with its columns, in order; if ``parts`` is given, store each shard when it is finished.

    Each worker process opens a scorer like ``opened``. ``advance`` is called with the columns of each finished shard,
    and whether an earlier run had stored them, in any order and from any thread.
    """

    def work(worker: Worker, item: tuple[int, Batch]) -> Columns:
        number, shard = item
        known = parts.read(number, len(shard.texts)) if parts is not None else None
        columns = label_texts(worker, shard.texts, opened.columns) if known is None else known
        if parts is not None and known is None:
            parts.write(number, columns)
        advance(columns, known is not None)
        return columns

    with WorkerPool(opened.scorer, workers) as pool:
        for (_, shard), columns in pool.map(work, enumerate(shards)):
            yield shard, columns


def label_texts(worker: Worker, texts: Sequence[str], names: Sequence[str]) -> Columns:
    """Return the columns with these names for texts, even if a text kills the process."""
    with suppress(WorkerLost):
        columns: Columns = worker.work(texts)
        return columns
    rows: list[Row] = []
    deaths = 0
    for text in texts:
        try:
            rows.append(tuple(value for (value,) in worker.work([text]).values()))
            deaths = 0
        except WorkerLost:
            rows.append(empty_row(names, DEADLY_REASON))
            deaths += 1
            if deaths == MAX_DEADLY_IN_A_ROW:
                raise
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}

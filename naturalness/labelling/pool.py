"""Worker processes: one that dies is replaced, and its texts are not lost.

A thread stands for each process and knows what it works on, and so whose texts were in hand when a process dies. They
are tried again; should that fail too, one by one, and the text over which processes die gets an empty row with a
reason.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
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
from naturalness.labelling.job import Columns, Job, empty_row
from naturalness.labelling.parts import Parts
from naturalness.labelling.worker import DONE, FAILED, receive, send

SHARDS_AHEAD = 3
"""Shards per worker that wait or are worked on: keeps all busy, bounds memory."""
MAX_STARTS = 3
"""How often a process is started that dies while it opens the model."""
START_PAUSE = 1.0
"""Seconds after the first such death, and so many more after each: memory may be free by then."""
MAX_TRIES = 2
"""How often a shard, and then each of its texts, is tried before a process is not replaced."""
MAX_DEADLY_IN_A_ROW = 5
"""Texts in a row over which a process died, from which on the texts are not to blame."""
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
"""Inner threads are pinned: workers that each start a thread per core wait for each other."""
ALLOCATION_VARIABLES = {"MALLOC_ARENA_MAX": "1"}
"""A worker has one thread that works; more arenas of glibc only hold more that is free."""
MAX_TEXTS_OF_PROCESS = 30_000
"""Texts after which a worker makes way for a new one. What libraries remember of the words they
saw, little each time and without an end, goes with the process; a start takes seconds, so many
texts take minutes."""
LOG = logging.getLogger("naturalness")
DEADLY_REASON = "no score: a worker process died over this text"
WORKER_MODULE = "naturalness.labelling.worker"
Item = TypeVar("Item")
Result = TypeVar("Result")


class Ended(Exception):
    """The worker was closed while it worked."""


class Worker:
    """A process that labels; started when first asked, and again when it has died."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._columns: list[str] = []
        self._asked = 0

    def label(self, texts: Sequence[str]) -> Columns:
        """Return the columns of texts, whatever they do to the process."""
        for _ in range(MAX_TRIES):
            with suppress(WorkerLost):
                return self._ask(list(texts))
        return self._each_by_itself(texts)

    def close(self) -> None:
        """End the process; it is not started again."""
        self.closed = True
        self._end()

    def _each_by_itself(self, texts: Sequence[str]) -> Columns:
        columns_of: list[Columns] = []
        deaths = 0
        for text in texts:
            rows = None
            for _ in range(MAX_TRIES):
                with suppress(WorkerLost):
                    rows = self._ask([text])
                    break
            deaths = deaths + 1 if rows is None else 0
            if deaths >= MAX_DEADLY_IN_A_ROW:
                raise WorkerLost
            columns_of.append(
                rows
                or {
                    name: [value]
                    for name, value in zip(self._columns, empty_row(self._columns, DEADLY_REASON), strict=True)
                }
            )
        return {name: [value for rows in columns_of for value in rows[name]] for name in columns_of[0]}

    def _ask(self, texts: list[str]) -> Columns:
        if self._asked >= MAX_TEXTS_OF_PROCESS:
            self._end()
        process = self._running()
        self._asked += len(texts)
        assert process.stdin is not None and process.stdout is not None
        try:
            send(process.stdin, texts)
            kind, payload = receive(process.stdout)
        except (EOFError, OSError, ValueError):  # a pipe that broke, or was closed meanwhile
            if self.closed:
                raise Ended from None
            self._end()
            LOG.warning("a worker process died; its texts are tried again in a new one")
            raise WorkerLost from None
        if kind == FAILED:
            self._end()
            raise payload
        assert kind == DONE
        columns: Columns = payload
        return columns

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, started if there is none; one that dies while it starts is tried again."""
        for start in range(1, MAX_STARTS + 1):
            if self.closed:
                raise Ended
            if self._process is not None:
                return self._process
            with suppress(WorkerLost):
                return self._started()
            if start < MAX_STARTS:
                LOG.warning("a worker process died while it opened the model; it is tried again")
                time.sleep(START_PAUSE * start)
        raise NaturalnessError(  # no text is to blame: it saw none
            f"a worker process died {MAX_STARTS} times while it opened the model, perhaps for lack of "
            "memory; use fewer workers (--jobs)"
        )

    def _started(self) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C in the terminal is for us, who then end the worker.
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER_MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            send(process.stdin, self.job)
            kind, payload = receive(process.stdout)
        except (EOFError, OSError, ValueError):
            if self.closed:
                raise Ended from None
            self._end()
            raise WorkerLost from None
        if kind == FAILED:
            self._end()
            raise payload
        self._columns = payload
        return process

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
    """Return the environment of this process, with one thread each, and with this very package on the path."""
    package = str(Path(naturalness.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    path = package if not known else os.pathsep.join([package, known])
    return {**ALLOCATION_VARIABLES, **os.environ, **dict.fromkeys(THREAD_VARIABLES, "1"), "PYTHONPATH": path}


class WorkerPool:
    """Some workers, each with a thread; what is asked first is answered first."""

    def __init__(self, job: Job, size: int) -> None:
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
        self._close()  # those that were just being started

    def _close(self) -> None:
        for worker in self.workers:
            worker.close()

    def map(self, work: Callable[[Worker, Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Yield each item with its result, in order; a few are worked on ahead."""
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
    job: Job,
    *,
    workers: int = 1,
    parts: Parts | None = None,
    advance: Callable[[Columns], None] = lambda columns: None,
) -> Iterator[tuple[Batch, Columns]]:
    """Yield each shard with its columns, in order; with ``parts`` they are stored as they are made.

    ``advance`` is called with the columns of each shard when it is done, in any order and by any thread.
    """

    def work(worker: Worker, item: tuple[int, Batch]) -> Columns:
        number, shard = item
        known = parts.read(number, shard.texts) if parts is not None else None
        columns = worker.label(shard.texts) if known is None else known
        if parts is not None and known is None:
            parts.write(number, shard.texts, columns)
        advance(columns)
        return columns

    filled = (item for item in enumerate(shards) if item[1].texts)
    with WorkerPool(job, workers) as pool:
        for (_, shard), columns in pool.map(work, filled):
            yield shard, columns

"""Label streams of texts, in order, by one process or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from naturalness.errors import WorkerLost
from naturalness.pipelines.scorer import NaturalnessModel, Scores, load_model

AHEAD = 3
"""Batches per worker that wait or are worked on: keeps all busy, bounds memory."""


@lru_cache(maxsize=1)
def _model(name: str, changed_assets: bool) -> NaturalnessModel:
    return load_model(name, changed_assets=changed_assets)


def score_batch(name: str, changed_assets: bool, texts: list[str], batch_size: int) -> Scores:
    """Scores of some texts by a model that is opened once per process."""
    return _model(name, changed_assets).score(texts, batch_size=batch_size)


def score_batches(
    batches: Iterable[Any],
    model: str,
    *,
    changed_assets: bool = False,
    workers: int = 1,
    batch_size: int = 64,
) -> Iterator[tuple[Any, Scores]]:
    """Each batch (an object with ``texts``) with its scores, in order."""
    if workers == 1:
        for batch in batches:
            yield batch, score_batch(model, changed_assets, batch.texts, batch_size)
        return
    from joblib.externals.loky import get_reusable_executor

    # Inner threads are pinned: workers that each start a thread per core wait for each other.
    pool = get_reusable_executor(max_workers=workers, env={"OMP_NUM_THREADS": "1"})
    waiting: deque[tuple[Any, Any]] = deque()
    try:
        for batch in batches:
            waiting.append(
                (batch, pool.submit(score_batch, model, changed_assets, batch.texts, batch_size))
            )
            if len(waiting) >= AHEAD * workers:
                yield _next(waiting)
        while waiting:
            yield _next(waiting)
    finally:
        pool.shutdown(wait=True, kill_workers=bool(waiting))


def _next(waiting: deque[tuple[Any, Any]]) -> tuple[Any, Scores]:
    from concurrent.futures.process import BrokenProcessPool

    batch, job = waiting.popleft()
    try:
        return batch, job.result()
    except BrokenProcessPool:
        raise WorkerLost from None

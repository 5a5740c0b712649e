"""Label a stream of shards in order, by worker processes here; what is done is not done again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from naturalness.labelling.crew import Crew, Worker
from naturalness.labelling.job import Columns, Job
from naturalness.labelling.parts import Parts


class Shard(Protocol):
    """Consecutive rows: a batch of a table, or anything with texts."""

    @property
    def texts(self) -> Sequence[str]: ...


SomeShard = TypeVar("SomeShard", bound=Shard)


def label_shards(
    shards: Iterable[SomeShard],
    job: Job,
    *,
    workers: int = 1,
    parts: Parts | None = None,
    advance: Callable[[Columns], None] = lambda columns: None,
) -> Iterator[tuple[SomeShard, Columns]]:
    """Each shard with its columns, in order; with ``parts`` they are kept as they are made.

    ``advance`` is told of each shard when it is done, in whatever order and by any thread.
    """

    def work(worker: Worker, item: tuple[int, SomeShard]) -> Columns:
        number, shard = item
        known = parts.read(number, shard.texts) if parts is not None else None
        columns = worker.label(shard.texts) if known is None else known
        if parts is not None and known is None:
            parts.write(number, shard.texts, columns)
        advance(columns)
        return columns

    filled = (item for item in enumerate(shards) if item[1].texts)
    with Crew(job, workers) as crew:
        for (_, shard), columns in crew.map(work, filled):
            yield shard, columns

"""Label shards on a Ray cluster, with Ray Data.

The texts are stored beside the finished shards (see `parts`), on a disk that all machines share. A task consists of a
few shard numbers. For each shard, an actor reads the texts, labels them in a worker process (so that a text that kills
its process is detected as on a single machine), and writes the result. If a machine is lost, Ray gives its unfinished
shards to other machines.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from naturalness.errors import NaturalnessError
from naturalness.judging.model import SHIPPED
from naturalness.labelling.job import Job
from naturalness.labelling.parts import Parts
from naturalness.labelling.pool import Worker

ACTOR_CORES = 0.9
"""The share of a core that an actor requests. Actors that requested whole cores could occupy all of them and
block the tasks that read input.
"""
MAX_TASK_SHARDS = 8
"""The largest number of shards in a task; if a task is lost, its unfinished shards are repeated."""


class ShardLabeller:
    """A Ray actor that opens a job once and is then called with shard numbers."""

    def __init__(self, folder: str, job: Job) -> None:
        self.folder = folder
        self.worker = Worker(job)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Label the shards of a batch, except those that an actor finished before it was lost; return the batch."""
        parts = Parts(self.folder)
        for number in map(int, batch["shard"]):
            if number in parts:
                continue
            texts = parts.read_texts(number)
            parts.write(number, texts, self.worker.label(texts))
        return batch

    def __del__(self) -> None:
        self.worker.close()


def label_on_cluster(
    parts: Parts, job: Job, rows: Mapping[int, int], *, workers: int | None, advance: Callable[[int], None]
) -> None:
    """Label the shards whose texts are stored in ``parts``; ``rows`` maps each shard number to its number of rows.

    The environment variable RAY_ADDRESS names the cluster; if it is not set, a local one is started.
    """
    if not rows:
        return
    import ray
    import ray.data

    begun = not ray.is_initialized()
    if begun:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if "RAY_ADDRESS" not in os.environ:
            settings |= {"include_dashboard": False, "num_cpus": workers and workers + 1}
        ray.init(**settings)
    try:
        actors = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        folder, job = (
            str(Path(parts.location).resolve()),
            replace(job, model=job.model if job.model in SHIPPED else str(Path(job.model).resolve())),
        )
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        tasks = -(-len(rows) // max(1, min(MAX_TASK_SHARDS, len(rows) // (4 * actors))))
        numbers = [{"shard": number} for number in rows]
        # By default, Ray restarts lost actors and retries their tasks.
        labelled = ray.data.from_items(numbers, override_num_blocks=tasks).map_batches(
            ShardLabeller,
            fn_constructor_args=(folder, job),
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(actors, tasks)),
            num_cpus=ACTOR_CORES,
        )
        for row in labelled.iter_rows():
            advance(rows[int(row["shard"])])
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, NaturalnessError):
            raise cause from None
        raise NaturalnessError(
            f"the cluster could not finish ({str(error).strip().splitlines()[-1][:300]}); finished "
            "work is stored: run the same command with `resume` to continue"
        ) from error
    finally:
        if begun:
            ray.shutdown()
    parts.reread()
    if missing := [number for number in rows if number not in parts]:
        raise NaturalnessError(
            f"{len(missing)} shards are not in {parts.location!r} (the first: {missing[0]}); the "
            "machines of the cluster must see the same folder: name a shared one with `parts`"
        )

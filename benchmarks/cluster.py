"""`label --engine ray` on a cluster of two nodes, one of which is killed, beside the local engine.

`python -m benchmarks.cluster CORPUS.txt[.xz] [--rows 12000]`: both nodes are on this machine, with
one core each. Once undisturbed, for the time; once with the second node killed when a third of the
shards is done. Both outputs must have the local one's checksum. Needs Ray.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.labelling import command, seconds_of, write_table
from benchmarks.report import context, markdown_table, write
from benchmarks.speed import read_sentences
from naturalness.labelling.parts import SHARD_ROWS


def checksum(path: Path) -> str:
    """SHA-256 of a file, the first letters."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def on_cluster(source: Path, target: Path, *, kill_at: int = 0) -> float:
    """Seconds of a run on two nodes, from a started cluster to the output."""
    import ray
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    os.environ["RAY_ADDRESS"] = cluster.address
    shards = target.with_name(target.name + ".parts") / "shards"
    started = time.perf_counter()
    try:
        with subprocess.Popen(command(source, target, ["--fast", "--engine", "ray", "--force", "--quiet"])) as process:
            while process.poll() is None:
                time.sleep(0.5)
                done = len(list(shards.glob("[0-9]*"))) if shards.exists() else 0
                if kill_at and done >= kill_at:
                    cluster.remove_node(second, allow_graceful=False)
                    kill_at = 0
            assert process.wait() == 0, f"ended with {process.returncode}"
    finally:
        del os.environ["RAY_ADDRESS"]
        ray.shutdown()
        cluster.shutdown()
    assert not kill_at, "it was done before a node could be killed"
    return time.perf_counter() - started


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=12_000)
    options = parser.parse_args()
    texts = read_sentences(options.corpus, options.rows)
    with tempfile.TemporaryDirectory() as folder:
        source = write_table(Path(folder) / "in.jsonl", texts)
        outputs = [Path(folder) / f"{name}.jsonl" for name in ("local", "cluster", "killed")]
        local, whole, killed = outputs
        seconds = {
            "local, two workers": seconds_of(source, local, ["--fast", "--jobs", "2"]),
            "two nodes": on_cluster(source, whole),
            "two nodes, one killed": on_cluster(source, killed, kill_at=max(1, len(texts) // SHARD_ROWS // 3)),
        }
        sums = [checksum(path) for path in outputs]
    rows: list[list[object]] = [
        [name, f"{took:,.0f}", sums[i], "yes" if sums[i] == sums[0] else "NO"]
        for i, (name, took) in enumerate(seconds.items())
    ]
    call = f"python -m benchmarks.cluster {options.corpus.name}"
    call += f" --rows {options.rows}" if options.rows != 12_000 else ""
    about = context(command=call, rows=len(texts))
    header = ["engine", "seconds, start included", "SHA-256 of the output", "as the local one"]
    write(
        "cluster",
        f"{len(texts):,} rows, --fast, on a Ray cluster",
        markdown_table(header, rows),
        {"context": about, "seconds": seconds, "checksums": sums},
    )


if __name__ == "__main__":
    main()

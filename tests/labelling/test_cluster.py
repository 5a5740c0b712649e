"""The same shards on a Ray cluster: the same bytes, also where a process of it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from naturalness.cli import run
from naturalness.files.resources import has_package
from naturalness.labelling import cluster
from naturalness.labelling.job import Job
from naturalness.labelling.parts import Parts
from tests.support.labelling import shards_of, start, texts, wait_for, write_rows

needs_ray = pytest.mark.skipif(not has_package("ray"), reason="needs Ray: pip install '.[ray]'")


def actors() -> list[int]:
    """Process numbers of the actors that label."""
    listing = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(maxsplit=1) for line in listing.splitlines()]
    return [int(line[0]) for line in lines if len(line) > 1 and "ray::MapWorker" in line[1]]


@pytest.mark.slow
@needs_ray
def test_two_processes_one_of_them_killed(small: str, tmp_path: Path) -> None:
    """An actor is killed in the middle; Ray replaces it, and the output is the local one's."""
    rows = [{"id": i, "text": text} for i, text in enumerate(texts(3000))]
    source = write_rows(tmp_path / "in.jsonl", rows)
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert run(["label", str(source), "-o", str(here), "--model", small]) == 0
    options = [source, there, "--model", small, "--engine", "ray", "--jobs", "2"]
    with start(options) as process:
        wait_for(lambda: len(shards_of(there)) >= 2, process)
        os.kill(actors()[0], signal.SIGKILL)
        _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert there.read_bytes() == here.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.jsonl", "in.jsonl", "there.jsonl"]


def test_an_actor_makes_the_shards_it_is_given(job: Job, tmp_path: Path) -> None:
    """By their numbers, those that are done left out; without Ray around it."""
    parts = Parts(str(tmp_path / "p"))
    some = texts(6)
    for number in (0, 1):
        parts.write_texts(number, some[number * 3 : number * 3 + 3])
    done = {"naturalness": [0.25] * 3, "label": [""] * 3, "reason": ["known"] * 3}
    parts.write(0, some[:3], done)
    actor = cluster.ShardLabeller(parts.location, job)
    try:
        batch = {"shard": [0, 1]}
        assert actor(batch) is batch
    finally:
        actor.worker.close()
    parts.reread()
    assert parts.read(0, some[:3]) == done
    columns = parts.read(1, some[3:])
    assert columns is not None
    assert list(columns) == list(job.fields)


def test_without_ray_it_says_what_to_install(
    small: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is done."""
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run(["label", "in.csv", "-o", "out.csv", "--model", small, "--engine", "ray"]) == 2
    assert "pip install 'naturalness[ray]'" in capsys.readouterr().err

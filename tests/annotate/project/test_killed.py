"""What was acknowledged is there after the process was killed, whenever that was."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from naturalness.annotate.project import Project
from tests.annotate.project.conftest import Make
from tests.support import project_writer as writer

ROOT = Path(writer.__file__).parents[2]
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing to kill with")


def start(path: Path, rater: str = "ann") -> subprocess.Popen[bytes]:
    """A process that answers for ever."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.project_writer", str(path), rater],
        stdout=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )


def kill(process: subprocess.Popen[bytes], after: int, wait: float) -> list[list[str]]:
    """Kill it so long after its line of that number; all that it said, in words."""
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(after)]
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split(b"\n")[:-1]  # what follows the last line end is cut short
    process.stdout.close()
    process.wait()
    return [line.decode().split() for line in (*lines, *rest)]


@pytest.mark.parametrize("kills", range(6))
def test_every_acknowledged_answer_is_found(make: Make, kills: int) -> None:
    """Killed just after an answer, or within one; at most the answer under way is uncertain."""
    project = make([f"This is sentence number {n}." for n in range(3000)])
    project.close()
    rng = random.Random(kills)
    for _ in range(2):  # the second one takes up the log that the first has left
        before = _values(project.path)
        said = kill(start(project.path), rng.randrange(3, 40), rng.choice([0.0, rng.random() / 50]))
        expected = dict(before)
        for kind, number, *value in said:
            if kind == "+":
                expected[int(number)] = float(value[0])
            elif kind == "-":
                del expected[int(number)]
        found = _values(project.path)
        # The last line tells what was under way: an answer or an undo, of which nobody heard.
        open_end = int(said[-1][1]) if said[-1][0] == "?" else None
        certain = {n: v for n, v in expected.items() if n != open_end}
        assert {n: v for n, v in found.items() if n != open_end} == certain
        assert len(certain) > len(before) or open_end is not None


def _values(path: Path) -> dict[int, float]:
    """Value by question, from a file that must open; nothing may be there twice."""
    with Project.open(path) as project:
        ratings = project.ratings()
        for rating in ratings:
            number = rating.question.number
            assert rating.answer.value in (number % 6 + 1, 1)
            assert rating.answer.note in (f"note {number}" * 50, "")
    assert len({rating.question.number for rating in ratings}) == len(ratings)
    assert len({rating.question.texts for rating in ratings}) == len(ratings)
    return {r.question.number: r.answer.value for r in ratings if r.answer.value is not None}


def test_two_processes_at_once(make: Make) -> None:
    """Nothing is lost or asked twice where two servers share a file, and both are killed."""
    project = make([f"This is sentence number {n}." for n in range(3000)])
    both = [start(project.path, rater) for rater in ("ann", "bob")]
    said = [kill(process, 30, 0.0) for process in both]
    found = {rating.question.number: rating for rating in project.ratings()}
    for rater, lines in zip(("ann", "bob"), said, strict=True):
        stored = {int(line[1]) for line in lines if line[0] == "+"}
        gone = {int(line[1]) for line in lines[-1:] if line[0] != "+"}
        assert len(stored) >= 8
        for number in stored - gone:
            assert found[number].question.rater == rater
    assert len({rating.question.texts for rating in found.values()}) == len(found)

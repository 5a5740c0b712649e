"""A scorer in engines that take long to start, and the speed of all; run by ``.ci/plugs engines``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from naturalness import Scorer
from naturalness.data.cells import finite
from tests.support.documented import ROOT, blocks
from tests.support.engines import HEAVY, LIGHT, SEVERAL, Engine, columns_of
from tests.support.labelling import read_rows, small_model, texts, write_rows

PAGE = "docs/data-pipelines.md"
TEXTS = ["The old man gave his book to the girl.", None, "", "...", "x" * 60_000, "She have no idea."] * 6
MAX_OVERHEAD = 0.1
"""Of the time that `label` takes for the same texts with as many processes."""
ATTEMPTS = 3
"""Measurements, of which the quickest counts: other work on the machine only adds."""


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """A scorer with a model of quick groups."""
    return Scorer(small_model(tmp_path_factory.mktemp("engines") / "model"))


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("engine", HEAVY.values(), ids=list(HEAVY))
def test_an_engine_has_the_scores_of_a_list(engine: Engine, processes: int, scorer: Scorer) -> None:
    """The same digits, labels and reasons, in order."""
    assert str(columns_of(engine(scorer, TEXTS, processes), scorer.columns)) == str(scorer(TEXTS))


BLOCKS = [block for block in blocks(PAGE, "python") if "naturalness.integrations" not in block]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0].removeprefix("# "))
def test_the_page_runs(block: str, tmp_path: Path) -> None:
    """Each block of the page alone, in an empty folder and as a program."""
    program = tmp_path / "block.py"
    program.write_text(block)
    subprocess.run([sys.executable, program], cwd=tmp_path, env=environment(), check=True)


def environment() -> dict[str, str]:
    """Return an environment in which the package is found from any folder, and nothing is reported."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "DAFT_ANALYTICS_ENABLED": "0"}


SOME = texts(2000)


def label_seconds(folder: Path, n: int, processes: int) -> float:
    """Return how long `label` takes for the first texts."""
    source = write_rows(folder / "in.jsonl", [{"text": text} for text in SOME[:n]])
    command = [sys.executable, "-m", "naturalness", "label", source, "-o", folder / "out.jsonl", "--force"]
    started = time.perf_counter()
    subprocess.run([*command, "--jobs", str(processes)], cwd=ROOT, check=True)
    return time.perf_counter() - started


@cache
def label_rates(folder: Path, processes: int) -> list[float]:
    """Return the seconds of `label` for all texts less those for its start, attempt by attempt."""
    start = min(label_seconds(folder, 2 * processes, processes) for _ in range(ATTEMPTS))
    return [label_seconds(folder, len(SOME), processes) - start for _ in range(ATTEMPTS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of tables that `label` reads and writes."""
    return tmp_path_factory.mktemp("label")


@pytest.mark.parametrize(
    ("name", "processes"), [*((name, 1) for name in [*LIGHT, *HEAVY]), *((name, 2) for name in SEVERAL)]
)
def test_two_thousand_texts(
    name: str, processes: int, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The digits of `label` by the default model, and at most a tenth more time."""
    limit = min(label_rates(folder, processes)) * (1 + MAX_OVERHEAD)
    source, target = tmp_path / "in.json", tmp_path / "out.json"
    source.write_text(json.dumps(SOME))
    command = [sys.executable, "-m", "tests.support.engines", name, str(processes), source, target]
    seconds = float("inf")
    for _ in range(ATTEMPTS):
        done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
        seconds = min(seconds, float(done.stdout.split()[-1]))
        if seconds <= limit:
            break
    with capsys.disabled():
        print(f"\n{name}, {processes} processes: {seconds:.1f} s; label: {limit / (1 + MAX_OVERHEAD):.1f} s")  # noqa: T201
    scored = json.loads(target.read_text())
    rows = read_rows(folder / "out.jsonl")
    assert finite(scored) == {column: [row[column] for row in rows] for column in scored}
    assert seconds <= limit

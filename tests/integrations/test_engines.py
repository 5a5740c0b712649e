"""A scorer in data engines that start slowly; run by ``.ci/plugs engines``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from naturalness import Scorer
from tests.support.documented import ROOT, blocks
from tests.support.engines import HEAVY, Engine, columns_of
from tests.support.labelling import small_model

PAGE = "docs/data-pipelines.md"
TEXTS = ["The old man gave his book to the girl.", None, "", "...", "x" * 60_000, "She have no idea."] * 6


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """A scorer with a model of quick groups."""
    return Scorer(small_model(tmp_path_factory.mktemp("engines") / "model"))


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("engine", HEAVY.values(), ids=list(HEAVY))
def test_an_engine_has_the_scores_of_a_list(engine: Engine, processes: int, scorer: Scorer) -> None:
    """An engine returns the same scores, labels and reasons as for a list, in order and to the last digit."""
    assert str(columns_of(engine(scorer, TEXTS, processes), scorer.columns)) == str(scorer(TEXTS))


BLOCKS = [block for block in blocks(PAGE, "python") if "naturalness.integrations" not in block]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0].removeprefix("# "))
def test_the_page_runs(block: str, tmp_path: Path) -> None:
    """Each block of the page runs alone as a program in an empty folder."""
    program = tmp_path / "block.py"
    program.write_text(block)
    subprocess.run([sys.executable, program], cwd=tmp_path, env=environment(), check=True)


def environment() -> dict[str, str]:
    """Return an environment in which the package is found from any folder and telemetry is off."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "DAFT_ANALYTICS_ENABLED": "0"}

"""The filter stage in a real NeMo Curator pipeline; run by ``.ci/plugs curator``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from nemo_curator.tasks import DocumentBatch

from naturalness import Scorer
from naturalness.integrations.curator import NaturalnessFilter
from tests.support.documented import ROOT, blocks
from tests.support.labelling import texts, write_rows

SOME = [*texts(30), "", None, "x" * 60_000]


@pytest.mark.parametrize("table", [pd.DataFrame({"text": SOME}), pa.table({"text": SOME})], ids=["pandas", "arrow"])
def test_documents_are_kept_with_their_scores(table: pd.DataFrame | pa.Table) -> None:
    """Documents that reach the minimum score are kept, in order, with all columns."""
    stage = NaturalnessFilter(0.5, Scorer("fast", prefix="fast_"))
    batch = DocumentBatch(dataset_name="some", data=table)
    assert stage.validate_input(batch)
    kept = stage.process(batch).to_pandas()
    expected = pd.DataFrame(Scorer("fast")(SOME))
    expected = expected[expected.naturalness >= 0.5]
    assert list(kept.columns) == stage.outputs()[1]
    assert list(kept.fast_naturalness) == list(expected.naturalness)
    assert list(kept.index) == list(expected.index)


def test_a_minimum_of_voice() -> None:
    """`min_voice` applies in addition to the minimum score; short documents have no voice, and are kept."""
    fresh = "The sea was the colour of slate, so we went home and ate the pie."
    stale = "In today's world, this garden stands as a testament to the power of thoughtful, patient care."
    batch = DocumentBatch(dataset_name="some", data=pd.DataFrame({"text": [fresh, stale, "The old man smiled."]}))
    kept = NaturalnessFilter(0.0, Scorer("fast"), min_voice=0.5).process(batch).to_pandas()
    assert list(kept.index) == [0, 2]


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's block for NeMo Curator runs on a table in an empty folder."""
    (block,) = [block for block in blocks("docs/data-pipelines.md", "python") if "nemo_curator" in block]
    (tmp_path / "texts").mkdir()
    write_rows(tmp_path / "texts" / "0.jsonl", [{"text": text} for text in texts(30)])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "block.py").write_text(block)
    subprocess.run([sys.executable, "block.py"], cwd=tmp_path, check=True)
    assert all("naturalness" in path.read_text() for path in (tmp_path / "natural").iterdir())

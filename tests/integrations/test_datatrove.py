"""The filter in a real datatrove pipeline; run by ``.ci/plugs datatrove``."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from naturalness import Scorer
from naturalness.errors import TableError
from naturalness.integrations.datatrove import NaturalnessFilter
from tests.support.documented import blocks
from tests.support.labelling import texts, write_rows

SOME = [*texts(30), "...", "x" * 60_000]


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the documents of a folder by their numbers."""
    lines = [line for path in sorted(folder.glob("*.gz")) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return {row["id"]: row for row in map(json.loads, lines)}


def test_documents_are_kept_or_dropped_with_scores(tmp_path: Path) -> None:
    """Dropped documents have a reason; all documents have the same scores as a list of their texts."""
    (tmp_path / "in").mkdir()
    for half in range(2):
        rows = [{"id": str(i), "text": text} for i, text in enumerate(SOME) if i % 2 == half]
        write_rows(tmp_path / "in" / f"{half}.jsonl", rows)
    scorer = Scorer("fast")
    steps = [
        JsonlReader(str(tmp_path / "in")),
        NaturalnessFilter(0.5, scorer, JsonlWriter(str(tmp_path / "dropped"))),
        JsonlWriter(str(tmp_path / "kept")),
    ]
    LocalPipelineExecutor(steps, tasks=2, workers=2, logging_dir=str(tmp_path / "log")).run()
    kept, dropped = read(tmp_path / "kept"), read(tmp_path / "dropped")
    expected = scorer(SOME)["naturalness"]
    assert {int(i) for i in kept} == {i for i, score in enumerate(expected) if score >= 0.5}
    for i, score in enumerate(expected):
        metadata = (kept.get(str(i)) or dropped[str(i)])["metadata"]
        assert metadata["naturalness"] == (None if math.isnan(score) else score)
    reasons = {row["metadata"]["filter_reason"] for row in dropped.values()}
    assert reasons == {"unscored", "below_min_score"}


def test_metadata_of_a_document_are_not_replaced() -> None:
    """Metadata with the name of a column are an error that proposes a prefix."""
    document = Document(text="The old man smiled.", id="1", metadata={"label": "mine"})
    with pytest.raises(TableError, match=r"metadata 'label' already; use Scorer\(prefix=\.\.\.\)"):
        NaturalnessFilter(0.5, Scorer("fast")).filter(document)
    assert NaturalnessFilter(0.5, Scorer("fast", prefix="n_")).filter(document)
    assert document.metadata["label"] == "mine" and document.metadata["n_label"]


def test_what_is_not_english_prose_is_dropped_with_its_reason() -> None:
    """Documents that are not English prose are dropped, and datatrove counts them by reason."""
    long = " ".join(f"la fille numéro {i} dort dans la maison et" for i in range(400))
    texts = ["Je ne sais pas encore", long, "def foo(x): return x + 1", "nofile.pdf", "...", "The old man smiled."]
    batch = [Document(text=text, id=str(i)) for i, text in enumerate(texts)]
    verdicts = NaturalnessFilter(0.5, Scorer("fast")).filter_batch(batch)
    reasons = ["not English", "not English", "code", "an address or a file name", "unscored"]
    assert verdicts == [*((False, reason) for reason in reasons), True]


def test_a_minimum_of_voice() -> None:
    """`min_voice` applies in addition to the minimum score; short documents have no voice, and are kept."""
    fresh = "The sea was the colour of slate, so we went home and ate the pie."
    stale = "In today's world, this garden stands as a testament to the power of thoughtful, patient care."
    batch = [Document(text=text, id=str(i)) for i, text in enumerate([fresh, stale, "The old man smiled.", "..."])]
    verdicts = NaturalnessFilter(0.0, Scorer("fast"), min_voice=0.5).filter_batch(batch)
    assert verdicts == [True, (False, "below_min_voice"), True, (False, "unscored")]
    assert NaturalnessFilter(0.0, Scorer("fast")).filter_batch(batch)[1] is True


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's block for datatrove runs on a table in an empty folder."""
    (block,) = [
        block
        for block in blocks("docs/data-pipelines.md", "python")
        if "import JsonlReader" in block and "datatrove" in block
    ]
    (tmp_path / "texts").mkdir()
    write_rows(tmp_path / "texts" / "0.jsonl", [{"text": text} for text in SOME])
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    (tmp_path / "block.py").write_text(block)
    subprocess.run([sys.executable, "block.py"], cwd=tmp_path, check=True)
    assert read(tmp_path / "natural")

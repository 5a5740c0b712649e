"""The assertion in promptfoo itself, on Node.js; run by ``.ci/plugs promptfoo``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from naturalness import Scorer
from tests.support.documented import ROOT, blocks

PAGE = "docs/evaluators.md"
PROMPTFOO = ["npx", "--yes", "promptfoo@0.121.20"]
"""The last version for Node.js 20."""


def test_the_page_runs(tmp_path: Path) -> None:
    """In promptfoo's results, each output has its score, reason and signature, and one is below the threshold."""
    (config,) = blocks(PAGE, "yaml")
    (module,) = [block for block in blocks(PAGE, "python") if "promptfoo" in block]
    (tmp_path / "promptfooconfig.yaml").write_text(config)
    (tmp_path / "natural.py").write_text(module)
    switches = {f"PROMPTFOO_{name}": "1" for name in ("DISABLE_TELEMETRY", "DISABLE_UPDATE")}
    paths = {"PROMPTFOO_CONFIG_DIR": str(tmp_path), "PROMPTFOO_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    command = [*PROMPTFOO, "eval", "--no-cache", "--output", "results.json"]
    ended = subprocess.run(command, cwd=tmp_path, env={**os.environ, **switches, **paths}, check=False)
    assert ended.returncode == 100  # since a test failed
    rows = json.loads((tmp_path / "results.json").read_text())["results"]["results"]
    scorer = Scorer("fast")
    outputs = [row["response"]["output"] for row in rows]
    columns = scorer(outputs)
    assert [row["success"] for row in rows] == [True, False]
    assert [row["score"] for row in rows] == columns["naturalness"]
    for row, label in zip(rows, columns["label"], strict=True):
        (result,) = row["gradingResult"]["componentResults"]
        assert result["reason"].startswith(label)
        assert result["metadata"]["signature"] == scorer.signature

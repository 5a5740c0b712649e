"""`lstm`: complete output, exit codes and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from naturalness.files.resources import has_package
from replication.tests.support.commands import run
from tests.support.language_models import many, train

Captured = pytest.CaptureFixture[str]
needs_torch = pytest.mark.skipif(not (has_package("torch") and has_package("onnx")), reason="needs the extra 'neural'")
SMALL = ["--width", "8", "--epochs", "1", "--limit-vocabulary", "30"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with texts and an n-gram model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.txt").write_text("\n".join(many(200)) + "\n")
    (tmp_path / "others.csv").write_text("\n".join(["text", *many(20, seed=1)]) + "\n")
    train(tmp_path / "counts", many(200))
    return tmp_path


@needs_torch
def test_a_model_is_trained(home: Path, capfd: Captured) -> None:
    """The summary is on standard output, and the stages are on standard error."""
    assert run(["lstm", "texts.txt", "--beside", "counts", "-o", "m", *SMALL]) == 0
    out, err = capfd.readouterr()
    summary = json.loads((home / "m" / "manifest.json").read_text())["training"]
    held_out = summary["held_out"]
    curve = " ".join(f"{look['held_out']:.0f}" for look in summary["curve"])
    assert out == (
        f"202 sentences, {summary['tokens']:,} units; the 30 most frequent are known, "
        f"{summary['parameters']:,} parameters\n"
        f"perplexity on held-out text, pass by pass in quarters: {curve}\n"
        f"4 held-out sentences, {held_out['unknown']:.1%} of their units not known to the LSTM; "
        f"perplexity on the others: LSTM {held_out['shared']['network']:.1f}\n"
        "saved in m\n"
    )
    assert err.splitlines() == ["tokenise (200)", "train (202)", "judge (4)"]
